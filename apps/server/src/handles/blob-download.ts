import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BlobClient, RestError } from '@azure/storage-blob';
import { isContainerGone, refuseOutage } from './blob-failures.ts';

/**
 * So much per request. Storage ends a request that lasts longer than its time limit, which the client sends along
 * (30 s): a large file in one request would never arrive over a slow line.
 */
const blockBytes = 16 * 1024 * 1024;
const stallMillisMax = 20_000;
/** Without a single new byte in between. */
const failuresInRowMax = 5;
const waitMillis = (failures: number) => Math.min(3000, 100 * 2 ** failures);

/**
 * All of a blob as it was under this tag, block by block; a connection that breaks is taken up again at the next byte.
 * Undefined when the blob is gone.
 */
export async function downloadBlob(
  blob: BlobClient,
  etag: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Buffer> | undefined> {
  const open = (offset: number) => openBlock(blob, etag, offset, signal);
  try {
    return bytesFrom(await open(0), open, signal);
  } catch (error) {
    const { statusCode = 0 } = error as RestError;
    if (statusCode === 416) return toIterable([]); // no range of an empty blob can be read
    // Some servers say of a blob that is gone that the condition does not hold.
    const mayBeGone = [404, 412].includes(statusCode) && !isContainerGone(error as RestError);
    const isGone = mayBeGone && !(await blob.exists({ abortSignal: signal }));
    return isGone ? undefined : refuseOutage(error as RestError);
  }
}

type Block = { sizeBytes: number; body: Readable; watch: Watch };

async function openBlock(blob: BlobClient, etag: string, offset: number, signal: AbortSignal): Promise<Block> {
  const watch = watchForStall(signal);
  try {
    const answer = await blob.download(offset, blockBytes, {
      conditions: { ifMatch: etag },
      abortSignal: watch.signal,
      maxRetryRequests: 0, // its own way to go on gives up with the connection
    });
    const body = answer.readableStreamBody as Readable;
    // Given up before anyone reads, it says so to nobody, and that would end the process. A reader hears it later.
    body.on('error', () => {});
    const sizeBytes = Number(answer.contentRange?.split('/')[1]);
    if (!Number.isSafeInteger(sizeBytes)) throw new Error('storage did not answer with a range');
    return { sizeBytes, body, watch };
  } catch (error) {
    watch.end();
    throw error;
  }
}

async function* bytesFrom(
  first: Block,
  open: (offset: number) => Promise<Block>,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const { sizeBytes } = first;
  let block: Block | undefined = first;
  let offset = 0;
  let failuresInRow = 0;
  while (offset < sizeBytes) {
    try {
      block ??= await open(offset);
      for await (const chunk of block.body as AsyncIterable<Buffer>) {
        block.watch.moved();
        offset += chunk.length;
        failuresInRow = 0;
        yield chunk;
      }
    } catch (error) {
      const { statusCode } = error as RestError;
      const mayPass = !signal.aborted && (statusCode === undefined || statusCode >= 500);
      if (!mayPass || ++failuresInRow === failuresInRowMax) refuseOutage(error as RestError);
      await sleep(waitMillis(failuresInRow), undefined, { signal }).catch(() => {}); // the next request says it
    } finally {
      block?.watch.end();
      block = undefined;
    }
  }
}

type Watch = ReturnType<typeof watchForStall>;

/** A large blob may take its time, but not stand still. */
function watchForStall(signal: AbortSignal) {
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(new Error('storage sent nothing for too long')), stallMillisMax);
  return {
    signal: AbortSignal.any([signal, stalled.signal]),
    moved: () => void timer.refresh(),
    end: () => clearTimeout(timer),
  };
}

async function* toIterable(chunks: Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}
