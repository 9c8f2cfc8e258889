import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { severities } from '@assay/contract/schemas/severity.ts';
import { runSidekicks } from '@assay/sidekicks/run/run.ts';
import { chooseSidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { declarationFor } from '@assay/testing/media/declared-as.ts';
import type { ReportedIssue } from './judge.ts';

/** Several times what the longest of these files takes on a busy host. */
const secondsMax = 180;

/** Runs the default sidekicks on a file with the profile `general`, as a worker does. */
export async function examine(path: string, stop: AbortSignal): Promise<ReportedIssue[]> {
  const file = await open(path);
  try {
    const { size: sizeBytes } = await file.stat();
    const read = async (target: Uint8Array, offset: number) =>
      (await file.read(target, 0, target.length, offset)).bytesRead;
    const signal = AbortSignal.any([stop, AbortSignal.timeout(secondsMax * 1000)]);
    const source = { bytes: { sizeBytes, read }, fd: file.fd, signal, jail: 'bubblewrap' as const };
    const { findings } = await runSidekicks(chooseSidekicks(null), source, declarationFor(basename(path), 'general'));
    const worstFirst = findings.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
    return worstFirst
      .filter(({ ruleCode }, i) => worstFirst.findIndex((one) => one.ruleCode === ruleCode) === i)
      .map(({ ruleCode, severity, summary }) => ({ ruleCode, severity, summary }));
  } finally {
    await file.close();
  }
}
