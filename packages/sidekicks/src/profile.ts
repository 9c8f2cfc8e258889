import type { Standard } from '@assay/contract/schemas/issue.ts';
import type { Profile as ProfileName } from '@assay/contract/schemas/profile.ts';
import atscA85 from './profiles/atsc-a85.json' with { type: 'json' };
import ebuR128 from './profiles/ebu-r128.json' with { type: 'json' };

/** A delivery profile: the limits. What sidekicks measure does not depend on it. */
export type Profile = {
  title: string;
  description: string;
  loudness: {
    standard: Standard;
    scale: string;
    target: number;
    toleranceLu: number;
    /** Allowed difference between two compliant meters. It is added to the tolerance. */
    meterToleranceLu: number;
    truePeakMaxDb: number;
    truePeakMeterToleranceDb: number;
    /** Limit of short-term loudness (3 s) for content up to this length, such as advertisements. */
    shortForm: { secondsMax: number; shortTermMaxLufs: number } | null;
  };
  video: {
    blackSecondsMax: number;
    freezeSecondsMax: number;
    /** 8-bit levels, and the share of the frame that may be outside. Those of EBU R 103 are the narrowest. */
    levelMin: number;
    levelMax: number;
    levelShareMax: number;
  };
  audio: {
    silenceSecondsMax: number;
    /** Allowed difference between the end of the video and the end of the audio. */
    endsApartSecondsMax: number;
  };
  photosensitivity: {
    /** Areas whose flashing share is limited: the screen, or any window of this size in pixels. */
    areas: readonly FlashArea[];
    areaShareMax: number;
  };
  captions: { wordsPerMinuteMinor: number; wordsPerMinuteMajor: number; linesMax: number };
};

export type FlashArea = 'screen' | '341x256' | '416x416';

/** Takes a stored name. A name that no longer exists is a bug. */
export function profileNamed(name: string): Profile {
  if (!Object.hasOwn(profiles, name)) throw new Error(`unknown profile: ${name}`);
  return profiles[name as ProfileName];
}

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  'ebu-r128': ebuR128 as Profile,
  'atsc-a85': atscA85 as Profile,
};
