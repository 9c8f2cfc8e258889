import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSampleAsset, createSampleReport } from '@assay/report/samples/sample-report.ts';
import { fc } from '@assay/testing/run/fast-check.ts';
import { describe, expect, test } from 'vitest';
import type { CheckedFile, RunGate } from '../output/checked.ts';
import { csvColumns, renderCsv } from './csv.ts';

const gate: RunGate = { failOn: 'MAJOR', allowIncomplete: [], profile: 'ebu-r128', isEnforced: true };
const checked: CheckedFile[] = createSampleReport().assets.map(({ result, issues }) => ({
  file: `media/${result.filename}`,
  result,
  issues,
  refusal: null,
}));
const refusal = { exitCode: 5, message: '.md files are not supported.', next: undefined };
const named = { filename: 'a.mp4', mimeType: 'video/mp4', sizeBytes: 1 };

function fileWith(summary: string, file = 'a.mp4'): CheckedFile {
  const sample = { sidekick: 'flashes', ruleCode: 'PSE-LUMINANCE', severity: 'MAJOR', severityReasoning: '' } as const;
  const { result, issues } = createSampleAsset(1, named, [{ ...sample, summary, severityReasoningHeadline: '' }]);
  return { file, result, issues, refusal: null };
}

/** Reads RFC 4180 as its grammar says: CRLF ends a record, a quoted field may contain anything, "" is a quote. */
function readCsv(text: string): Record<string, string>[] {
  expect(text.startsWith('\ufeff')).toBe(true);
  const records: string[][] = [];
  let record: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  for (field.lastIndex = 1; field.lastIndex < text.length; ) {
    const match = field.exec(text);
    if (!match) throw new Error('not RFC 4180');
    record.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === ',') continue;
    records.push(record);
    record = [];
  }
  const [header = [], ...rows] = records;
  return rows.map((row) => {
    expect(row).toHaveLength(header.length);
    return Object.fromEntries(header.map((name, i) => [name, row[i] ?? '']));
  });
}

describe('the CSV table', () => {
  test('has a row for each issue, and one for a file without issues', () => {
    const rows = readCsv(renderCsv(checked, gate));
    const expected = checked.flatMap(({ file, issues }) => Array(Math.max(1, issues.length)).fill(file));
    expect(rows.map(({ file }) => file)).toEqual(expected);
    const [first] = checked;
    const [issue] = first?.issues ?? [];
    expect(rows[0]).toMatchObject({
      verdict: 'failed',
      status: 'complete',
      severity: issue?.severity,
      ruleCode: issue?.ruleCode,
      summary: issue?.summary,
      submissionId: first?.result?.submissionId,
      startMs: String(issue?.locations[0]?.startMs ?? ''),
      issueId: issue?.id,
    });
    expect(rows.find(({ file }) => file?.endsWith('.wav'))).toMatchObject({ status: 'complete', ruleCode: '' });
  });

  test('has a row for a rejected file, for one that failed and for one without a result, with the reason', () => {
    const rows = readCsv(
      renderCsv(
        [
          { file: 'README.md', result: null, issues: [], refusal },
          ...checked.filter(({ result }) => result?.status === 'failed'),
          { file: 'b.mp4', result: null, issues: [], refusal: null, failure: { ...refusal, message: 'No way.' } },
        ],
        gate,
      ),
    );
    expect(rows.map(({ status, verdict, error }) => [status, verdict, error])).toEqual([
      ['rejected', '', '.md files are not supported.'],
      ['failed', 'not_checked', expect.stringMatching(/\w+/)],
      ['no_result', '', 'No way.'],
    ]);
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '  =1', '＝1', 'a;=1', 'a; -1', '=HYPERLINK("http://a","b")'])(
    'gives a spreadsheet no formula to run for the text %j',
    (text) => {
      const [row] = readCsv(renderCsv([fileWith(text, text)], gate));
      // Where the list separator is a semicolon, the cells are what is between semicolons.
      const cells = [row?.file, row?.summary].flatMap((cell) => cell?.split(';') ?? []);
      for (const cell of cells) expect(cell).not.toMatch(/^\s*[=+\-@＝＋－＠]/);
    },
  );

  test('keeps measured values as numbers, also negative ones', () => {
    const one = fileWith('Too quiet.');
    Object.assign(one.issues[0] as object, { measured: -33.97, limit: -24, unit: 'LUFS' });
    expect(readCsv(renderCsv([one], gate))[0]).toMatchObject({ measured: '-33.97', limit: '-24', unit: 'LUFS' });
  });

  test('is RFC 4180 whatever a file name or a summary contains', () => {
    const anyText = fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', ';', '=', 'a', 'é', "'", ' ') });
    fc.assert(
      fc.property(anyText, anyText, (file, summary) => {
        const [row, ...others] = readCsv(renderCsv([fileWith(summary, file)], gate));
        expect(others).toEqual([]);
        expect(row?.ruleCode).toBe('PSE-LUMINANCE');
      }),
      { numRuns: 200 },
    );
  });

  test('has the columns that the guide lists, in this order', () => {
    const guide = readFileSync(join(import.meta.dirname, '../../../../docs/guides/cli.md'), 'utf8');
    const section = /^## A table for a spreadsheet\n([\s\S]*?)\n## /m.exec(guide)?.[1] ?? '';
    const listed = [...section.matchAll(/^\| (`.*?) +\|/gm)].flatMap(([, cell]) => cell?.match(/\w+/g) ?? []);
    expect(listed).toEqual(csvColumns);
  });
});
