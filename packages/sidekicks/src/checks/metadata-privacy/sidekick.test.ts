import { declaredAs } from '@assay/testing/media/declared-as.ts';
import { examineFile } from '@assay/testing/media/examine.ts';
import { sample, sampleNames } from '@assay/testing/media/samples.ts';
import { describe, expect, test } from 'vitest';
import type { FindingWithRule } from '#sidekick/sidekick.ts';
import { rules } from './rules.ts';
import { cleanFiles } from './samples/clean-files.ts';
import { leakyDocuments } from './samples/leaky-documents.ts';
import { leakyImages } from './samples/leaky-images.ts';
import { leakyMedia } from './samples/leaky-media.ts';
import { withPosition } from './samples/make-exif.ts';
import { forEachConcurrently, type MadeFile, makeFiles } from './samples/make-files.ts';
import { sidekick } from './sidekick.ts';

const recipes = [
  ...leakyImages(sample),
  ...leakyMedia(),
  ...leakyDocuments(withPosition(sample('still.jpg'))),
  ...cleanFiles(sampleNames),
];
const set = await makeFiles(recipes, sample);
/** The findings for these files are checked in detail below. */
const detailed = ['a GPS track', 'GPS in EXIF and XMP is one finding', 'GPS south and west'];
const firstOfRules = Object.keys(rules).map((rule) =>
  set.findIndex(({ expected }) => expected.some((code) => code === rule)),
);
/** `FILES=all` in the nightly run, otherwise every second file of the set and one for each rule. */
const isAll = process.env.FILES === 'all';
const files = set.filter(
  ({ label }, i) => isAll || i % 2 === 0 || firstOfRules.includes(i) || detailed.includes(label),
);
const found = new Map<MadeFile, FindingWithRule[]>();
await forEachConcurrently(files, async (file) => {
  found.set(file, await examineFile(sidekick, file.path, declaredAs(file.filename)));
});

const codesOf = (file: MadeFile) => [...new Set(found.get(file)?.map(({ ruleCode }) => ruleCode))].toSorted();
const titled = files.map((file): [string, string, MadeFile] => [file.label, file.filename, file]);
const leaky = titled.filter(([, , { expected }]) => expected.length > 0);
const clean = titled.filter(([, , { expected }]) => expected.length === 0);

describe('the labelled set of files with metadata', () => {
  test('is large enough, and covers every rule', () => {
    expect(set.filter(({ expected }) => expected.length > 0).length).toBeGreaterThanOrEqual(90);
    expect(set.filter(({ expected }) => expected.length === 0).length).toBeGreaterThanOrEqual(60);
    expect(new Set(leaky.flatMap(([, , { expected }]) => expected))).toEqual(new Set(Object.keys(rules)));
  });

  test('has findings for every rule where they are expected, and nowhere else', () => {
    const table = Object.keys(rules).map((rule) => {
      const labelled = files.filter(({ expected }) => expected.some((code) => code === rule));
      const reported = files.filter((file) => codesOf(file).includes(rule));
      const missed = labelled.filter((file) => !reported.includes(file)).length;
      return {
        rule,
        labelled: labelled.length,
        missed,
        'false alarms': reported.filter((file) => !labelled.includes(file)).length,
      };
    });
    console.table([
      ...table,
      {
        rule: 'clean files',
        labelled: clean.length,
        missed: 0,
        'false alarms': clean.filter(([, , file]) => codesOf(file).length > 0).length,
      },
    ]);
    expect(table.filter((row) => row.missed > 0 || row['false alarms'] > 0)).toEqual([]);
  });

  test.each(leaky)('has exactly the expected findings for the leaky file “%s” (%s)', (_, __, file) => {
    expect(codesOf(file)).toEqual(file.expected.toSorted());
  });

  test.each(clean)('has no findings for the clean file “%s” (%s)', (_, __, file) => {
    expect(found.get(file)).toEqual([]);
  });
});

describe('findings on real files', () => {
  const findingsOf = (label: string, filename: string) => {
    const file = files.find((one) => one.label === label && one.filename === filename);
    if (!file) throw new Error(`the set has no ${label}`);
    return found.get(file) ?? [];
  };

  test('locate a GPS track by time', () => {
    expect(findingsOf('a GPS track', 'clip.mov')).toMatchObject([
      { subject: 'position track', locations: [{ kind: 'timeRange', startMs: 100, endMs: 400 }] },
    ]);
  });

  test('combine a position in both EXIF and XMP into one finding that names both', () => {
    const positions = findingsOf('GPS in EXIF and XMP is one finding', 'still.jpg');
    expect(positions).toHaveLength(1);
    expect(positions[0]?.summary).toMatch(/GPS:GPSLatitude.* and 1 more/);
  });

  test('show southern and western positions as negative', () => {
    expect(findingsOf('GPS south and west', 'still.jpg')[0]?.summary).toContain('near −33.9, −70.7');
  });
});
