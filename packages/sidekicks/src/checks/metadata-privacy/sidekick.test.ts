import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { declaredAs } from '../../../../../test/support/declared-as.ts';
import { withSource } from '../../../../../test/support/film-source.ts';
import { sample, sampleNames } from '../../../../../test/support/samples.ts';
import type { Source } from '../../evidence/source.ts';
import { runSidekicks } from '../../run.ts';
import type { FoundBy } from '../../sidekick.ts';
import { rules } from './rules.ts';
import { cleanFiles } from './samples/clean-files.ts';
import { leakyDocuments } from './samples/leaky-documents.ts';
import { leakyMedia } from './samples/leaky-media.ts';
import { leakyPictures } from './samples/leaky-pictures.ts';
import { withPosition } from './samples/make-exif.ts';
import { inTurns, type MadeFile, makeFiles } from './samples/make-files.ts';
import { sidekick } from './sidekick.ts';

const folder = await mkdtemp(join(tmpdir(), 'assay-metadata-'));
afterAll(() => rm(folder, { recursive: true }));

const recipes = [
  ...leakyPictures(sample),
  ...leakyMedia(),
  ...leakyDocuments(withPosition(sample('still.jpg'))),
  ...cleanFiles(sampleNames),
];
const files = await makeFiles(recipes, sample, folder);
const found = new Map<MadeFile, FoundBy[]>();
await inTurns(files, async (file) => {
  found.set(file, await examine(file));
});

async function examine({ filename, path }: MadeFile): Promise<FoundBy[]> {
  const examining = (source: Source) => runSidekicks([sidekick], source, declaredAs(filename));
  return (await withSource(path, examining)).findings;
}

const codesOf = (file: MadeFile) => [...new Set(found.get(file)?.map(({ ruleCode }) => ruleCode))].toSorted();
const titled = files.map((file): [string, string, MadeFile] => [file.label, file.filename, file]);
const leaky = titled.filter(([, , { expected }]) => expected.length > 0);
const clean = titled.filter(([, , { expected }]) => expected.length === 0);

describe('the labelled set', () => {
  test('is large enough to say something, and has every rule', () => {
    expect(leaky.length).toBeGreaterThanOrEqual(90);
    expect(clean.length).toBeGreaterThanOrEqual(60);
    expect(new Set(leaky.flatMap(([, , { expected }]) => expected))).toEqual(new Set(Object.keys(rules)));
  });

  test('every rule is found where it should be, and nowhere else', () => {
    const table = Object.keys(rules).map((rule) => {
      const labelled = files.filter(({ expected }) => expected.some((code) => code === rule));
      const speaks = files.filter((file) => codesOf(file).includes(rule));
      const missed = labelled.filter((file) => !speaks.includes(file)).length;
      return {
        rule,
        labelled: labelled.length,
        missed,
        'without need': speaks.filter((file) => !labelled.includes(file)).length,
      };
    });
    console.table([
      ...table,
      {
        rule: 'clean files',
        labelled: clean.length,
        missed: 0,
        'without need': clean.filter(([, , file]) => codesOf(file).length > 0).length,
      },
    ]);
    expect(table.filter((row) => row.missed > 0 || row['without need'] > 0)).toEqual([]);
  });

  test.each(leaky)('finds: %s (%s)', (_, __, file) => {
    expect(codesOf(file)).toEqual(file.expected.toSorted());
  });

  test.each(clean)('lets pass: %s (%s)', (_, __, file) => {
    expect(found.get(file)).toEqual([]);
  });
});

describe('findings on real files', () => {
  const findingsOf = (label: string, filename: string) => {
    const file = files.find((one) => one.label === label && one.filename === filename);
    if (!file) throw new Error(`the set has no ${label}`);
    return found.get(file) ?? [];
  };

  test('a track has its time', () => {
    expect(findingsOf('a track of positions', 'clip.mov')).toMatchObject([
      { subject: 'position track', locations: [{ kind: 'timeRange', startMs: 100, endMs: 400 }] },
    ]);
  });

  test('what EXIF and XMP both say is one finding that names both', () => {
    const positions = findingsOf('GPS in EXIF and XMP is one finding', 'a.jpg');
    expect(positions).toHaveLength(1);
    expect(positions[0]?.summary).toMatch(/GPS:GPSLatitude.* and 1 more/);
  });

  test('south and west are told', () => {
    expect(findingsOf('GPS south and west', 'a.jpg')[0]?.summary).toContain('near -33.9, -70.7');
  });
});
