import { setTimeout as sleep } from 'node:timers/promises';
import { realtimeMessages } from '@assay/contract/schemas/realtime.ts';
import { liftedLimits, openTestApi, openTestWorker, openWorkspace } from '@assay/testing/service/api.ts';
import { follow, type Message } from '@assay/testing/service/follow.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { assetPath, submit, submitAndCancel, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { fire } from '@assay/testing/service/webhooks.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { activeRequests } from '#http/metrics.ts';
import { rowRemovers } from '#start/row-removers.ts';
import { removeSubmission } from '../delete/delete-submission.ts';

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,sandbox,document' });
await openTestWorker(api.config);
const apiWithoutWorker = await openTestApi(liftedLimits); // without a worker: submissions stay queued
const { live, sandbox, ...workspace } = await openWorkspace(api);
const channelOf = ({ submissionId }: { submissionId: string }) => `submission.${submissionId}`;

async function readAllMessages(channel: string, lastEventId?: string, key = workspace.liveKey): Promise<Message[]> {
  return Array.fromAsync((await follow(api.url, key, channel, lastEventId)).messages);
}

describe('GET /realtime', () => {
  describe('200: the stream of a submission', () => {
    test('starts with a snapshot, sends each change, and ends with the submission (§6f)', async () => {
      const created = await submit(sandbox, [await uploadText(sandbox)], {}, '?simulationDelaySeconds=1');
      const messages = await readAllMessages(channelOf(created), undefined, workspace.sandboxKey);
      expect(messages[0]?.event).toBe('snapshot');
      expect(messages.at(-1)).toMatchObject({ event: 'submission.updated', data: { status: 'complete' } });
      const last = messages.findLast(({ event }) => event === 'asset.updated');
      expect(last?.data).toMatchObject({ assetId: created.assets[0]?.assetId, status: 'complete' });
      for (const { event, data } of messages) realtimeMessages[event as keyof typeof realtimeMessages].parse(data);
    });

    test('contains the same data as a GET of the submission', async () => {
      const created = await submit(live, [await uploadText(live), await uploadText(live)]);
      await untilFinished(live, created.submissionId);
      const { body } = await live.get(`/submissions/${created.submissionId}`);
      const [snapshot, ...rest] = await readAllMessages(channelOf(created));
      expect(snapshot).toMatchObject({ event: 'snapshot', data: body });
      expect(rest).toEqual([]);
    });

    test('a submission that has already finished is sent in its final state, and the stream closes', async () => {
      const created = await submit(sandbox, [await uploadText(sandbox)]);
      await untilFinished(sandbox, created.submissionId);
      expect(await readAllMessages(channelOf(created))).toMatchObject([
        { event: 'snapshot', data: { status: 'complete' } },
      ]);
    });

    test('Last-Event-ID resumes the stream without repeating or losing a message', async () => {
      const created = await submitAndCancel(live, 3);
      const [snapshot] = await readAllMessages(channelOf(created));
      await live.post(`${assetPath(created, 1)}/retry`);
      await untilFinished(live, created.submissionId);
      const rest = await readAllMessages(channelOf(created), snapshot?.id);
      expect(rest.map(({ event }) => event)).toEqual(['asset.updated', 'submission.updated']);
      expect(rest[0]?.data).toMatchObject({ assetId: created.assets[1]?.assetId, status: 'complete' });
      const afterAsset = await readAllMessages(channelOf(created), rest[0]?.id);
      expect(afterAsset).toEqual(rest.slice(1));
    });

    test.each(['nonsense', '99999.1', '-1.0', '1', ''])(
      'a client with the invalid Last-Event-ID %j gets a new snapshot',
      async (id) => {
        const created = await submitAndCancel(live);
        expect(await readAllMessages(channelOf(created), id)).toMatchObject([{ event: 'snapshot' }]);
      },
    );

    test('a change by another process is sent at once', async () => {
      const client = apiWithoutWorker.client(workspace.liveKey);
      const created = await submit(client, [await uploadText(client)]);
      const stream = await follow(apiWithoutWorker.url, workspace.liveKey, channelOf(created));
      const messages = stream.messages[Symbol.asyncIterator]();
      expect((await messages.next()).value).toMatchObject({ event: 'snapshot', data: { status: 'submitted' } });
      const begin = performance.now();
      await client.post(`/submissions/${created.submissionId}/cancel`);
      expect((await messages.next()).value).toMatchObject({ event: 'asset.updated', data: { errorType: 'cancelled' } });
      expect(performance.now() - begin).toBeLessThan(10_000); // at once, not with the next poll, which is every 15 s
    });

    test('is sent as text/event-stream, with headers that prevent caching and buffering', async () => {
      const client = apiWithoutWorker.client(workspace.liveKey);
      const created = await submit(client, [await uploadText(client)]);
      const stream = await follow(apiWithoutWorker.url, workspace.liveKey, channelOf(created));
      expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
      expect(stream.headers.get('cache-control')).toBe('no-store');
      expect(stream.headers.get('x-accel-buffering')).toBe('no');
      stream.leave();
    });

    test('deleting a submission ends its open stream, and later requests for the stream get 404', async () => {
      const client = apiWithoutWorker.client(workspace.liveKey);
      const created = await submit(client, [await uploadText(client)]);
      const { messages } = await follow(apiWithoutWorker.url, workspace.liveKey, channelOf(created));
      const stream = messages[Symbol.asyncIterator]();
      expect((await stream.next()).value).toMatchObject({ event: 'snapshot', data: { status: 'submitted' } });
      // Only finished submissions can be deleted. This one is deleted before the stream has seen its end.
      const { db, realtime } = apiWithoutWorker.handles;
      await db.transaction().execute(async (transaction) => {
        const { submissionId } = created;
        await removeSubmission(transaction, workspace.workspaceId as never, submissionId, new Date(), rowRemovers);
      });
      realtime.notify(channelOf(created));
      expect(await stream.next()).toEqual({ done: true, value: undefined });
      expect((await follow(apiWithoutWorker.url, workspace.liveKey, channelOf(created))).status).toBe(404);
    });

    test('the stream of a finished submission can be resumed after a retry, because there will be more changes', async () => {
      const created = await submitAndCancel(live);
      const [snapshot] = await readAllMessages(channelOf(created));
      await live.post(`${assetPath(created)}/retry`);
      expect((await follow(api.url, workspace.liveKey, channelOf(created), snapshot?.id)).status).toBe(200);
    });
  });

  describe('200: the events of a workspace, for a sandbox key', () => {
    const channel = `webhooks.${workspace.workspaceId}`;
    const firstOf = async (stream: AsyncIterable<Message>, count: number) => {
      const seen: Message[] = [];
      for await (const message of stream) if (seen.push(message) === count) break;
      return seen;
    };

    test('each new event is sent as it would be delivered, without any subscription', async () => {
      const { submissionId } = await submit(sandbox, [await uploadText(sandbox), await uploadText(sandbox)]);
      await untilFinished(sandbox, submissionId); // or the events of the simulation itself come first
      await fire(sandbox, submissionId);
      const stream = await follow(api.url, workspace.sandboxKey, channel);
      await fire(sandbox, submissionId, { eventType: 'asset.processing.failed' });
      const [one, other] = await firstOf(stream.messages, 2);
      expect(one).toMatchObject({
        event: 'asset.processing.failed',
        data: { livemode: false, data: { error_message: 'Sandbox simulated failure', submission_id: submissionId } },
      });
      expect(other?.data.id).not.toBe(one?.data.id);

      await fire(sandbox, submissionId);
      const resumed = await follow(api.url, workspace.sandboxKey, channel, one?.id);
      const [again, ...more] = await firstOf(resumed.messages, 3);
      expect(again).toEqual(other);
      expect(more.map(({ event }) => event)).toEqual(['asset.processing.completed', 'asset.processing.completed']);
    });

    test('earlier events are not sent, even if an older transaction is still in progress', async () => {
      const { submissionId } = await submit(sandbox, [await uploadText(sandbox)]);
      await untilFinished(sandbox, submissionId);
      const { promise: canEnd, resolve: end } = Promise.withResolvers<void>();
      const { promise: hasBegun, resolve: tellBegun } = Promise.withResolvers<void>();
      const older = api.handles.db.transaction().execute(async (transaction) => {
        await sql`select pg_current_xact_id()`.execute(transaction);
        tellBegun();
        await canEnd;
      });
      await hasBegun;
      await fire(sandbox, submissionId);
      const stream = await follow(api.url, workspace.sandboxKey, channel);
      await fire(sandbox, submissionId, { eventType: 'asset.processing.failed' });
      end();
      await older;
      const [first] = await firstOf(stream.messages, 1);
      expect(first?.event).toBe('asset.processing.failed');
    });

    test('the stream starts with its position, so that a client that disconnects before any event misses none', async () => {
      const { submissionId } = await submit(sandbox, [await uploadText(sandbox)]);
      await untilFinished(sandbox, submissionId);
      const headers = { 'x-api-key': workspace.sandboxKey };
      const { body } = await fetch(`${api.url}/api/integrations/realtime?channel=${channel}`, { headers });
      let text = '';
      for await (const piece of body ?? []) {
        text += Buffer.from(piece).toString();
        if (/^id: .+$/m.test(text)) break;
      }
      expect(text).not.toContain('event:');
      await fire(sandbox, submissionId);
      const resumed = await follow(api.url, workspace.sandboxKey, channel, /^id: (.+)$/m.exec(text)?.[1]);
      const [missed] = await firstOf(resumed.messages, 1);
      expect(missed?.data.data.submission_id).toBe(submissionId);
    });
  });

  describe('204: nothing is left to send', () => {
    test('the submission has finished, and Last-Event-ID is that of its last message', async () => {
      const created = await submitAndCancel(live);
      const [snapshot] = await readAllMessages(channelOf(created));
      expect((await follow(api.url, workspace.liveKey, channelOf(created), snapshot?.id)).status).toBe(204);
    });
  });

  describe('422: no channel', () => {
    test.each(['', '?channel='])('validation_failed is returned for the query %j', async (query) => {
      expect(await live.get(`/realtime${query}`)).toMatchObject(refused(422, 'validation_failed'));
    });
  });

  test('the request of a client that disconnects no longer counts as active', async () => {
    const client = apiWithoutWorker.client(workspace.liveKey);
    const created = await submit(client, [await uploadText(client)]);
    const activeNow = async () => {
      const { values } = await activeRequests(apiWithoutWorker.handles.metrics).get();
      return values[0]?.value ?? 0;
    };
    const before = await activeNow();
    const streams = await Promise.all(
      Array.from({ length: 10 }, () => follow(apiWithoutWorker.url, workspace.liveKey, channelOf(created))),
    );
    expect(await activeNow()).toBe(before + 10);
    for (const stream of streams) stream.leave();
    for (let i = 0; i < 100 && (await activeNow()) > before; i++) await sleep(50);
    expect(await activeNow()).toBe(before);
  });
});
