import { getEventListeners } from 'node:events';
import { readdirSync } from 'node:fs';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { openAnonymousFile } from '@assay/jail/anonymous-file.ts';
import { runTool, type Tool, type ToolEnd } from '@assay/jail/run-tool.ts';
import type { Jail } from '@assay/jail/source/source.ts';

/** A tool to run in this process, as the user that started the process. */
export type ToolRun = { tool: Tool; content: Uint8Array; jail: Jail; abortAfterMillis: number | null };

export type ToolOutcome = {
  end: ToolEnd | null;
  failure: { message: string; errorType: string | null; cause: string } | null;
  /** The content of the file after the tool has run. */
  content: Buffer;
  seconds: number;
  listenersLeft: number;
};

export type ToToolProcess = { id: number; trial: ToolRun } | { id: number; question: 'descriptors' };
export type FromToolProcess = { id: number; outcome: ToolOutcome } | { id: number; descriptors: number };

process.on('message', async (message: ToToolProcess) => {
  const answer: FromToolProcess =
    'trial' in message
      ? { id: message.id, outcome: await run(message.trial) }
      : { id: message.id, descriptors: readdirSync('/proc/self/fd').length };
  if (process.connected) process.send?.(answer); // not connected if the test has ended
});

async function run({ tool, content, jail, abortAfterMillis }: ToolRun): Promise<ToolOutcome> {
  const { file, reading } = await openAnonymousFile();
  await file.write(content);

  const stopping = new AbortController();
  const timer =
    abortAfterMillis === null
      ? null
      : setTimeout(() => stopping.abort(new Error('aborted by the test')), abortAfterMillis);
  const beganAt = performance.now();
  let end: ToolEnd | null = null;
  let failure: ToolOutcome['failure'] = null;
  try {
    end = await runTool(tool, { fd: reading.fd, signal: stopping.signal, jail });
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
