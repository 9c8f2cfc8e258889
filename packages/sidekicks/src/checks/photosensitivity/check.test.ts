import { mediaTypeOfFilename } from '@assay/contract/media-types.ts';
import { describe, expect, test } from 'vitest';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Flashes, FlashRun } from '../../evidence/pass/flashes/flashes.ts';
import { type Profile, profiles } from '../../profile.ts';
import { sidekick } from './sidekick.ts';

const media = mediaTypeOfFilename('a.mp4');
if (!media) throw new Error('films may be uploaded');

const run = (more: Partial<FlashRun> = {}): FlashRun => ({
  kind: 'luminance',
  area: 'screen',
  startSeconds: 75.3,
  endSeconds: 76.2,
  peakTransitions: 7,
  peakFlashes: 3,
  peakAreaShare: 0.3,
  peakSeconds: 76,
  box: { x: 0.25, y: 0, width: 0.5, height: 0.6 },
  ...more,
});
const series = { stepSeconds: 0.1, values: [] };
const house = (more: Partial<Profile['photosensitivity']> = {}): Profile => ({
  ...profiles['ebu-r128'],
  photosensitivity: { areas: ['screen'], areaShareMax: 0.25, ...more },
});

function check(flashes: Partial<Flashes> | null, profile = house()) {
  const evidence = {
    probe: null,
    flashes: flashes && {
      runs: [],
      extended: [],
      series: { transitions: series, meanLuminance: series },
      lookedAt: { width: 1920, height: 1080 },
      isWhole: true,
      ...flashes,
    },
  };
  return sidekick.check(evidence as unknown as Evidence, { media, filename: 'a.mp4', profile } as never);
}

test('nothing that moves, nothing to say', () => {
  expect(check(null)).toEqual([]);
  expect(check({})).toEqual([]);
});

describe('a run', () => {
  test('is a finding with time, place, count and limit', () => {
    const [finding, ...more] = check({ runs: [run()] });
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ ruleCode: 'PSE-LUMINANCE', measured: 7, limit: 6, isCertain: true });
    expect(finding?.locations).toEqual([{ kind: 'region', startMs: 75_300, endMs: 76_200, box: run().box }]);
    expect(finding?.summary).toContain('1:15.3 to 1:16.2');
    expect(finding?.summary).toContain('3½ times');
    expect(finding?.severityReasoning).toContain('30.0 % of the screen, limit 25 %');
    expect(finding?.stillsAtMs).toEqual([75_300, 76_000, 76_200]);
  });

  test('of red and of luminance are two', () => {
    const found = check({ runs: [run(), run({ kind: 'red' })] });
    expect(found.map(({ ruleCode }) => ruleCode)).toEqual(['PSE-LUMINANCE', 'PSE-RED']);
  });

  test.each([
    ['an area that the house does not ask for', { area: '341x256' as const }, 0],
    ['just under the share that the house forbids', { peakAreaShare: 0.2499 }, 0],
    ['just at it', { peakAreaShare: 0.25 }, 1],
  ])('%s', (_, more, count) => {
    expect(check({ runs: [run(more)] })).toHaveLength(count);
  });

  test('a stricter house hears of less', () => {
    const runs = [run({ peakAreaShare: 0.21 }), run({ area: '416x416', startSeconds: 90, endSeconds: 91 })];
    expect(check({ runs }, house({ areaShareMax: 0.2 }))).toHaveLength(1);
    expect(check({ runs }, house({ areaShareMax: 0.2, areas: ['screen', '416x416'] }))).toHaveLength(2);
  });

  test('and another shortly after it or in another area at the same time are one finding', () => {
    const runs = [
      run(),
      run({ area: '416x416', startSeconds: 75, endSeconds: 77, peakAreaShare: 0.8 }),
      run({ startSeconds: 77.9, endSeconds: 79, peakTransitions: 12 }),
      run({ startSeconds: 80.1, endSeconds: 81 }),
    ];
    const found = check({ runs }, house({ areas: ['screen', '416x416'] }));
    expect(found.map(({ measured }) => measured)).toEqual([12, 7]);
    expect(found[0]?.locations[0]).toMatchObject({ startMs: 75_000, endMs: 79_000 });
    expect(found[0]?.severityReasoning).toContain('80.0 % of a window of 416 × 416 pixels');
  });
});

describe('flashes for long', () => {
  const extended = [{ startSeconds: 10, endSeconds: 18 }];

  test('are a minor finding that a person looks at', () => {
    expect(check({ extended })).toMatchObject([{ ruleCode: 'PSE-EXTENDED', measured: 8, isCertain: false }]);
  });

  test('are not said again where they are too fast as well', () => {
    const found = check({ extended, runs: [run({ startSeconds: 12, endSeconds: 13 })] });
    expect(found.map(({ ruleCode }) => ruleCode)).toEqual(['PSE-LUMINANCE']);
  });
});

test('pictures that could not be decoded are reported as not checked', () => {
  expect(check({ isWhole: false })).toMatchObject([{ ruleCode: 'PSE-NOT-VERIFIED', isCertain: false }]);
});
