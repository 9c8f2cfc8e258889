import { certainFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import { type Expectation, listOf, toWithinSentence } from './expectation.ts';
import type { Facts } from './facts.ts';
import type { RuleCode } from './rules.ts';

type StreamKind = NonNullable<Expectation['stream']>;

/** The subjects are those of the quality check for the same fault, so that the issues form one topic. */
const missing = {
  video: { countRule: 'SPEC-VIDEO-TRACKS', subject: 'no picture' },
  audio: { countRule: 'SPEC-AUDIO-TRACKS', subject: 'no sound' },
} as const;

export function hasStream(kind: StreamKind, { video, audio }: Facts): boolean {
  return kind === 'video' ? video !== null : audio.length > 0;
}

/**
 * One issue if the profile expects anything of a stream that the file does not have, instead of one for each
 * expectation. A profile that states how many tracks there must be decides itself whether none is accepted.
 */
export function judgeMissingStream(
  kind: StreamKind,
  expectations: readonly Expectation[],
  facts: Facts,
): Finding<RuleCode>[] {
  if (hasStream(kind, facts)) return [];
  const { countRule, subject } = missing[kind];
  const ofStream = expectations.filter(({ stream }) => stream === kind);
  const ofTracks = ofStream.filter(({ appliesWithoutStream }) => appliesWithoutStream);
  const [found] = ofTracks.flatMap((expectation) => expectation.judge(facts).finding ?? []);
  if (found) return [found];
  const names = ofStream.flatMap(({ appliesWithoutStream, name }) => (appliesWithoutStream ? [] : name));
  if (names.length === 0 || ofTracks.some(({ ruleCode }) => ruleCode === countRule)) return [];
  const expected = listOf(names.map(toWithinSentence), 'and');
  return [
    certainFinding(countRule, {
      subject,
      summary: `The file has no ${kind} track, but the profile specifies its ${expected}. Deliver the file with its ${kind}.`,
      severityReasoning: `${kind === 'video' ? 'Video' : 'Audio'} tracks: none; expected: at least one`,
      measured: 0,
      limit: 1,
      unit: 'tracks',
    }),
  ];
}
