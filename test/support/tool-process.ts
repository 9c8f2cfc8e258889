import { getEventListeners } from 'node:events';
import { readdirSync } from 'node:fs';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { openNamelessFile } from '@assay/sidekicks/evidence/nameless-file.ts';
import { type Cage, runTool, type Tool, type ToolEnd } from '@assay/sidekicks/evidence/run-tool.ts';

/** What a test has run by this process, which does it as whichever user it is started as. */
export type Trial = { tool: Tool; content: Uint8Array; cage: Cage; abortAfterMillis: number | null };

export type Outcome = {
  end: ToolEnd | null;
  failure: { message: string; errorType: string | null; cause: string } | null;
  /** What the file holds afterwards. */
  content: Buffer;
  seconds: number;
  listenersLeft: number;
};

export type ToToolProcess = { id: number; trial: Trial } | { id: number; question: 'descriptors' };
export type FromToolProcess = { id: number; outcome: Outcome } | { id: number; descriptors: number };

process.on('message', async (message: ToToolProcess) => {
  const answer: FromToolProcess =
    'trial' in message
      ? { id: message.id, outcome: await run(message.trial) }
      : { id: message.id, descriptors: readdirSync('/proc/self/fd').length };
  process.send?.(answer);
});

async function run({ tool, content, cage, abortAfterMillis }: Trial): Promise<Outcome> {
  const { file, reading } = await openNamelessFile();
  await file.write(content);

  const stopping = new AbortController();
  const timer =
    abortAfterMillis === null ? null : setTimeout(() => stopping.abort(new Error('told to stop')), abortAfterMillis);
  const beganAt = performance.now();
  let end: ToolEnd | null = null;
  let failure: Outcome['failure'] = null;
  try {
    end = await runTool(tool, { fd: reading.fd, signal: stopping.signal, cage });
  } catch (error) {
    const { message, cause } = error as Error;
    const errorType = error instanceof AssetFailure ? error.errorType : null;
    failure = { message, errorType, cause: cause instanceof Error ? cause.message : '' };
  }
  const seconds = (performance.now() - beganAt) / 1000;
  clearTimeout(timer ?? undefined);
  const after = Buffer.alloc(content.length + 1);
  const { bytesRead } = await file.read(after, 0, after.length, 0);
  await Promise.all([file.close(), reading.close()]);
  const listenersLeft = getEventListeners(stopping.signal, 'abort').length;
  return { end, failure, content: after.subarray(0, bytesRead), seconds, listenersLeft };
}
