import { createSampleReport } from '@assay/report/samples/sample-report.ts';
import { describe, expect, test } from 'vitest';
import { readXml } from '../../test/read-xml.ts';
import type { CheckedFile } from './checked.ts';
import { renderJunit } from './junit.ts';

const { assets } = createSampleReport();
const junitOptions = { failOn: 'MAJOR' as const, baseUrl: 'https://assay.example', serviceVersion: '0.1.0' };
const sampleCheckedFiles: CheckedFile[] = assets.map(({ result, issues }) => ({
  file: result.filename,
  result,
  issues,
  refusal: null,
}));
const refusal = { exitCode: 5, message: 'It is text.', next: 'Rename it.', code: 'content_type_mismatch' };
const rejectedFile = (status?: number): CheckedFile => ({
  file: 'words.mp4',
  result: null,
  issues: [],
  refusal: { ...refusal, status },
});

describe('a JUnit report', () => {
  test('contains the file’s hash, the profile with its revision, and the service’s version', () => {
    const [suite] = readXml(renderJunit(sampleCheckedFiles, junitOptions)).children;
    const properties = suite?.children[0];
    expect(properties?.name).toBe('properties');
    const facts = Object.fromEntries(
      properties?.children.map(({ attributes }) => [attributes.name, attributes.value]) ?? [],
    );
    expect(facts).toEqual({
      submissionId: assets[0]?.result.submissionId,
      assetId: assets[0]?.result.assetId,
      contentSha256: assets[0]?.result.contentSha256,
      profile: 'ebu-r128, revision 1',
      service: 'https://assay.example',
      serviceVersion: '0.1.0',
    });
  });

  test.each([
    ['rejected before the upload', rejectedFile(), 'content_type_mismatch', 'It is text. Rename it.'],
    ['rejected by the service', rejectedFile(415), 'content_type_mismatch', 'It is text. Rename it.'],
    ['could not be analysed', sampleCheckedFiles[4] as CheckedFile, 'corrupt_media', 'The file is damaged'],
  ])('contains an error with the reason for a file with the outcome “%s”', (name, one, type, message) => {
    const suites = readXml(renderJunit([one], junitOptions));
    expect(suites.attributes).toMatchObject({ tests: '1', errors: '1' });
    const failing = suites.children[0]?.children.find((child) => child.name === 'testcase');
    expect(failing?.attributes.name).toBe(`${one.file}: ${name}`);
    expect(failing?.children[0]).toMatchObject({ name: 'error', attributes: { type } });
    expect(failing?.children[0]?.attributes.message).toContain(message);
  });

  test('lists the first ten locations of an issue and the number of remaining locations', () => {
    const issue = { ...sampleCheckedFiles[0]?.issues[3] } as CheckedFile['issues'][number];
    issue.locations = Array.from({ length: 98 }, (_, i) => ({ kind: 'timeRange', startMs: i * 1000 }));
    const xml = renderJunit([{ ...(sampleCheckedFiles[0] as CheckedFile), issues: [issue] }], junitOptions);
    expect(xml).toContain('0:09.00; and 88 more: ');
    expect(xml).not.toContain('0:10.00');
  });
});
