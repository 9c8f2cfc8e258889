import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message, Stream } from '@assay/testing/service/client.ts';

/** Shorter than the 15 s after which a stream reloads by itself, so that a missing notification is detected. */
const messageMillisMax = 10_000;

/** The next message of the stream, or undefined if it has ended. */
export async function nextMessage({ messages }: Stream, label: string): Promise<Message | undefined> {
  const waiting = new AbortController();
  const late = sleep(messageMillisMax, 'late' as const, { signal: waiting.signal });
  late.catch(() => {});
  const next = await Promise.race([messages.next(), late]).finally(() => waiting.abort());
  assert.ok(next !== 'late', `the stream of ${label} sent nothing for ${messageMillisMax / 1000} s`);
  return next.value ?? undefined;
}
