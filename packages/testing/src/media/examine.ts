import { basename } from 'node:path';
import { withAnonymousFile } from '@assay/jail/anonymous-file.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { runSidekicks } from '@assay/sidekicks/run/run.ts';
import type { Declared, FindingWithRule, Sidekick } from '@assay/sidekicks/sidekick/sidekick.ts';
import { declarationFor } from './declared-as.ts';
import { withSource } from './video-source.ts';

/** Calls `work` with these bytes as a source for sidekicks. */
export function withBytes<T>(content: Uint8Array, work: (source: Source) => Promise<T>): Promise<T> {
  const bytes = Buffer.from(content);
  const read = async (target: Uint8Array, offset: number) => bytes.copy(target, 0, offset);
  const signal = new AbortController().signal;
  return withAnonymousFile(bytes, (fd) =>
    work({ bytes: { sizeBytes: bytes.length, read }, fd, signal, jail: 'bubblewrap' }),
  );
}

/** Examines a file on disk with one sidekick, and returns its findings. */
export async function examineFile(
  sidekick: Sidekick,
  path: string,
  declared: Declared = declarationFor(basename(path)),
): Promise<FindingWithRule[]> {
  return (await withSource(path, (source) => runSidekicks([sidekick], source, declared))).findings;
}
