import type { Issue, Submission } from '@assay/sdk';
import { describe, expect, test } from 'vitest';
import { renderReport } from '../render-report.ts';
import type { Report, ReportAsset } from '../report.ts';
import { createSampleReport, failSample, judgeSamples } from '../samples/sample-report.ts';
import { assetWith, reportOf, textOf } from '../samples/small-report.ts';

const decided = { statusChangedAt: '2026-11-12T10:05:00.000Z' };
const notVerified = { ruleCode: 'QC-NOT-VERIFIED', status: 'AWAITING_HUMAN_INPUT' as const, summary: 'Not all read.' };

const headlineOf = (page: string) => /<h1>(.*?)<\/h1>/.exec(page)?.[1];
const failed = () => {
  const asset = assetWith();
  failSample(asset);
  return asset;
};
const unchecked = () => {
  const asset = assetWith();
  asset.result.checks = asset.result.checks.map((check) => ({ ...check, outcome: 'not_applicable' }));
  return asset;
};
const allowing = (allowIncomplete: string[]) => {
  const profile = createSampleReport().submission?.profile as Submission['profile'];
  return { profile: { ...profile, allowIncomplete } };
};

describe('the verdict on the cover of a report', () => {
  test.each<[string, string, string, Report]>([
    [
      'two critical issues and a major one',
      'Failed',
      '3 issues at MAJOR or above, the gate of ebu-r128. 2 critical and 1 major issues in this file.',
      reportOf([assetWith({ severity: 'CRITICAL' }, { severity: 'CRITICAL' }, {})]),
    ],
    ['an acknowledged major issue', 'Failed', '1 issue at MAJOR', reportOf([assetWith({ status: 'ACKNOWLEDGED' })])],
    ['a major issue and a failed file', 'Failed', '2 files: 1 checked, 1 failed.', reportOf([assetWith({}), failed()])],
    [
      'a clean file and a failed one',
      'Not checked',
      '2 files: 1 checked, 1 failed.',
      reportOf([assetWith(), failed()]),
    ],
    ['a failed file only', 'Not checked', 'The file is damaged', reportOf([failed()], { status: 'failed' })],
    ['a file to which no check applies', 'Not checked', 'No check was run on this file.', reportOf([unchecked()])],
    [
      'an issue that awaits review',
      'Needs review',
      '1 issue needs review. 1 major issue in this file.',
      reportOf([assetWith({ status: 'AWAITING_HUMAN_INPUT' })]),
    ],
    [
      'a check that did not examine everything',
      'Needs review',
      'Not everything was examined: Video and audio quality.',
      reportOf([assetWith({ ...notVerified, severity: 'INFO' })]),
    ],
    [
      'an incomplete check that the profile allows',
      'Passed',
      'Not everything was examined: Video and audio quality.',
      reportOf([assetWith({ ...notVerified })], allowing(['qc-picture-sound'])),
    ],
    [
      'issues at the gate that were dismissed',
      'Passed with 2 waivers',
      'No other issues at MAJOR or above, the gate of ebu-r128.',
      reportOf([assetWith({ status: 'DISMISSED', ...decided }), assetWith({ status: 'RESOLVED', ...decided })]),
    ],
    [
      'an issue below the gate',
      'Passed',
      'No issues at MAJOR or above, the gate of ebu-r128. 1 minor issue in this file.',
      reportOf([assetWith({ severity: 'MINOR' })]),
    ],
    ['a file without issues', 'Passed', 'No issues at MAJOR or above', reportOf([assetWith()])],
    ['a simulated run', 'Simulated run, not analysed', 'not analysed', reportOf([assetWith()], { mode: 'sandbox' })],
    [
      'a running submission',
      'Not finished',
      'The analysis is 40 % complete.',
      reportOf([assetWith()], { status: 'processing', progressPercent: 40 }),
    ],
  ])('with %s is “%s”', (_, headline, words, report) => {
    const page = renderReport(report);
    expect(headlineOf(page)).toBe(headline);
    expect(textOf(page)).toContain(words);
  });

  test('is that of the service, which may know more than this version', () => {
    const report = reportOf([assetWith()]);
    for (const { result } of report.assets) Object.assign(result, { verdict: 'needs_review', reviewCount: 1 });
    expect(headlineOf(renderReport(report))).toBe('Needs review');
  });

  test('is that of another gate if one was given, and the report says which', () => {
    const report = { ...reportOf([assetWith({ severity: 'MINOR' })]), failOn: 'MINOR' as const };
    const page = renderReport(report);
    expect(headlineOf(page)).toBe('Failed');
    expect(textOf(page)).toContain('1 issue at MINOR or above.');
    expect(textOf(page)).toContain('Gate MINOR or above, instead of MAJOR');
  });

  test('of each file is shown in the list of files and above its checks', () => {
    const report = reportOf([assetWith({}), assetWith({ status: 'DISMISSED', ...decided }), failed()]);
    const text = textOf(renderReport(report));
    expect(text).toContain('a.mp4 Failed 1 issue Critical 0 Major 1 Minor 0 Info 0 #1 Major QC-BLACK Black.');
    expect(text).toContain('a.mp4 Passed with 1 waiver No open issues Critical 0');
    expect(text).toContain(
      'a.mp4 Not checked The file is damaged and cannot be read to its end. Export it again. Critical –',
    );
    expect(text).toContain('a.mp4 Passed with 1 waiver Format MP4, video/mp4, 1 kB');
  });
});

describe('the waivers of a report', () => {
  test('say what was waived, by whom, when, why and in which version', () => {
    const report = createSampleReport();
    const [video] = report.assets;
    const waived = video?.issues.find(({ ruleCode }) => ruleCode === 'QC-SILENCE') as Issue;
    waived.severity = 'MAJOR';
    const text = textOf(renderReport(judgeSamples(report)));
    const { decisions } = video as ReportAsset;
    expect(text).toContain(
      `#8 Major QC-SILENCE in Aurora_TVC_90s_EN_v3.mp4 ${waived.summary} Dismissed: Creative intent 12 Nov 2026, 10:05 UTC, by API key ${decisions[waived.id]?.[0]?.actor.id}, carried over from version 2 ${waived.statusNote}`,
    );
  });

  test('are listed without the actor if the decisions could not be read', () => {
    const asset = assetWith({ status: 'DISMISSED', statusNote: 'Web only.', ...decided });
    asset.decisions = {};
    const text = textOf(renderReport(reportOf([asset])));
    expect(text).toContain('Waivers 1 #1 Major QC-BLACK Black. Dismissed 12 Nov 2026, 10:05 UTC Web only.');
  });

  test('do not include issues that would not stop a pass', () => {
    const page = renderReport(reportOf([assetWith({ severity: 'MINOR', status: 'DISMISSED', ...decided })]));
    expect(page).not.toContain('id="waivers"');
  });
});
