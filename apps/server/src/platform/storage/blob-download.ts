import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredBlob } from './backend.ts';
import { failureKindOf, refuseOutage } from './blob-failures.ts';

/**
 * Bytes per request. Azure ends a request that exceeds its time limit (30 s, sent by the client), so a large file in
 * one request would never arrive over a slow connection.
 */
const blockBytes = 16 * 1024 * 1024;
const stallMillisMax = 20_000;
/** Consecutive failures without a new byte in between. */
const failuresInRowMax = 5;
const waitMillis = (failures: number) => Math.min(3000, 100 * 2 ** failures);

/**
 * The content of a blob with this ETag, block by block. After a broken connection it continues at the next byte.
 * Undefined when the blob no longer exists.
 */
export async function downloadBlob(
  blob: StoredBlob,
  etag: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Buffer> | undefined> {
  const open = (offset: number) => openBlock(blob, etag, offset, signal);
  try {
    return bytesFrom(await open(0), open, signal);
  } catch (error) {
    const kind = failureKindOf(error);
    if (kind === 'empty') return toIterable([]);
    // For a deleted blob some servers respond that it has changed.
    const mayBeGone = kind === 'missing' || kind === 'changed';
    const isGone = mayBeGone && (await blob.head(signal).catch(refuseOutage)) === undefined;
    return isGone ? undefined : refuseOutage(error);
  }
}

type Block = { sizeBytes: number; body: Readable; watch: StallWatch };

async function openBlock(blob: StoredBlob, etag: string, offset: number, signal: AbortSignal): Promise<Block> {
  const watch = watchForStall(signal);
  try {
    const range = { offset, length: blockBytes, ifMatch: etag };
    const { sizeBytes, body } = await blob.readRange(range, watch.signal);
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
      const isTransient = !signal.aborted && failureKindOf(error) === 'unavailable';
      if (!isTransient || ++failuresInRow === failuresInRowMax) refuseOutage(error);
      await sleep(waitMillis(failuresInRow), undefined, { signal }).catch(() => {}); // an abort fails the next request
    } finally {
      block?.watch.end();
      block = undefined;
    }
  }
}

type StallWatch = ReturnType<typeof watchForStall>;

/** A download of a large blob may take long, but must make progress. */
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
