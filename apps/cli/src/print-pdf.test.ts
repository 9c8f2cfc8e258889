import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { printPdf, requireBrowser } from './print-pdf.ts';

const { signal } = new AbortController();

test('a page is printed to a PDF by the installed Chromium', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-print-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'report.pdf');
  await printPdf(requireBrowser({ PATH: '/usr/bin' }), '<h1>Passed</h1>', file, signal);
  expect(readFileSync(file).subarray(0, 5).toString()).toBe('%PDF-');
});

test('without Chromium, the message says how to get a PDF', () => {
  expect(() => requireBrowser({ PATH: '/nowhere' })).toThrow(
    expect.objectContaining({
      outcome: 'usage',
      next: expect.stringMatching(/Install one.*CHROME_PATH.*print it to PDF/),
    }),
  );
  expect(() => requireBrowser({ CHROME_PATH: '/nowhere/chrome' })).toThrow('/nowhere/chrome, which cannot be run');
});

test('a browser that cannot print is named', async () => {
  await expect(printPdf('/bin/false', '<p>', '/nowhere/a.pdf', signal)).rejects.toThrow('/bin/false could not print');
  await expect(printPdf('/bin/true', '<p>', '/nowhere/a.pdf', signal)).rejects.toThrow('/bin/true wrote no');
});
