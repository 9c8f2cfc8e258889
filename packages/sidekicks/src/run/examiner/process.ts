import { writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { inspect } from 'node:util';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { mediaTypeOfFilename } from '@assay/contract/media-types.ts';
import { asMachineFailure } from '@assay/jail/machine-failure.ts';
import type { MemoryNeed } from '@assay/jail/source/memory.ts';
import { chooseSidekicks } from '#sidekick/catalogue.ts';
import { type Examination, runSidekicks } from '../run.ts';
import type { ExaminationRequest, FromExaminer, ToExaminer } from './messages.ts';

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

async function answerRequest(request: ExaminationRequest): Promise<void> {
  isBusy = true;
  const message = await examine(request).then(
    (examination): FromExaminer => ({ kind: 'examined', examination }),
    describeFailure,
  );
  isBusy = false;
  sendMessage(message, message.kind === 'examined' ? undefined : () => process.exit(0));
}

async function examine({ path, sizeBytes, ...request }: ExaminationRequest): Promise<Examination> {
  const media = mediaTypeOfFilename(request.filename);
  if (!media) throw new AssetFailure('analysis_rejected', 'the extension of the file is not that of an accepted type');
  await using file = await open(path, 'r');
  const source = {
    bytes: {
      sizeBytes,
      read: async (target: Uint8Array, offset: number) => (await file.read(target, 0, target.length, offset)).bytesRead,
    },
    fd: file.fd,
    signal: stopController.signal,
    jail: request.jail,
    reserveMemory,
    report: (share: number, isMeasured = false) => sendMessage({ kind: 'share', share, isMeasured }),
    onDuration: (seconds: number) => sendMessage({ kind: 'duration', seconds }),
  };
  const declared = { media, filename: request.filename, profile: request.profile };
  return await runSidekicks(chooseSidekicks(request.sidekickIds), source, declared); // await before the file is closed
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
