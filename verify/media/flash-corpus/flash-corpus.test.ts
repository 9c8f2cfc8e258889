import { describeMissingCorpus } from '@assay/testing/media/corpora.ts';
import { describe, expect, test } from 'vitest';
import { type Clip, corpusName, isCorpusHere, readCorpus } from './corpus.ts';
import { disputedNames, disputeOf, isSafeByText } from './disputes.ts';
import { analyseClip, failuresOf } from './judge-clip.ts';
import { createRenderer } from './render.ts';

// Judges a safe and an unsafe clip of each labelled set, and all difficult clips. `pnpm bench photosensitivity` judges
// all clips and runs nightly.
describe('the flash corpus', () => {
  if (!isCorpusHere)
    return test('the clips are judged according to the standard', ({ skip }) =>
      skip(describeMissingCorpus(corpusName)));
  const clips = readCorpus();
  const difficult = /inf0\d\/f00[34]|_red02\/f00[1-3][sd]|area02\/[af]006/;
  const isDifficult = ({ set, name }: Clip) => difficult.test(`${set}/${name}`);
  const alike = [...Map.groupBy(clips, (clip) => `${clip.set} ${isSafeByText(clip)}`).values()];
  const oneOfEach = alike.map((group) => group.find(isDifficult) ?? group[0]);
  const chosen = clips.filter((clip) => isDifficult(clip) || oneOfEach.includes(clip));
  const renderer = createRenderer();

  test('is complete and contains all disputed clips', () => {
    expect(clips).toHaveLength(306);
    expect(clips.filter(({ area }) => area === 'screen')).toHaveLength(138);
    expect(clips.filter(disputeOf)).toHaveLength(disputedNames.length);
    expect(oneOfEach).toHaveLength(2 * new Set(clips.map(({ set }) => set)).size);
  });

  test.each(chosen.map((clip) => [clip.set, clip.name, clip] as const))(
    'clip %s %s is judged according to the standard',
    (_set, _name, clip) => {
      const runs = analyseClip(clip, renderer.render(clip));
      expect(failuresOf(clip, runs).length === 0).toBe(isSafeByText(clip));
    },
  );
});
