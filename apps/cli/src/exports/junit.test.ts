import { createSampleAsset, createSampleReport } from '@assay/report/samples/sample-report.ts';
import type { Issue } from '@assay/sdk';
import { describe, expect, test } from 'vitest';
import { readXml } from '../../test/read-xml.ts';
import type { CheckedFile, RunGate } from '../output/checked.ts';
import { renderJunit } from './junit.ts';

const { assets } = createSampleReport();
const gate: RunGate = { failOn: 'MAJOR', allowIncomplete: [], profile: 'ebu-r128', isEnforced: true };
const junitOptions = { gate, baseUrl: 'https://assay.example', serviceVersion: '0.1.0' };
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

const sampleIssue: Parameters<typeof createSampleAsset>[2][number] = {
  sidekick: 'flashes',
  ruleCode: 'PSE-LUMINANCE',
  severity: 'MAJOR',
  summary: 'The video flashes.',
  severityReasoning: 'It was measured.',
  severityReasoningHeadline: 'It matters.',
};
const notVerified = {
  ruleCode: 'PSE-NOT-VERIFIED',
  status: 'AWAITING_HUMAN_INPUT' as const,
  summary: 'Not all frames were checked.',
};
const notExamined = [{ kind: 'frames', label: 'frames that cannot be decoded', reason: 'damaged', share: 0.37 }];

/** A file with these issues of one check, which is incomplete if one of them says so. */
function fileWith(...samples: Partial<Issue>[]): CheckedFile {
  const named = { filename: 'a.mp4', mimeType: 'video/mp4', sizeBytes: 1 };
  const { result, issues } = createSampleAsset(
    1,
    named,
    samples.map((one) => ({ ...sampleIssue, ...one })),
  );
  for (const check of result.checks) {
    if (check.outcome === 'incomplete') check.coverage = { examined: [], notExamined };
  }
  // As from a service of the previous version, so that the verdict follows from checks and issues.
  Object.assign(result, { verdict: undefined });
  return { file: 'a.mp4', result, issues, refusal: null };
}

/** The case of this check, or the only case whose name begins with that of the file. */
function caseOf(one: CheckedFile, name = 'Photosensitivity', options = junitOptions) {
  const cases = readXml(renderJunit([one], options)).children[0]?.children ?? [];
  return cases.find((child) => child.name === 'testcase' && child.attributes.name?.startsWith(name));
}

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
      profile: 'ebu-r128, revision 2',
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

  test.each<[string, Partial<Issue>[], string, Record<string, string>]>([
    [
      'an issue at the gate is a failure with its severity',
      [{}, { severity: 'CRITICAL' }],
      'failure',
      { type: 'MAJOR', message: 'PSE-LUMINANCE: The video flashes. PSE-LUMINANCE: The video flashes.' },
    ],
    [
      'an issue that awaits review is an error',
      [{ status: 'AWAITING_HUMAN_INPUT' }],
      'error',
      { type: 'needs_review', message: 'PSE-LUMINANCE: The video flashes.' },
    ],
    [
      'an incomplete check is an error that says what was not examined',
      [notVerified],
      'error',
      { type: 'incomplete', message: 'Not examined: frames that cannot be decoded, 37.0 %: damaged or incomplete' },
    ],
    [
      'an incomplete check of which only another issue awaits review is an error for that issue',
      [{ ...notVerified, status: 'DISMISSED' }, { status: 'AWAITING_HUMAN_INPUT' }],
      'error',
      { type: 'needs_review' },
    ],
  ])('%s', (_, samples, name, attributes) => {
    expect(caseOf(fileWith(...samples))?.children[0]).toMatchObject({ name, attributes });
  });

  test('an incomplete check passes if the profile allows it, and what it did not examine is printed', () => {
    const allowing = { ...junitOptions, gate: { ...gate, allowIncomplete: ['photosensitivity'] } };
    const children = caseOf(fileWith(notVerified), 'Photosensitivity', allowing)?.children;
    expect(children?.map(({ name }) => name)).toEqual(['system-out']);
    expect(children?.[0]?.text).toContain('Not examined: frames that cannot be decoded, 37.0 %');
  });

  test('waived issues pass and are printed with the decision', () => {
    const decision = {
      statusReason: 'risk_accepted',
      statusNote: 'Web only.',
      statusChangedAt: '2026-11-12T10:05:00Z',
    };
    const children = caseOf(fileWith({ status: 'DISMISSED', ...(decision as Partial<Issue>) }))?.children;
    expect(children?.map(({ name }) => name)).toEqual(['system-out']);
    expect(children?.[0]?.text).toBe(
      'Waivers:\nMAJOR PSE-LUMINANCE: The video flashes. (DISMISSED); Risk accepted; 2026-11-12T10:05:00Z; Web only.',
    );
  });

  test('a check that did not apply is skipped, with the reason', () => {
    const skipped = (name: string, one = fileWith()) => caseOf(one, name)?.children[0];
    expect(skipped('Delivery specification')).toMatchObject({
      name: 'skipped',
      attributes: { message: 'not applicable: the profile sets no expectations' },
    });
    const audio = createSampleAsset(1, { filename: 'a.wav', mimeType: 'audio/wav', sizeBytes: 1 }, []);
    const one = { file: 'a.wav', ...audio, refusal: null };
    expect(skipped('Photosensitivity', one)?.attributes.message).toBe(
      'not applicable: the file has nothing of the kind',
    );
    for (const check of audio.result.checks) Object.assign(check, { reason: undefined });
    expect(skipped('Photosensitivity', one)?.attributes.message).toBe('not applicable');
  });

  test('every check that was selected has a case, and the number of skipped cases is stated', () => {
    const one = fileWith();
    const suites = readXml(renderJunit([one], junitOptions));
    expect(suites.attributes).toMatchObject({ tests: String(one.result?.checks.length), failures: '0', skipped: '1' });
  });

  test.each([true, false])('a simulated run is an error, or skipped without a gate (with a gate: %s)', (isEnforced) => {
    const one = fileWith();
    Object.assign(one.result ?? {}, { issueCount: null, checks: [] });
    const found = caseOf(one, 'a.mp4', { ...junitOptions, gate: { ...gate, isEnforced } })?.children[0];
    expect(found?.name).toBe(isEnforced ? 'error' : 'skipped');
    if (isEnforced) expect(found?.attributes.type).toBe('not_checked');
  });

  test('a file to which no check applies is an error', () => {
    const one = fileWith();
    for (const check of one.result?.checks ?? []) check.outcome = 'not_applicable';
    expect(caseOf(one, 'a.mp4')?.children[0]).toMatchObject({ name: 'error', attributes: { type: 'not_checked' } });
  });

  test('a file for which the run could not be finished is an error with the reason', () => {
    const failure = { exitCode: 6, message: 'Cannot reach the service.', next: undefined };
    const one = { file: 'a.mp4', result: null, issues: [], refusal: null, failure };
    expect(caseOf(one, 'a.mp4: no result')?.children[0]?.attributes.message).toBe('Cannot reach the service.');
  });

  test('a verdict of the service that no case explains is an error', () => {
    const one = fileWith();
    Object.assign(one.result ?? {}, { verdict: 'needs_review' });
    expect(caseOf(one, 'a.mp4: verdict')?.children[0]?.attributes.type).toBe('needs_review');
  });
});
