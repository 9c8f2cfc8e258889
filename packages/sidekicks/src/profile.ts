import type { Profile as ProfileName } from '@assay/contract/house.ts';
import type { Standard } from '@assay/contract/issue.ts';
import atscA85 from './profiles/atsc-a85.json' with { type: 'json' };
import ebuR128 from './profiles/ebu-r128.json' with { type: 'json' };

/** What a house accepts. Sidekicks measure the same for everyone; a profile says where the limits are. */
export type Profile = {
  title: string;
  description: string;
  loudness: {
    standard: Standard;
    scale: string;
    target: number;
    toleranceLu: number;
    /** By how much two good meters may differ: only beyond it is a value outside. */
    meterToleranceLu: number;
    truePeakMaxDb: number;
    truePeakMeterToleranceDb: number;
    /** What is shorter, such as an advertisement, may not be louder than this over three seconds. */
    shortForm: { secondsMax: number; shortTermMaxLufs: number } | null;
  };
  picture: {
    blackSecondsMax: number;
    freezeSecondsMax: number;
    /** Of 8 bits; what lies outside in more than a share of the picture is too far. EBU R 103's are the narrowest. */
    levelMin: number;
    levelMax: number;
    levelShareMax: number;
  };
  sound: {
    silenceSecondsMax: number;
    /** By how much picture and sound may end apart. */
    endsApartSecondsMax: number;
  };
  photosensitivity: {
    /** Of which areas a share may not flash: the screen, or any window of so many pixels. */
    areas: readonly FlashArea[];
    areaShareMax: number;
  };
  captions: { wordsPerMinuteMinor: number; wordsPerMinuteMajor: number; linesMax: number };
};

export type FlashArea = 'screen' | '341x256' | '416x416';

/** What is written down as a name; one that nobody knows any more is a mistake of ours. */
export function profileNamed(name: string): Profile {
  if (!Object.hasOwn(profiles, name)) throw new Error(`there is no profile ${name}`);
  return profiles[name as ProfileName];
}

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  'ebu-r128': ebuR128 as Profile,
  'atsc-a85': atscA85 as Profile,
};
