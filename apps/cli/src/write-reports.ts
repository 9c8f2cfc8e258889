import { access, constants, stat, writeFile } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import type { Submission } from '@assay/sdk';
import { Failure } from './failure.ts';
import { gatherReport } from './gather-report.ts';
import { renderJunit } from './junit.ts';
import { renderReport } from './report/render-report.ts';
import type { Severity } from './report/severity.ts';
import type { Checked } from './results.ts';
import type { Session } from './session.ts';

type Targets = { html?: string | undefined; junit?: string | undefined };
type Material = {
  checked: Checked[];
  submissions: Submission[];
  failOn?: Severity | undefined;
};

/** Writes what was asked for, and says which files. */
export async function writeReports(session: Session, targets: Targets, material: Material): Promise<string[]> {
  const written: string[] = [];
  const write = async (file: string, text: string) => {
    await writeFile(file, text);
    written.push(file);
  };
  const { checked, submissions, failOn } = material;
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

/** Before anything is sent: it would be a pity to find out afterwards. */
export async function requireFolders(targets: Targets): Promise<void> {
  for (const file of Object.values(targets)) {
    if (!file) continue;
    await access(dirname(file), constants.W_OK).catch((cause: unknown) => {
      throw new Failure('usage', `There is no folder ${dirname(file)} to write ${file} into.`, {
        next: 'Make it first, or see to its rights.',
        cause,
      });
    });
    const isFolder = await stat(file).then(
      (there) => there.isDirectory(),
      () => false,
    );
    if (isFolder) throw new Failure('usage', `${file} is a folder.`, { next: `Name a file in it: ${file}/report` });
  }
}

/** `report.html`, `report-2.html`, … */
function numbered(file: string, n: number): string {
  const extension = extname(file);
  return n === 0 ? file : `${file.slice(0, file.length - extension.length)}-${n + 1}${extension}`;
}
