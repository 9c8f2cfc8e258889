import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message, Stream } from '../support/client.ts';

/** Sooner than a stream loads by itself, which it does every 15 s: so a change of which it is not notified is found. */
const messageMillisMax = 10_000;

/** Undefined when the stream has ended. */
export async function nextMessage({ messages }: Stream, label: string): Promise<Message | undefined> {
  const waiting = new AbortController();
  const late = sleep(messageMillisMax, 'late' as const, { signal: waiting.signal });
  late.catch(() => {});
  const next = await Promise.race([messages.next(), late]).finally(() => waiting.abort());
  assert.ok(next !== 'late', `the stream of ${label} shows nothing for ${messageMillisMax / 1000} s`);
  return next.value ?? undefined;
}
