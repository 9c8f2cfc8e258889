import {
  createSampleAsset,
  createSampleReport,
  failSample,
  judgeSamples,
} from '@assay/report/samples/sample-report.ts';
import { gateOf } from '@assay/report/verdict/judgement.ts';
import type { Issue, Submission } from '@assay/sdk';
import { describe, expect, test } from 'vitest';
import { type CheckedFile, type RunGate, toJson } from './checked.ts';
import { formatCheckedFile } from './issue-table.ts';
import { createOutput } from './output.ts';
import { formatVerdict, judge } from './verdict.ts';

const output = createOutput({ isTTY: false } as NodeJS.WriteStream, {});
const submission = createSampleReport().submission as Submission;
const gate: RunGate = { ...gateOf(submission), isEnforced: true };
const sample: Parameters<typeof createSampleAsset>[2][number] = {
  sidekick: 'flashes',
  ruleCode: 'PSE-LUMINANCE',
  severity: 'MAJOR',
  summary: 'The video flashes.',
  severityReasoning: 'It was measured.',
  severityReasoningHeadline: 'It matters.',
};
const notVerified = { ruleCode: 'PSE-NOT-VERIFIED', severity: 'INFO', status: 'AWAITING_HUMAN_INPUT' } as const;
const dismissed = { status: 'DISMISSED', statusChangedAt: '2026-11-12T10:05:00.000Z' } as const;

function fileWith(...samples: Partial<Issue>[]): CheckedFile {
  const asset = createSampleAsset(
    1,
    { filename: 'a.mp4', mimeType: 'video/mp4', sizeBytes: 1 },
    samples.map((one) => ({ ...sample, ...one })),
  );
  judgeSamples({ ...createSampleReport(), assets: [asset] });
  return { file: 'a.mp4', result: asset.result, issues: asset.issues, refusal: null };
}

function changed(one: CheckedFile, change: (result: NonNullable<CheckedFile['result']>) => void): CheckedFile {
  if (one.result) change(one.result);
  return one;
}

const failed = () => {
  const asset = createSampleAsset(1, { filename: 'a.mp4', mimeType: 'video/mp4', sizeBytes: 1 }, []);
  failSample(asset);
  judgeSamples({ ...createSampleReport(), assets: [asset] });
  return { file: 'a.mp4', result: asset.result, issues: [], refusal: null };
};
const simulated = () =>
  changed(fileWith(), (result) => Object.assign(result, { issueCount: null, checks: [], verdict: null }));
const unchecked = () =>
  changed(fileWith(), (result) => {
    for (const check of result.checks) check.outcome = 'not_applicable';
    result.verdict = 'not_checked';
  });
const refused: CheckedFile = {
  file: 'no.mp4',
  result: null,
  issues: [],
  refusal: { exitCode: 5, message: 'Not a video.', next: undefined },
};

describe('the exit code and the final sentence of a run', () => {
  test.each<[string, CheckedFile[], number, string]>([
    ['passed', [fileWith()], 0, 'Passed: no issues at MAJOR or above, the gate of ebu-r128.'],
    [
      'passed with waivers',
      [fileWith(dismissed)],
      0,
      'Passed with 1 waiver: no other issues at MAJOR or above, the gate of ebu-r128.',
    ],
    ['failed', [fileWith({}, {})], 3, 'Failed: 2 issues at MAJOR or above, the gate of ebu-r128.'],
    ['not checked, because the asset failed', [failed()], 4, 'Not checked: not every file was analysed.'],
    ['not checked, because no check applies', [unchecked()], 4, 'Not checked: not every file was analysed.'],
    ['not checked, because the run was simulated', [simulated()], 4, 'Not checked: the run was simulated.'],
    ['needs review', [fileWith({ status: 'AWAITING_HUMAN_INPUT' })], 7, 'Needs review: 1 issue.'],
    ['incomplete', [fileWith(notVerified)], 7, 'Needs review: 1 issue. Incomplete: Photosensitivity.'],
    ['failed before not checked', [failed(), fileWith({})], 3, 'Failed: 1 issue at MAJOR or above'],
    ['not checked before needs review', [fileWith(notVerified), failed()], 4, 'Not checked: not every file'],
    ['needs review before passed', [fileWith(notVerified), fileWith(dismissed)], 7, 'Needs review: 1 issue.'],
    ['rejected before failed', [refused, fileWith({})], 5, '1 rejected'],
  ])('%s', (_, files, exitCode, words) => {
    const run = judge(files, gate, null);
    expect(run.exitCode).toBe(exitCode);
    expect(formatVerdict(run, output)).toContain(words);
  });

  test.each([
    ['an issue at the gate', fileWith({}), 0],
    ['an incomplete check', fileWith(notVerified), 0],
    ['a simulated run', simulated(), 0],
    ['a failed asset', failed(), 4],
  ])('with --fail-on none, %s does not change the exit code, except if the asset failed', (_, one, exitCode) => {
    const run = judge([one], { ...gate, isEnforced: false }, null);
    expect(run).toMatchObject({ exitCode, failOn: null, failingCount: 0 });
    expect(formatVerdict(run, output)).not.toMatch(/Passed|Failed:/);
  });

  test('a rejected file or a failure of the run is never followed by “Passed”', () => {
    const failure = { exitCode: 6, message: 'Cannot reach the service.', next: undefined };
    const missing = { ...refused, refusal: null, failure };
    for (const run of [judge([refused, fileWith()], gate, null), judge([missing, fileWith()], gate, failure)]) {
      expect(formatVerdict(run, output)).not.toContain('Passed');
    }
    expect(judge([missing, fileWith({})], gate, failure)).toMatchObject({ exitCode: 6, outcome: 'unreachable' });
    expect(formatVerdict(judge([missing, fileWith()], gate, failure), output)).toContain('1 without a result');
  });

  test('another gate replaces the verdict of the service, but not the checks that may be incomplete', () => {
    const minor: RunGate = { ...gateOf(submission, 'MINOR'), isEnforced: true };
    expect(judge([fileWith({ severity: 'MINOR' })], minor, null)).toMatchObject({ exitCode: 3, failOnProfile: null });
    const allowing = { ...minor, allowIncomplete: ['photosensitivity'] };
    expect(judge([fileWith(notVerified)], allowing, null)).toMatchObject({ exitCode: 0, verdict: 'passed' });
  });
});

describe('the JSON of a run', () => {
  test('has the verdict of each file and of all, beside the earlier members', () => {
    const files = [fileWith({}), fileWith(dismissed)];
    const run = judge(files, gate, null);
    expect(run).toMatchObject({
      verdict: 'failed',
      outcome: 'findings',
      failingCount: 1,
      blockingCount: 1,
      waivedCount: 1,
      analysedCount: 2,
      rehearsedCount: 0,
      unseenCount: 0,
    });
    expect(files.map((one) => toJson(one, gate))).toMatchObject([
      { verdict: 'failed' },
      { verdict: 'passed_with_waivers' },
    ]);
    expect(toJson(refused, gate)).toMatchObject({ verdict: null, result: null, error: { message: 'Not a video.' } });
  });
});

describe('the checks of a file', () => {
  test('that did not examine everything are listed with what is missing, and why', () => {
    const one = changed(fileWith(notVerified), ({ checks }) => {
      const notExamined = [{ kind: 'frames', label: 'frames that cannot be decoded', reason: 'damaged', share: 0.37 }];
      for (const check of checks) if (check.outcome === 'incomplete') check.coverage = { examined: [], notExamined };
    });
    expect(formatCheckedFile(one, output)).toContain(
      '  Incomplete: Photosensitivity. Not examined: frames that cannot be decoded, 37.0 %: damaged or incomplete.\n',
    );
  });

  test('to which the profile gives nothing to check are not among those that ran', () => {
    const text = formatCheckedFile(fileWith(), output);
    expect(text).toContain('Delivery specification: nothing to check: the profile sets no expectations.');
    expect(text).toMatch(/Checks run: (?!.*Delivery specification)/);
    expect(text).not.toContain('Not applicable');
  });

  test('of a service that gives no reason are not applicable, as before', () => {
    const one = changed(fileWith(), ({ checks }) => {
      for (const check of checks) Object.assign(check, { reason: undefined, coverage: undefined });
    });
    expect(formatCheckedFile(one, output)).toContain('Not applicable: Delivery specification.');
  });
});
