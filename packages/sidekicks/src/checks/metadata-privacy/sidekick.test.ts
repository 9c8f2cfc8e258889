import { declarationFor } from '@assay/testing/media/declared-as.ts';
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
const madeFiles = await makeFiles(recipes, sample);
/** The labels of the files whose findings are checked in detail below. */
const detailedLabels = ['a GPS track', 'GPS in EXIF and XMP is one finding', 'GPS south and west'];
const firstFileOfEachRule = Object.keys(rules).map((rule) =>
  madeFiles.findIndex(({ expected }) => expected.some((code) => code === rule)),
);
/** `FILES=all` (nightly) checks every sample file, otherwise every second one and one for each rule are checked. */
const isFullRun = process.env.FILES === 'all';
const checkedFiles = madeFiles.filter(
  ({ label }, i) => isFullRun || i % 2 === 0 || firstFileOfEachRule.includes(i) || detailedLabels.includes(label),
);
const findingsByFile = new Map<MadeFile, FindingWithRule[]>();
await forEachConcurrently(checkedFiles, async (file) => {
  findingsByFile.set(file, await examineFile(sidekick, file.path, declarationFor(file.filename)));
});

const codesOf = (file: MadeFile) => [...new Set(findingsByFile.get(file)?.map(({ ruleCode }) => ruleCode))].toSorted();
const titledRows = checkedFiles.map((file): [string, string, MadeFile] => [file.label, file.filename, file]);
const leakyRows = titledRows.filter(([, , { expected }]) => expected.length > 0);
const cleanRows = titledRows.filter(([, , { expected }]) => expected.length === 0);

describe('the metadata-privacy check of a file', () => {
  test('has at least 90 leaky and 60 clean sample files, and covers every rule', () => {
    expect(madeFiles.filter(({ expected }) => expected.length > 0).length).toBeGreaterThanOrEqual(90);
    expect(madeFiles.filter(({ expected }) => expected.length === 0).length).toBeGreaterThanOrEqual(60);
    expect(new Set(leakyRows.flatMap(([, , { expected }]) => expected))).toEqual(new Set(Object.keys(rules)));
  });

  test('reports every rule in exactly the sample files that are expected to break it', () => {
    const table = Object.keys(rules).map((rule) => {
      const labelled = checkedFiles.filter(({ expected }) => expected.some((code) => code === rule));
      const reported = checkedFiles.filter((file) => codesOf(file).includes(rule));
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
        labelled: cleanRows.length,
        missed: 0,
        'false alarms': cleanRows.filter(([, , file]) => codesOf(file).length > 0).length,
      },
    ]);
    expect(table.filter((row) => row.missed > 0 || row['false alarms'] > 0)).toEqual([]);
  });

  test.each(leakyRows)('reports exactly the expected rules for the leaky file “%s” (%s)', (_, __, file) => {
    expect(codesOf(file)).toEqual(file.expected.toSorted());
  });

  test.each(cleanRows)('reports nothing in the clean file “%s” (%s)', (_, __, file) => {
    expect(findingsByFile.get(file)).toEqual([]);
  });
});

describe('metadata findings in real files', () => {
  const findingsOf = (label: string, filename: string) => {
    const file = checkedFiles.find((one) => one.label === label && one.filename === filename);
    if (!file) throw new Error(`the set has no ${label}`);
    return findingsByFile.get(file) ?? [];
  };

  test('locate a GPS track by time', () => {
    expect(findingsOf('a GPS track', 'clip.mov')).toMatchObject([
      { subject: 'position track', locations: [{ kind: 'timeRange', startMs: 100, endMs: 400 }] },
    ]);
  });

  test('combine a position in both EXIF and XMP into one finding that lists their tags', () => {
    const positions = findingsOf('GPS in EXIF and XMP is one finding', 'still.jpg');
    expect(positions).toHaveLength(1);
    expect(positions[0]?.summary).toMatch(/GPS:GPSLatitude.* and 1 more/);
  });

  test('show southern and western coordinates as negative', () => {
    expect(findingsOf('GPS south and west', 'still.jpg')[0]?.summary).toContain('near −33.9, −70.7');
  });
});
