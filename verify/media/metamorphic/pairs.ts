import { createRandom, type Random } from '@assay/testing/run/random.ts';
import { type Content, type ContentKind, contentKinds, createContent } from './contents.ts';
import type { ProfileName } from './examine-clip.ts';
import { canStore, type Storage, type Way, ways } from './ways.ts';

/** A clip and the ways in which it is stored again. */
export type Clip = { content: Content; profile: ProfileName; stored: { way: Way; storage: Storage }[] };

const waysPerClip = 3;
const profiles: readonly ProfileName[] = ['general', 'general', 'ebu-r128', 'streaming'];

/** One way for each part of a file that can be stored in another way. */
const shortList: readonly { kind: ContentKind; rate: number; profile: ProfileName; ways: readonly string[] }[] = [
  {
    ...{ kind: 'flashes', rate: 50, profile: 'general' },
    ways: ['each frame as a field', 'rotated by 90 degrees', 'anamorphic'],
  },
  {
    ...{ kind: 'loud audio', rate: 24, profile: 'ebu-r128' },
    ways: ['a change of the size halfway', 'two mono tracks', 'an edit list that trims'],
  },
  {
    ...{ kind: 'black', rate: 25, profile: 'general' },
    ways: ['MXF, MPEG-2', '10 bits', 'a frame rate that varies'],
  },
  {
    ...{ kind: 'levels', rate: 25, profile: 'ebu-r128' },
    ways: ['another order of tracks', 'whole frames as fields', 'a start after 0'],
  },
];

/** Twelve pairs, the same for the same seed. */
export function createShortList(seed: number): Clip[] {
  const random = createRandom(seed);
  return shortList.map(({ kind, rate, profile, ways: names }) => {
    const chosen = ways.filter(({ name }) => names.includes(name));
    const content = createContent(kind, random, { rate, seconds: 5 });
    return { content, profile, stored: chosen.map((way) => ({ way, storage: way.storage(random) })) };
  });
}

/** Creates the same pairs for the same seed: kinds of clips and ways in turn, so that each occurs about as often. */
export function createPairs(count: number, seed: number): Clip[] {
  const random = createRandom(seed);
  const waiting = { kinds: [] as ContentKind[], ways: [] as Way[] };
  const clips: Clip[] = [];
  for (let left = count; left > 0; ) {
    if (waiting.kinds.length === 0) waiting.kinds = random.shuffle(contentKinds);
    const content = createContent(waiting.kinds.pop() as ContentKind, random);
    const stored = takeWays(content, Math.min(left, waysPerClip), waiting, random);
    clips.push({ content, profile: random.pick(profiles), stored });
    left -= stored.length;
  }
  return clips;
}

/** The next ways that can store this clip. The others wait for another clip. */
function takeWays(content: Content, count: number, waiting: { ways: Way[] }, random: Random): Clip['stored'] {
  const taken: Clip['stored'] = [];
  if (waiting.ways.length < 2 * count) waiting.ways = [...waiting.ways, ...random.shuffle(ways)];
  const left = waiting.ways.filter((way) => {
    if (taken.length === count || taken.some((other) => other.way === way)) return true;
    const storage = way.storage(random);
    if (!canStore(content, way, storage)) return true;
    taken.push({ way, storage });
    return false;
  });
  waiting.ways = left;
  return taken;
}
