import { mediaTypeOfFilename } from '@assay/contract/media-types.ts';
import { describe, expect, test } from 'vitest';
import type { Evidence } from '#evidence/evidence.ts';
import type { Flashes, FlashRun } from '#evidence/media/decode/flashes/flashes.ts';
import type { PatternRun } from '#evidence/media/decode/patterns/patterns.ts';
import { builtInProfile } from '#profiles/built-in-profiles.ts';
import { extendProfile, type Profile } from '#sidekick/profile.ts';
import { sidekick } from './sidekick.ts';

const mp4Media = mediaTypeOfFilename('a.mp4');
if (!mp4Media) throw new Error('no media type for .mp4');

const flashRun = (more: Partial<FlashRun> = {}): FlashRun => ({
  kind: 'luminance',
  area: 'screen',
  startSeconds: 75.3,
  endSeconds: 76.2,
  peakTransitions: 7,
  peakFlashes: 3,
  peakAreaShare: 0.3,
  peakStartSeconds: 75.3,
  peakSeconds: 76,
  boxes: [{ x: 0.05, y: 0, width: 0.25, height: 0.3 }],
  ...more,
});
const emptySeries = { stepSeconds: 0.1, values: [] };
const profileWith = (more: Partial<Profile['limits']['photosensitivity']> = {}): Profile =>
  extendProfile(builtInProfile('ebu-r128'), { limits: { photosensitivity: more } });

function check(flashes: Partial<Flashes> | null, profile = profileWith(), patternRuns: PatternRun[] = []) {
  const evidence = {
    probe: null,
    animation: null,
    patterns: flashes && { runs: patternRuns },
    flashes: flashes && {
      runs: [],
      extended: [],
      series: { transitions: emptySeries, meanLuminance: emptySeries },
      lookedAt: { width: 1920, height: 1080 },
      isWhole: true,
      undecodedShare: 0,
      frameCount: 250,
      isByField: false,
      isTooFast: false,
      ...flashes,
    },
  };
  return sidekick.check(evidence as unknown as Evidence, { media: mp4Media, filename: 'a.mp4', profile } as never);
}

test('the photosensitivity check reports nothing for an asset without video, or without flashes and stripes', () => {
  expect(check(null)).toEqual([]);
  expect(check({})).toEqual([]);
});

describe('a run of flashes', () => {
  test('is reported with its time, place, count and limit', () => {
    const [finding, ...more] = check({ runs: [flashRun()] });
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ ruleCode: 'PSE-LUMINANCE', measured: 7, limit: 6, isCertain: true });
    const [box] = flashRun().boxes;
    expect(finding?.locations).toEqual([{ kind: 'region', startMs: 75_300, endMs: 76_200, box }]);
    expect(finding?.summary).toContain('1:15.30 to 1:16.20');
    expect(finding?.summary).toContain('3½ times');
    expect(finding?.severityReasoning).toContain('30.0 % of the screen (limit 25.0 %)');
    expect(finding?.summary).toContain(
      '3½ times within a second in the top left of the frame, on 30.0 % of the screen.',
    );
  });

  test('that fills the frame is said to, whatever the area that the delivery profile limits', () => {
    const whole = flashRun({ area: '341x256', peakAreaShare: 1, boxes: [{ x: 0, y: 0, width: 1, height: 1 }] });
    const [finding] = check({ runs: [whole] }, profileWith({ areas: ['341x256'] }));
    expect(finding?.summary).toContain('3½ times within a second in the whole frame. Reduce');
    expect(finding?.severityReasoning).toContain(
      'on 100.0 % of the central view, which is WCAG’s window of 341 × 256 pixels on a screen of 1920 × 1080 (limit 25.0 %)',
    );
  });

  test('that flashes in several places has a region for each', () => {
    const boxes = [0, 0.8].map((x) => ({ x, y: 0.4, width: 0.2, height: 0.2 }));
    const [finding] = check({ runs: [flashRun({ boxes })] });
    expect(finding?.locations.map(({ box }) => box)).toEqual(boxes);
    expect(finding?.summary).toContain('in the left and the right of the frame');
  });

  test('has a still of its peak; runs that are reported together have one of each, of at most three', () => {
    const stillsOf = (runs: FlashRun[]) => check({ runs })[0]?.flashStills?.map(({ endSeconds }) => endSeconds);
    expect(stillsOf([flashRun(), flashRun({ peakSeconds: 76.1, peakAreaShare: 0.4 })])).toEqual([76.1]);
    const later = [0, 2, 4, 6].map((seconds) =>
      flashRun({
        ...{ startSeconds: 75 + seconds, peakSeconds: 76 + seconds, endSeconds: 76.5 + seconds },
        peakAreaShare: 0.3 + seconds / 100,
      }),
    );
    expect(stillsOf(later)).toEqual([78, 80, 82]);
  });

  test('is not merged with a run of red flashes at the same time', () => {
    const found = check({ runs: [flashRun(), flashRun({ kind: 'red' })] });
    expect(found.map(({ ruleCode }) => ruleCode)).toEqual(['PSE-LUMINANCE', 'PSE-RED']);
  });

  test.each([
    ['in an area that is not in the delivery profile is not reported', { area: '341x256' as const }, 0],
    ['just under the share limit of the delivery profile is not reported', { peakAreaShare: 0.2499 }, 0],
    ['exactly at the share limit is reported', { peakAreaShare: 0.25 }, 1],
  ])('%s', (_, more, count) => {
    expect(check({ runs: [flashRun(more)] })).toHaveLength(count);
  });

  test('that fills less of an area, or fills a different area, is reported under a stricter delivery profile', () => {
    const runs = [flashRun({ peakAreaShare: 0.21 }), flashRun({ area: '416x416', startSeconds: 90, endSeconds: 91 })];
    expect(check({ runs }, profileWith({ areaShareMax: 0.2 }))).toHaveLength(1);
    expect(check({ runs }, profileWith({ areaShareMax: 0.2, areas: ['screen', '416x416'] }))).toHaveLength(2);
  });

  test('is merged with a run shortly after it, or in a different area at the same time', () => {
    const runs = [
      flashRun(),
      flashRun({ area: '416x416', startSeconds: 75, endSeconds: 77, peakAreaShare: 0.8 }),
      flashRun({ startSeconds: 77.9, endSeconds: 79, peakTransitions: 12 }),
      flashRun({ startSeconds: 80.1, endSeconds: 81 }),
    ];
    const found = check({ runs }, profileWith({ areas: ['screen', '416x416'] }));
    expect(found.map(({ measured }) => measured)).toEqual([12, 7]);
    expect(found[0]?.locations[0]).toMatchObject({ startMs: 75_000, endMs: 79_000 });
    expect(found[0]?.severityReasoning).toContain(
      '80.0 % of the central view, which is the Trace Center’s window of 416 × 416 pixels',
    );
  });
});

describe('extended flashing', () => {
  const extended = [{ startSeconds: 10, endSeconds: 18 }];

  test('is reported as a finding that needs review', () => {
    expect(check({ extended })).toMatchObject([{ ruleCode: 'PSE-EXTENDED', measured: 8, isCertain: false }]);
  });

  test('is not reported where the flashes are also too fast', () => {
    const found = check({ extended, runs: [flashRun({ startSeconds: 12, endSeconds: 13 })] });
    expect(found.map(({ ruleCode }) => ruleCode)).toEqual(['PSE-LUMINANCE']);
  });
});

describe('frames that could not be decoded', () => {
  test('are reported as not checked for flashes, with their share', () => {
    expect(check({ isWhole: false, undecodedShare: 0.381 })).toMatchObject([
      {
        ruleCode: 'PSE-NOT-VERIFIED',
        isCertain: false,
        summary: expect.stringContaining('38.1 % of the frames'),
        notExamined: { kind: 'frames', reason: 'damaged', share: 0.381 },
      },
    ]);
  });

  test('are reported without a share if nobody knows it', () => {
    expect(check({ isWhole: false, undecodedShare: null })).toMatchObject([
      { summary: expect.stringContaining('Some frames'), notExamined: { share: null } },
    ]);
  });
});

describe('a striped pattern', () => {
  const pattern = (more: Partial<PatternRun> = {}): PatternRun => ({
    ...{ motion: 'stationary', startSeconds: 12, endSeconds: 15.5, peakAreaShare: 0.613, peakSeconds: 13 },
    ...{ pairs: 9, lightLuminance: 182.4, darkLuminance: 9.7, box: { x: 0, y: 0.1, width: 1, height: 0.8 } },
    ...more,
  });
  const checkPatterns = (...runs: PatternRun[]) => check({}, profileWith(), runs);

  test('is reported as needing review, with its time, box, screen share and number of stripe pairs', () => {
    const [finding, ...more] = checkPatterns(pattern());
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ ruleCode: 'PSE-PATTERN', measured: 61.3, limit: 40, unit: '%', isCertain: false });
    expect(finding?.locations).toEqual([{ kind: 'region', startMs: 12_000, endMs: 15_500, box: pattern().box }]);
    expect(finding?.summary).toContain('From 0:12.00 to 0:15.50, stationary stripes cover 61.3 % of the screen');
    expect(finding?.severityReasoning).toContain('9 light-dark pairs, limit 5');
    expect(finding?.severityReasoning).toContain('dark and light stripes at 10 and 182 cd/m²');
    expect(finding?.stillsAtMs).toEqual([13_000]);
  });

  test('that changes is compared with a lower limit', () => {
    const [finding] = checkPatterns(pattern({ motion: 'changing', peakAreaShare: 0.3 }));
    expect(finding).toMatchObject({ measured: 30, limit: 25 });
    expect(finding?.summary).toContain('stripes that flash, oscillate, reverse or change direction');
  });

  test('just above its limit is not shown as equal to it', () => {
    expect(checkPatterns(pattern({ peakAreaShare: 0.40001 }))[0]?.summary).toContain('40.001 %');
  });

  test('is merged with one that starts less than a second later, and the worse of the two is reported', () => {
    const later = pattern({ startSeconds: 16.2, endSeconds: 18, motion: 'changing', peakAreaShare: 0.5, pairs: 12 });
    const found = checkPatterns(pattern(), later, pattern({ startSeconds: 30, endSeconds: 31 }));
    expect(found.map(({ limit }) => limit)).toEqual([25, 40]);
    expect(found[0]?.locations[0]).toMatchObject({ startMs: 12_000, endMs: 18_000 });
  });
});
