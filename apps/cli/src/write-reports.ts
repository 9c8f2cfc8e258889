import { access, constants, stat, writeFile } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { renderReport } from '@assay/report/render-report.ts';
import { gateOf } from '@assay/report/verdict/judgement.ts';
import type { Submission } from '@assay/sdk';
import { Failure } from './failure.ts';
import { gatherReport } from './gather-report.ts';
import type { CheckedFile, RunGate } from './output/checked.ts';
import { renderCsv } from './output/csv.ts';
import { renderJunit } from './output/junit.ts';
import { assetsMax } from './send-files.ts';
import { readServiceVersion } from './service-version.ts';
import type { Session } from './session.ts';

export type ReportTargets = { html?: string | undefined; junit?: string | undefined; csv?: string | undefined };
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
  const write = async (file: string | undefined, render: () => string | Promise<string>) => {
    if (!file) return;
    try {
      await writeFile(file, await render());
      written.push(file);
    } catch (error) {
      failures.push(error);
    }
  };
  const { checked, submissions, gate = null } = results;
  const { baseUrl } = session.settings;
  await write(targets.csv, () => renderCsv(checked, gate));
  const serviceVersion = targets.html || targets.junit ? await readServiceVersion(session) : null;
  await write(targets.junit, () => renderJunit(checked, { gate, baseUrl, serviceVersion }));
  for (let n = 0; n * assetsMax < checked.length; n++) {
    // Files are submitted in groups of this size. Rejected files are included in the report of their group.
    const group = checked.slice(n * assetsMax, (n + 1) * assetsMax);
    const ids = group.map(({ result }) => result?.submissionId);
    const submission = submissions.find(({ submissionId }) => ids.includes(submissionId)) ?? null;
    const applied = gate ?? (submission && gateOf(submission));
    await write(targets.html && numberedPath(targets.html, n), async () =>
      renderReport(await gatherReport(session, submission, group, serviceVersion, applied)),
    );
  }
  return { written, failures };
}

/** Fails if a report cannot be written. Called before anything is sent, so that no analysis is wasted. */
export async function requireWritableTargets(targets: ReportTargets): Promise<void> {
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
