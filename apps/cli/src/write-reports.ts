import { access, constants, stat, writeFile } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { renderReport } from '@assay/report/render-report.ts';
import { gateOf } from '@assay/report/verdict/judgement.ts';
import type { Submission } from '@assay/sdk';
import { renderCsv } from './exports/csv.ts';
import { renderJunit } from './exports/junit.ts';
import { Failure } from './failure.ts';
import { gatherReport } from './gather-report.ts';
import type { CheckedFile, RunGate } from './output/checked.ts';
import { printPdf, requireBrowser } from './print-pdf.ts';
import { readAsset } from './read-asset.ts';
import { assetsMax } from './send-files.ts';
import { readServiceVersion } from './service-version.ts';
import type { Session } from './session.ts';
import type { Environment } from './settings.ts';

export type ReportTargets = {
  html?: string | undefined;
  pdf?: string | undefined;
  junit?: string | undefined;
  csv?: string | undefined;
};
type CheckResults = {
  checked: CheckedFile[];
  submissions: Submission[];
  /** That of the run; by default that of the delivery profile. */
  gate?: RunGate | null;
};

/** Writes the requested reports. One that cannot be written does not prevent the others. */
export async function writeReports(
  session: Session,
  targets: ReportTargets,
  results: CheckResults,
): Promise<{ written: string[]; failures: unknown[] }> {
  const written: string[] = [];
  const failures: unknown[] = [];
  const make = async (file: string | undefined, work: (file: string) => Promise<void>) => {
    if (!file) return;
    try {
      await work(file);
      written.push(file);
    } catch (error) {
      if (!failures.includes(error)) failures.push(error); // one page is written as HTML and printed
    }
  };
  const { checked, submissions, gate = null } = results;
  const { baseUrl } = session.settings;
  await make(targets.csv, (file) => writeFile(file, renderCsv(checked, gate)));
  const hasPage = targets.html !== undefined || targets.pdf !== undefined;
  const serviceVersion = hasPage || targets.junit ? await readServiceVersion(session) : null;
  await make(targets.junit, (file) => writeFile(file, renderJunit(checked, { gate, baseUrl, serviceVersion })));
  for (let n = 0; hasPage && n * assetsMax < checked.length; n++) {
    // Files are submitted in groups of this size. Rejected files are included in the report of their group.
    const group = checked.slice(n * assetsMax, (n + 1) * assetsMax);
    const ids = group.map(({ result }) => result?.submissionId);
    const submission = submissions.find(({ submissionId }) => ids.includes(submissionId)) ?? null;
    const applied = gate ?? (submission && gateOf(submission));
    const page = once(async () =>
      renderReport(await gatherReport(session, submission, group, serviceVersion, applied)),
    );
    await make(targets.html && numberedPath(targets.html, n), async (file) => writeFile(file, await page()));
    await make(targets.pdf && numberedPath(targets.pdf, n), async (file) =>
      printPdf(requireBrowser(session.environment), await page(), file, session.signal),
    );
  }
  return { written, failures };
}

/** Reads the results of a submission and writes its report. */
export async function writeSubmissionReport(
  session: Session,
  submission: Submission,
  targets: ReportTargets,
): Promise<string[]> {
  const checked = [];
  for (const { assetId, filename } of submission.assets) {
    checked.push({ file: filename, ...(await readAsset(session, submission.submissionId, assetId)), refusal: null });
  }
  const { written, failures } = await writeReports(session, targets, { checked, submissions: [submission] });
  if (failures.length > 0) throw failures[0];
  for (const file of written) session.err.line(`Wrote ${file}`);
  return written;
}

/** Fails if a report cannot be written, or printed. Called before anything is sent, so that no analysis is wasted. */
export async function requireWritableTargets(targets: ReportTargets, environment: Environment): Promise<void> {
  if (targets.pdf) requireBrowser(environment);
  for (const file of Object.values(targets)) {
    if (!file) continue;
    await access(dirname(file), constants.W_OK).catch((cause: unknown) => {
      throw new Failure(
        'usage',
        `Cannot write ${file}: the folder ${dirname(file)} does not exist or is not writable.`,
        {
          next: 'Create the folder, or check its permissions.',
          cause,
        },
      );
    });
    const isFolder = await stat(file).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    if (isFolder)
      throw new Failure('usage', `${file} is a folder.`, { next: `Pass a file, such as ${file}/report.html` });
  }
}

/** `report.html`, `report-2.html`, … */
function numberedPath(file: string, n: number): string {
  const extension = extname(file);
  return n === 0 ? file : `${file.slice(0, file.length - extension.length)}-${n + 1}${extension}`;
}

function once<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let started: Promise<Value> | undefined;
  return () => {
    started ??= work();
    return started;
  };
}
