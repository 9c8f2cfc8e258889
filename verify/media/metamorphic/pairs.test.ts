import { openMediaFolder } from '@assay/testing/media/video-source.ts';
import { testSeed } from '@assay/testing/run/test-seed.ts';
import { describe, expect, test } from 'vitest';
import { compareExamined } from './compare.ts';
import type { Examined } from './examine-clip.ts';
import { formatPairs, isDifferent, isIncomplete } from './format-pairs.ts';
import { type Clip, createPairs, createShortList } from './pairs.ts';
import { type PairResult, runClip } from './run-pairs.ts';
import { ways } from './ways.ts';

/** `PAIRS=300` for a full run, with a new seed every night. The pairs of a short run are always the same. */
const { PAIRS } = process.env;
const seed = testSeed(1);
const clips = PAIRS ? createPairs(Number(PAIRS), seed) : createShortList(seed);
const { folder } = openMediaFolder('metamorphic');
const results: PairResult[] = [];
/** A full run is long, and shares the machine. */
const timeoutMs = 600_000;
/** The share of pairs in which a check may leave something out. */
const incompleteShareMax = 0.05;

const describeClip = ({ content: { kind, rate }, profile, stored }: Clip) =>
  `${kind}, ${rate} fps, ${profile}, as ${stored.map(({ way }) => way.name).join(', ')}`;

describe('a file with the same content that is stored in another way', () => {
  test.each(clips.map((clip, i) => [i + 1, describeClip(clip), clip] as const))(
    'has the same verdict and measurements: clip %i, %s',
    async (_number, _description, clip) => {
      const ofClip = await runClip(clip, PAIRS ? folder : null);
      results.push(...ofClip);
      const found = new Set(ofClip[0]?.plain.findings.map(({ ruleCode }) => ruleCode));
      expect([...found], 'the faults of the clip').toEqual(expect.arrayContaining([...clip.content.rules]));
      expect(ofClip.filter(isDifferent).map(({ name, differences }) => ({ name, differences }))).toEqual([]);
    },
    timeoutMs,
  );

  test('is incomplete in at most one of twenty pairs', () => {
    if (PAIRS) console.log(formatPairs(results));
    expect(results).toHaveLength(clips.flatMap(({ stored }) => stored).length);
    expect(results.filter(isIncomplete).length / results.length).toBeLessThanOrEqual(incompleteShareMax);
  });
});

describe('the comparison', () => {
  const [way] = ways as [(typeof ways)[0], ...typeof ways];
  const change = (examined: Examined, changed: Partial<Examined['findings'][0]>): Examined => ({
    ...examined,
    findings: examined.findings.map((finding) => (finding.locations.length > 0 ? { ...finding, ...changed } : finding)),
  });
  const alterations: Record<string, (examined: Examined) => Examined> = {
    'another verdict': (one) => ({ ...one, verdict: 'needs_review' }),
    'an issue that is missing': (one) => ({ ...one, findings: one.findings.slice(1) }),
    'another severity': (one) => change(one, { severity: 'INFO' }),
    'another measurement': (one) => change(one, { measured: 1_000 }),
    'a place 40 ms later': (one) => change(one, { locations: [{ kind: 'timeRange', startMs: 40, endMs: 2_000 }] }),
    'another outcome': (one) => ({ ...one, checks: one.checks.map((check) => ({ ...check, outcome: 'ran' })) }),
    'an extent that was not examined': (one) => ({
      ...one,
      checks: one.checks.map((check) => ({ ...check, coverage: { examined: [], notExamined: [] } })),
    }),
    'a value over time': ({ measured, ...one }) => ({
      ...one,
      measured: { ...measured, series: measured.series.map((series) => ({ ...series, values: [] })) },
    }),
  };

  test.each(Object.entries(alterations))('reports %s', (_, alter) => {
    const { plain } = results.find(({ plain }) =>
      plain.findings.some(({ locations }) => locations.length > 0),
    ) as PairResult;
    expect(compareExamined(plain, plain, way, 0)).toEqual({ differences: [], incomplete: [] });
    expect(compareExamined(plain, alter(plain), way, 0).differences).not.toEqual([]);
  });

  test('names what was not examined', () => {
    const { plain } = results[0] as PairResult;
    const notExamined = [{ kind: 'frames', label: 'frames', reason: 'damaged', share: null }];
    const checks = plain.checks.map((check) => ({
      ...check,
      coverage: { ...check.coverage, notExamined: check.shortName === 'loudness' ? notExamined : [] },
    }));
    expect(compareExamined(plain, { ...plain, checks }, way, 0).incomplete).toEqual([
      `loudness of ${way.name}: frames (damaged)`,
    ]);
  });
});
