import { describe, expect, test } from 'vitest';
import { renderReport } from './render-report.ts';
import type { RejectedFile, Report } from './report.ts';
import { createSampleAsset, createSampleReport, failSample } from './samples/sample-report.ts';

const named = { filename: 'a.mp4', mimeType: 'video/mp4', sizeBytes: 1000 };
const rejected: RejectedFile = {
  filename: 'words.mp4',
  reason: 'words.mp4 is named .mp4, but its content is plain text.',
  next: 'Rename the file to match its format, or convert it.',
  code: 'content_type_mismatch',
  isBeforeUpload: true,
};

/** A report on this many checked, failed and rejected files. */
function reportOf(checkedCount: number, failedCount: number, rejectedCount: number): Report {
  const assets = Array.from({ length: checkedCount + failedCount }, (_, i) => {
    const asset = createSampleAsset(i + 1, named, []);
    if (i >= checkedCount) failSample(asset);
    return asset;
  });
  const files = Array.from({ length: rejectedCount }, (_, i) => ({ ...rejected, isBeforeUpload: i === 0 }));
  return { ...createSampleReport(), assets, rejected: files };
}

const textOf = (page: string) =>
  page
    .slice(page.indexOf('<body>'), page.indexOf('<script>'))
    .replaceAll('<wbr>', '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
const headlineOf = (page: string) => /<h1>(.*?)<\/h1>/.exec(page)?.[1];

describe('files that were not checked', () => {
  test.each([
    [9, 0, 2, 'Not all files were checked', '11 files: 9 checked, 2 rejected.'],
    [8, 1, 2, 'Not all files were checked', '11 files: 8 checked, 1 failed, 2 rejected.'],
    [0, 1, 1, 'No file was checked', '2 files: 0 checked, 1 failed, 1 rejected.'],
  ])('are counted: %i checked, %i failed and %i rejected', (checkedCount, failedCount, rejectedCount, title, words) => {
    const page = renderReport(reportOf(checkedCount, failedCount, rejectedCount));
    expect(headlineOf(page)).toBe(title);
    expect(textOf(page)).toContain(words);
    expect(textOf(page)).toContain(`Files ${words.replace(' files', '').replace(/\.$/, '')} Submitted`);
  });

  test('are listed, if rejected, with the reason, who rejected them, and what to do', () => {
    const text = textOf(renderReport(reportOf(1, 0, 2)));
    const reason = 'words.mp4 is named .mp4, but its content is plain text. Rename the file to match its format,';
    expect(text).toContain(`words.mp4 ${reason}`);
    expect(text).toContain('Rejected before the upload · content_type_mismatch');
    expect(text).toContain('Rejected by the service · content_type_mismatch');
    expect(text).toContain('words.mp4 Rejected before the upload Critical –');
  });

  test('are left out of the number of files in which issues were counted', () => {
    const report = createSampleReport();
    expect(textOf(renderReport(report))).toContain(
      'in 3 of 4 checked files. 7 files: 4 checked, 1 failed, 2 rejected.',
    );
  });

  test.each([
    [1, 'Rejected', 'words.mp4 is named .mp4'],
    [2, 'All files were rejected', '2 files: 0 checked, 2 rejected.'],
  ])('can be reported without a submission if all %i files were rejected', (count, title, words) => {
    const page = renderReport({ ...reportOf(0, 0, count), submission: null });
    expect(headlineOf(page)).toBe(title);
    expect(textOf(page)).toContain(words);
    expect(textOf(page)).not.toMatch(/no issues/i);
  });

  test('have hostile names and reasons rendered as text, not as markup', () => {
    const hostile = '"><script>alert(1)</script>';
    const report = reportOf(1, 0, 1);
    report.rejected = [{ ...rejected, filename: hostile, reason: hostile, next: hostile, code: hostile }];
    const page = renderReport({ ...report, serviceVersion: hostile });
    expect(page.match(/<script/g)).toHaveLength(1);
  });
});

test('the report shows the hash of each file, the revision of the profile, and the version of the service', () => {
  const report = createSampleReport();
  const text = textOf(renderReport(report));
  for (const { result } of report.assets) {
    if (result.contentSha256) expect(text).toContain(`SHA-256 ${result.contentSha256}`);
  }
  expect(text).toContain('Delivery profile ebu-r128, revision 1');
  expect(text).toContain('Service https://assay.example, version 0.1.0');
  expect(textOf(renderReport({ ...report, serviceVersion: null }))).not.toContain('version null');
});
