import { execFile } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Failure } from './failure.ts';
import type { Environment } from './settings.ts';

const names = [
  ...['chromium', 'chromium-browser', 'chromium-headless-shell', 'google-chrome', 'google-chrome-stable'],
  ...['chrome', 'chrome.exe', 'microsoft-edge', 'msedge.exe'],
];
/** Where the installers of macOS and Windows put browsers, which are not on the path there. */
const installed = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];
const printMillisMax = 120_000;

/** The Chromium that prints PDFs: `CHROME_PATH`, or one that is installed. Fails with what to do if there is none. */
export function requireBrowser({ CHROME_PATH: chosen, PATH: path = '' }: Environment): string {
  if (chosen) {
    if (isExecutable(chosen)) return chosen;
    throw new Failure('usage', `CHROME_PATH is ${chosen}, which cannot be run.`, {
      next: 'Set it to the program of an installed Chromium or Chrome.',
    });
  }
  const onPath = path.split(delimiter).filter(Boolean);
  const candidates = [...names.flatMap((name) => onPath.map((folder) => join(folder, name))), ...installed];
  const found = candidates.find(isExecutable);
  if (found) return found;
  throw new Failure('usage', '--pdf needs Chromium or Chrome, and none was found.', {
    next: 'Install one, or set CHROME_PATH to its program. Or write --html, open it in any browser, and print it to PDF.',
  });
}

/** Prints the page to this file. */
export async function printPdf(browser: string, page: string, file: string, signal: AbortSignal): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-pdf-'));
  try {
    const html = join(folder, 'report.html');
    writeFileSync(html, page);
    const args = [
      ...['--headless', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
      `--user-data-dir=${join(folder, 'profile')}`,
      // Chromium cannot start its own sandbox as root, as in most containers. The page makes no requests.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...['--no-pdf-header-footer', `--print-to-pdf=${resolve(file)}`, pathToFileURL(html).href],
    ];
    const startedAt = Date.now();
    await promisify(execFile)(browser, args, { timeout: printMillisMax, signal }).catch((cause: unknown) => {
      throw new Failure('usage', `${browser} could not print ${file}.`, { next: describe(cause), cause });
    });
    // It may exit with 0 although it could not write the file. File systems round times.
    const written = await stat(file).catch(() => null);
    if (!written?.size || written.mtimeMs < startedAt - 2000)
      throw new Failure('usage', `${browser} wrote no ${file}.`, { next: 'Check that the folder is writable for it.' });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function describe(cause: unknown): string {
  return (
    String((cause as { stderr?: string }).stderr || cause)
      .trim()
      .split('\n')
      .at(-1) ?? ''
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // the next candidate may exist
  }
}
