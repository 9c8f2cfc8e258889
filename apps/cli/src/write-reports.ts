import { access, constants, stat, writeFile } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import type { Submission } from '@assay/sdk';
import { Failure } from './failure.ts';
import { gatherReport } from './gather-report.ts';
import type { Checked } from './output/checked.ts';
import { renderJunit } from './output/junit.ts';
import { renderReport } from './report/render-report.ts';
import type { Severity } from './report/severity.ts';
import type { Session } from './session.ts';

type Targets = { html?: string | undefined; junit?: string | undefined };
type Results = {
  checked: Checked[];
  submissions: Submission[];
  failOn?: Severity | undefined;
};

/** Writes the requested reports and returns their paths. */
export async function writeReports(session: Session, targets: Targets, results: Results): Promise<string[]> {
  const written: string[] = [];
  const write = async (file: string, text: string) => {
    await writeFile(file, text);
    written.push(file);
  };
  const { checked, submissions, failOn } = results;
  if (targets.junit) await write(targets.junit, renderJunit(checked, failOn));
  for (const [n, submission] of submissions.entries()) {
    if (!targets.html) break;
    const read = checked.flatMap(({ result, issues }) =>
      result?.submissionId === submission.submissionId ? [{ result, issues }] : [],
    );
    const report = await gatherReport(session, submission, read);
    await write(numbered(targets.html, n), renderReport(report));
  }
  return written;
}

/** Called before anything is sent, so that a wrong path does not cost an analysis. */
export async function requireFolders(targets: Targets): Promise<void> {
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
function numbered(file: string, n: number): string {
  const extension = extname(file);
  return n === 0 ? file : `${file.slice(0, file.length - extension.length)}-${n + 1}${extension}`;
}
