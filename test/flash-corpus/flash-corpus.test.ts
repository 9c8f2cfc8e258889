import { describe, expect, test } from 'vitest';
import { describeMissingCorpus } from '../support/corpora.ts';
import { corpusName, isCorpusHere, readCorpus } from './corpus.ts';
import { disputedNames, disputeOf, isSafeByText } from './disputes.ts';
import { failuresOf, lookAt } from './judge-clip.ts';
import { createRenderer } from './render.ts';

// `pnpm bench photosensitivity` judges all of them, every night.
describe('every tenth of the labelled clips, and all that were hard', () => {
  if (!isCorpusHere) return test('all of them', ({ skip }) => skip(describeMissingCorpus(corpusName)));
  const clips = readCorpus();
  const hard = /inf0\d\/f00[34]|_red02\/f00[1-3][sd]|area02\/[af]006/;
  const chosen = clips.filter((clip, i) => i % 10 === 0 || hard.test(`${clip.set}/${clip.name}`));
  const renderer = createRenderer();

  test('the corpus is whole, and the labels in dispute are of it', () => {
    expect(clips).toHaveLength(306);
    expect(clips.filter(({ area }) => area === 'screen')).toHaveLength(138);
    expect(clips.filter(disputeOf)).toHaveLength(disputedNames.length);
    expect(chosen.length).toBeGreaterThanOrEqual(40);
    expect(chosen.some((clip) => !isSafeByText(clip))).toBe(true);
  });

  test.each(chosen.map((clip) => [clip.set, clip.name, clip] as const))(
    '%s %s is judged as the standard has it',
    (_set, _name, clip) => {
      const runs = lookAt(clip, renderer.render(clip));
      expect(failuresOf(clip, runs).length === 0).toBe(isSafeByText(clip));
    },
  );
});
