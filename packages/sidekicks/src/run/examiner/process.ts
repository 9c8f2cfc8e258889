import { closeSync, read as readCallback, writeFileSync } from 'node:fs';
import { inspect, promisify } from 'node:util';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { mediaTypeOfFilename } from '@assay/contract/media-types.ts';
import { asMachineFailure } from '@assay/jail/machine-failure.ts';
import { processModule } from '@assay/jail/process/process-module.ts';
import type { MemoryNeed } from '@assay/jail/source/memory.ts';
import { chooseSidekicks } from '#sidekick/catalogue.ts';
import { type Examination, runSidekicks } from '../run.ts';
import { type FromExaminer, fileSocket, type ToExaminer } from './messages.ts';

type Request = Extract<ToExaminer, { kind: 'examine' }>['request'];
const readAt = promisify(readCallback);

// Entry point of an examiner process. It examines one asset after another as requests arrive, and exits after the first
// failure.

const stopController = new AbortController();
let isBusy = false;
const memoryRequests = new Map<number, () => void>();
let lastMemoryRequest = 0;

process.on('message', (message: ToExaminer) => {
  if (message.kind === 'examine') return void answerRequest(message.request);
  if (message.kind === 'memoryReserved') return memoryRequests.get(message.id)?.();
  if (!isBusy) process.exit(0);
  stopController.abort(new Error('stopped'));
});
process.once('disconnect', () => process.exit(1)); // the worker is gone
raiseOomScore();
sendMessage({ kind: 'ready' });

async function answerRequest(request: Request): Promise<void> {
  isBusy = true;
  const message = await examine(request).then(
    (examination): FromExaminer => ({ kind: 'examined', examination }),
    describeFailure,
  );
  isBusy = false;
  sendMessage(message, message.kind === 'examined' ? undefined : () => process.exit(0));
}

async function examine(request: Request): Promise<Examination> {
  const fd = processModule().receiveDescriptor(fileSocket);
  try {
    return await examineFile(fd, request); // await before the file is closed
  } finally {
    closeSync(fd);
  }
}

async function examineFile(fd: number, { sizeBytes, jail, ...request }: Request): Promise<Examination> {
  const media = mediaTypeOfFilename(request.filename);
  if (!media) throw new AssetFailure('analysis_rejected', 'the extension of the file is not that of an accepted type');
  const read = async (target: Uint8Array, offset: number) =>
    (await readAt(fd, target, 0, target.length, offset)).bytesRead;
  const source = {
    bytes: { sizeBytes, read },
    fd,
    signal: stopController.signal,
    jail,
    reserveMemory,
    report: (share: number, isMeasured = false) => sendMessage({ kind: 'share', share, isMeasured }),
    onDuration: (seconds: number) => sendMessage({ kind: 'duration', seconds }),
  };
  const { filename, profile, origin } = request;
  const declared = { media, filename, profile, origin };
  return runSidekicks(chooseSidekicks(request.sidekickIds), source, declared);
}

/** Asks the worker, which knows what the tools of other examinations need. */
async function reserveMemory(need: MemoryNeed, signal: AbortSignal): Promise<() => void> {
  const id = ++lastMemoryRequest;
  const { promise: reserved, resolve, reject } = Promise.withResolvers<void>();
  const giveUp = () => reject(signal.reason);
  memoryRequests.set(id, resolve);
  signal.addEventListener('abort', giveUp, { once: true });
  const release = () => sendMessage({ kind: 'releaseMemory', id });
  try {
    sendMessage({ kind: 'reserveMemory', id, need });
    await reserved;
    return release;
  } catch (reason) {
    release();
    throw reason;
  } finally {
    memoryRequests.delete(id);
    signal.removeEventListener('abort', giveUp);
  }
}

/** When memory runs out, the kernel kills this process or its tools first, and the worker survives. */
function raiseOomScore(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '500');
  } catch {
    // Not permitted here: the kernel then chooses by size alone.
  }
}

function describeFailure(error: unknown): FromExaminer {
  const message = inspect(error);
  if (error instanceof AssetFailure) {
    const { errorType, reason, variable } = error;
    return { kind: 'assetFailed', errorType, reason, variable, message };
  }
  const machine = asMachineFailure(error);
  return machine ? { kind: 'machineFailed', failure: machine.kind, message } : { kind: 'failed', message };
}

function sendMessage(message: FromExaminer, onSent?: () => void): void {
  process.send?.(message, undefined, undefined, onSent);
}
