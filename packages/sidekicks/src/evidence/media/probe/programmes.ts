import { mediaBounds } from '../bounds.ts';
import type { Probe, ProbeStream } from './probe-report.ts';
import { declaredLanguage, isDecodable, languageSuffix, trackName } from './track.ts';

/** Audio that is heard together: one track, or mono tracks that are the channels of one mix. */
export type Programme = {
  /** For display: `audio track 2 (fra)`, `audio tracks 1 to 6`. */
  name: string;
  /** Identifies it across versions: its name without the language, which may be added later. */
  subject: string;
  language: string | null;
  tracks: ProbeStream[];
  sampleRate: number;
  channels: number;
  layout: string | null;
  /** Whether only the number of mono tracks says which of them belong together: then some may be spare. */
  isAssumed: boolean;
};

export type Programmes = {
  /** Those that are examined. The first is the main programme. */
  programmes: Programme[];
  /** Those that are not, because there are too many. */
  beyondLimit: Programme[];
  /** The names of tracks that do not declare what is needed to decode them. */
  unknown: string[];
};

/** No layout with weights for its channels has more. */
export const layoutChannelsMax = 8;

/** How many mono tracks belong together, if neither language nor position says so; any other number is pairs. */
const mixSizes: Readonly<Record<number, readonly number[]>> = { 6: [6], 8: [6, 2] };
/** The layouts of mixes of mono tracks, in ffmpeg's names. */
const mixLayouts: Readonly<Record<number, string>> = { 2: 'stereo', 6: '5.1', 8: '7.1' };

type Track = { stream: ProbeStream; number: number };

/**
 * Groups the audio tracks of a file by declared layout and language. A track with several channels is a programme of its
 * own. Mono tracks of the same language are the channels of a mix.
 */
export function audioProgrammes({ streams }: Pick<Probe, 'streams'>): Programmes {
  const tracks = streams.filter(({ kind }) => kind === 'audio').map((stream, i) => ({ stream, number: i + 1 }));
  const decodable = tracks.filter(({ stream }) => isDecodable(stream));
  // If none can be decoded, the first is the main programme: decoding then fails, and says why.
  const known = decodable.length > 0 ? decodable : tracks.slice(0, 1);
  const all = [
    ...known.filter(({ stream }) => stream.channels !== 1).map((track) => programmeOf([track], false)),
    ...groupMonoTracks(known.filter(({ stream }) => stream.channels === 1)),
  ].toSorted((a, b) => firstIndexOf(a) - firstIndexOf(b));
  return {
    programmes: all.slice(0, mediaBounds.audioProgrammes.max),
    beyondLimit: all.slice(mediaBounds.audioProgrammes.max),
    unknown: tracks
      .filter((track) => !known.includes(track))
      .map(({ stream, number }) => trackName('audio', number, stream)),
  };
}

const firstIndexOf = ({ tracks }: Programme) => tracks[0]?.index ?? 0;

function groupMonoTracks(tracks: Track[]): Programme[] {
  // QuickTime has no code for many languages: beside a track that declares one, a track without is another language.
  const keyOf = ({ stream }: Track) => `${stream.sampleRate} ${declaredLanguage(stream)}`;
  return [...Map.groupBy(tracks, keyOf).values()].flatMap((group) => {
    const byPosition = splitByPosition(group);
    const mixes = byPosition ?? splitBySize(group);
    return mixes.map((mix) => programmeOf(mix, byPosition === null && mix.length > 1));
  });
}

/** A position that occurs again starts the next mix. Null unless every track declares a position of its own. */
function splitByPosition(tracks: Track[]): Track[][] | null {
  const positions = tracks.map(({ stream }) => positionOf(stream));
  if (positions.includes(null) || new Set(positions).size === 1) return null;
  const mixes: Track[][] = [];
  let taken = new Set<string | null>();
  for (const [i, track] of tracks.entries()) {
    const position = positions[i] ?? null;
    if (i === 0 || taken.has(position)) {
      mixes.push([]);
      taken = new Set();
    }
    taken.add(position);
    mixes.at(-1)?.push(track);
  }
  return mixes.every(({ length }) => length <= layoutChannelsMax) ? mixes : null;
}

/** The loudspeaker of a mono track: `1 channels (FL)`. ffmpeg calls a track for the centre `mono`, like any other. */
function positionOf({ channelLayout }: ProbeStream): string | null {
  return channelLayout === 'mono' ? 'FC' : (/^1 channels \((\w+)\)$/.exec(channelLayout ?? '')?.[1] ?? null);
}

function splitBySize(tracks: Track[]): Track[][] {
  const sizes = mixSizes[tracks.length] ?? [];
  const mixes: Track[][] = [];
  for (let at = 0; at < tracks.length; ) {
    const size = sizes[mixes.length] ?? 2;
    mixes.push(tracks.slice(at, at + size));
    at += size;
  }
  return mixes;
}

function programmeOf(tracks: Track[], isAssumed: boolean): Programme {
  const [first] = tracks as [Track, ...Track[]];
  const subject = subjectOf(tracks.map(({ number }) => number));
  const isMix = tracks.length > 1;
  return {
    name: `${subject}${languageSuffix(first.stream)}`,
    subject,
    language: declaredLanguage(first.stream),
    tracks: tracks.map(({ stream }) => stream),
    sampleRate: first.stream.sampleRate ?? 0,
    channels: isMix ? tracks.length : (first.stream.channels ?? 2),
    layout: isMix ? (mixLayouts[tracks.length] ?? null) : (first.stream.channelLayout ?? null),
    isAssumed,
  };
}

/** `audio track 2`, `audio tracks 7 and 8`, `audio tracks 1 to 6` */
function subjectOf(numbers: number[]): string {
  if (numbers.length === 1) return `audio track ${numbers[0]}`;
  const last = numbers.at(-1) as number;
  const isRun = numbers.every((number, i) => number === (numbers[0] as number) + i);
  if (isRun && numbers.length > 2) return `audio tracks ${numbers[0]} to ${last}`;
  return `audio tracks ${numbers.slice(0, -1).join(', ')} and ${last}`;
}
