import { describe, expect, test } from 'vitest';
import { renderReport } from '../render-report.ts';
import type { RejectedFile, Report } from '../report.ts';
import { createSampleAsset, createSampleReport, failSample, judgeSamples } from '../samples/sample-report.ts';

const sampleFile = { filename: 'a.mp4', mimeType: 'video/mp4', sizeBytes: 1000 };
const rejectedFile: RejectedFile = {
  filename: 'words.mp4',
  reason: 'words.mp4 is named .mp4, but its content is plain text.',
  next: 'Rename the file to match its format, or convert it.',
  code: 'content_type_mismatch',
  stage: 'before_upload' as const,
};

/** A report with this many checked, failed and rejected files. */
function reportOf(checkedCount: number, failedCount: number, rejectedCount: number): Report {
  const assets = Array.from({ length: checkedCount + failedCount }, (_, i) => {
    const asset = createSampleAsset(i + 1, sampleFile, []);
    if (i >= checkedCount) failSample(asset);
    return asset;
  });
  const files = Array.from({ length: rejectedCount }, (_, i) => ({
    ...rejectedFile,
    stage: i === 0 ? ('before_upload' as const) : ('by_service' as const),
  }));
  return judgeSamples({ ...createSampleReport(), assets, rejected: files });
}

const textOf = (page: string) =>
  page
    .slice(page.indexOf('<body>'), page.indexOf('<script>'))
    .replaceAll('<wbr>', '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
const headlineOf = (page: string) => /<h1>(.*?)<\/h1>/.exec(page)?.[1];

describe('a report with files that were not checked', () => {
  test.each([
    [9, 0, 2, 'Not checked', '11 files: 9 checked, 2 rejected.'],
    [8, 1, 2, 'Not checked', '11 files: 8 checked, 1 failed, 2 rejected.'],
    [0, 1, 1, 'Not checked', '2 files: 0 checked, 1 failed, 1 rejected.'],
  ])(
    'shows the counts of %i checked, %i failed and %i rejected files',
    (checkedCount, failedCount, rejectedCount, title, words) => {
      const page = renderReport(reportOf(checkedCount, failedCount, rejectedCount));
      expect(headlineOf(page)).toBe(title);
      expect(textOf(page)).toContain(words);
      expect(textOf(page)).toContain(`Files ${words.replace(' files', '').replace(/\.$/, '')} Submitted`);
    },
  );

  test('lists each rejected file with the reason, who rejected it, and what to do', () => {
    const text = textOf(renderReport(reportOf(1, 0, 2)));
    const reason = 'words.mp4 is named .mp4, but its content is plain text. Rename the file to match its format,';
    expect(text).toContain(`words.mp4 ${reason}`);
    expect(text).toContain('Rejected before the upload · content_type_mismatch');
    expect(text).toContain('Rejected by the service · content_type_mismatch');
    expect(text).toContain('words.mp4 Rejected before the upload Critical –');
  });

  test('does not include the rejected files in the number of files in which issues were counted', () => {
    const report = createSampleReport();
    expect(textOf(renderReport(report))).toContain(
      'in 3 of 4 checked files. 7 files: 4 checked, 1 failed, 2 rejected.',
    );
  });

  test.each([
    [1, 'Rejected', 'words.mp4 is named .mp4'],
    [2, 'All files were rejected', '2 files: 0 checked, 2 rejected.'],
  ])('needs no submission if all %i files were rejected', (count, title, words) => {
    const page = renderReport({ ...reportOf(0, 0, count), submission: null });
    expect(headlineOf(page)).toBe(title);
    expect(textOf(page)).toContain(words);
    expect(textOf(page)).not.toMatch(/no issues/i);
  });

  test.each([
    [1, 'No result', 'The service could not be reached.'],
    [2, 'No file was checked', '2 files: 0 checked, 2 without a result.'],
  ])('names the %i files for which the run could not be finished', (count, title, words) => {
    const file = { ...rejectedFile, stage: 'unfinished' as const, reason: 'The service could not be reached.' };
    const report = { ...reportOf(0, 0, 0), submission: null, rejected: Array.from({ length: count }, () => file) };
    const page = renderReport(report);
    expect(headlineOf(page)).toBe(title);
    expect(textOf(page)).toContain(words);
    expect(textOf(page)).toContain(`Files without a result ${count}`);
    expect(headlineOf(renderReport({ ...reportOf(3, 0, 0), rejected: [file] }))).toBe('Not checked');
  });

  test('renders hostile names and reasons as text, not as markup', () => {
    const hostile = '"><script>alert(1)</script>';
    const report = reportOf(1, 0, 1);
    report.rejected = [{ ...rejectedFile, filename: hostile, reason: hostile, next: hostile, code: hostile }];
    const page = renderReport({ ...report, serviceVersion: hostile });
    expect(page.match(/<script/g)).toHaveLength(1);
  });
});

test('a report shows each file’s hash, the profile’s revision and the service’s version', () => {
  const report = createSampleReport();
  const text = textOf(renderReport(report));
  for (const { result } of report.assets) {
    if (result.contentSha256) expect(text).toContain(`SHA-256 ${result.contentSha256}`);
  }
  expect(text).toContain('Delivery profile ebu-r128, revision 2');
  expect(text).toContain('Service https://assay.example, version 0.1.0');
  expect(textOf(renderReport({ ...report, serviceVersion: null }))).not.toContain('version null');
});
