import {
  createSampleAsset,
  createSampleReport,
  failSample,
  judgeSamples,
} from '@assay/report/samples/sample-report.ts';
import { gateOf } from '@assay/report/verdict/judgement.ts';
import type { Changes, CompactIssue, Issue, Submission, Topics } from '@assay/sdk';
import { describe, expect, test } from 'vitest';
import { formatChanges } from './changes-table.ts';
import type { CheckedFile, RunGate } from './checked.ts';
import { formatFailingFiles } from './failing-files.ts';
import { formatChecksOfFiles } from './issue-table.ts';
import { createOutput } from './output.ts';
import { formatTopics } from './topics-table.ts';

const output = createOutput({ isTTY: false } as NodeJS.WriteStream, {});
const gate: RunGate = { ...gateOf(createSampleReport().submission as Submission), isEnforced: true };
const issue = {
  sidekick: 'loudness' as const,
  ruleCode: 'LOUD-INTEGRATED-HIGH',
  severity: 'MAJOR' as const,
  summary: 'Too loud.',
  severityReasoning: 'Measured.',
  severityReasoningHeadline: 'It matters.',
};

function fileWith(file: string, ...samples: Partial<Issue>[]): CheckedFile {
  const media = { filename: file, mimeType: 'video/mp4', sizeBytes: 1 };
  const asset = createSampleAsset(
    1,
    media,
    samples.map((one) => ({ ...issue, ...one })),
  );
  judgeSamples({ ...createSampleReport(), assets: [asset] });
  return { file, result: asset.result, issues: asset.issues, refusal: null };
}

function failedFile(file: string): CheckedFile {
  const asset = createSampleAsset(1, { filename: file, mimeType: 'video/mp4', sizeBytes: 1 }, []);
  failSample(asset);
  judgeSamples({ ...createSampleReport(), assets: [asset] });
  return { file, result: asset.result, issues: [], refusal: null };
}

describe('the last lines of a check', () => {
  test('name the files that did not pass, those that failed first', () => {
    const files = [fileWith('good.mp4'), failedFile('broken.mp4'), fileWith('loud.mp4', {}, { severity: 'CRITICAL' })];
    expect(formatFailingFiles(files, gate, output)).toBe(
      '  ✗ loud.mp4  Failed: 1 CRITICAL, 1 MAJOR\n  ✗ broken.mp4  Not checked (corrupt_media)',
    );
  });

  test('name at most ten files and count the rest', () => {
    const files = Array.from({ length: 13 }, (_, i) => fileWith(`${i}.mp4`, {}));
    const lines = formatFailingFiles(files, gate, output).split('\n');
    expect([lines.length, lines.at(-1)]).toEqual([11, '  and 3 more']);
  });

  test('name nothing if all files passed', () => {
    expect(formatFailingFiles([fileWith('a.mp4'), fileWith('b.mp4')], gate, output)).toBe('');
  });
});

test('the checks of 35 files that had the same ones are listed once', () => {
  const files = Array.from({ length: 35 }, (_, i) => fileWith(`${i}.mp4`));
  const text = formatChecksOfFiles(files, output);
  expect(text.match(/Checks run:/g)).toHaveLength(1);
  expect(text).toContain('35 files:');
});

const compact = (referenceNumber: number, more: Partial<CompactIssue> = {}): CompactIssue => ({
  ...{ id: `${referenceNumber}`, referenceNumber, ruleCode: 'LOUD-INTEGRATED-HIGH', summary: 'Too loud.' },
  ...{ severity: 'MAJOR', status: 'OPEN', ...more },
});

describe('the changes of an asset', () => {
  const changes = { versionNumber: 2, previous: { versionNumber: 1 }, newIssues: [], goneIssues: [] };
  const loud = (measured: number) => fileWith('a.mp4', { measured, limit: -23, unit: 'LUFS' }).issues;

  test.each([
    ['a value further from the limit as worse', -21.8, -18.8, 'worse: −21.8 LUFS → −18.8 LUFS'],
    ['a value closer to the limit as better', -18.8, -21.8, 'better: −18.8 LUFS → −21.8 LUFS'],
  ])('list a kept issue with its number and its status, and %s', (_, before, now, words) => {
    const kept = { ...changes, keptIssues: [compact(1, { status: 'DISMISSED' })] } as unknown as Changes;
    const text = formatChanges(kept, { before: loud(before), now: loud(now) }, output);
    expect(text).toContain('Version 2, compared with version 1:\n\nKept\n');
    expect(text.replaceAll(/\s+/g, ' ')).toContain(`#1 MAJOR LOUD-INTEGRATED-HIGH Too loud. (dismissed, ${words})`);
  });

  test('say nothing of a value that looks the same in both versions', () => {
    const kept = { ...changes, keptIssues: [compact(1)] } as unknown as Changes;
    expect(formatChanges(kept, { before: loud(-18.81), now: loud(-18.82) }, output)).not.toContain('→');
  });
});

test('topics and other issues are listed together, the most severe first', () => {
  const topics = {
    topics: [
      { title: 'A topic', summary: 'Of two.', severity: 'MAJOR', issueCount: 2, issues: [compact(1), compact(2)] },
    ],
    orphanIssues: [compact(3, { severity: 'CRITICAL' }), compact(4, { severity: 'INFO' })],
    metadata: { totalIssueCount: 4 },
  } as unknown as Topics;
  const text = formatTopics(topics, output);
  const places = ['#3', 'A topic', '#1', '#4'].map((word) => text.indexOf(word));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(text.match(/Other issues/g)).toHaveLength(2);
});
