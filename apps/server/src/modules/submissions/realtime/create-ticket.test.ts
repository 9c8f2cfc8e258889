import { randomUUID } from 'node:crypto';
import { liftedLimits, openTestApi, openWorkspace } from '@assay/testing/service/api.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { submitAndCancel } from '@assay/testing/service/submissions.ts';
import { describe, expect, test } from 'vitest';
import { createTickets } from '#modules/identity/tickets/ticket.ts';

const api = await openTestApi(liftedLimits);
const { live, sandbox, ...workspace } = await openWorkspace(api);
const anonymous = api.client();
const createTicket = (channel: string, by = live) => by.post('/realtime/tickets', { channel });
const open = (channel: string, ticket: string) => anonymous.open(`/realtime?channel=${channel}&ticket=${ticket}`);

describe('POST /realtime/tickets', () => {
  describe('201: a ticket', () => {
    test('opens its channel, without a key (§D10)', async () => {
      const { submissionId } = await submitAndCancel(live);
      const channel = `submission.${submissionId}`;
      const { status, body } = await createTicket(channel);
      expect([status, body]).toEqual([201, { ticket: expect.any(String), channel, expiresAt: expect.any(String) }]);
      const lifetime = Date.parse(body.expiresAt) - Date.now();
      expect(lifetime).toBeGreaterThan(50_000);
      expect(lifetime).toBeLessThanOrEqual(61_000);
      const stream = await open(channel, body.ticket);
      expect(stream.status).toBe(200);
      expect((await stream.messages.next()).value).toMatchObject({ event: 'snapshot', data: { submissionId } });
      await stream.close();
    });

    test('created with a sandbox key opens the event stream of its workspace', async () => {
      const channel = `webhooks.${workspace.workspaceId}`;
      const { body } = await createTicket(channel, sandbox);
      const stream = await open(channel, body.ticket);
      expect(stream.status).toBe(200);
      await stream.close();
    });

    test('opens no other channel and no other route', async () => {
      const [one, other] = [await submitAndCancel(live), await submitAndCancel(live)];
      const { body } = await createTicket(`submission.${one.submissionId}`);
      expect(await open(`submission.${other.submissionId}`, body.ticket)).toMatchObject(refused(401, 'invalid_ticket'));
      const path = `/submissions/${one.submissionId}?ticket=${body.ticket}&channel=submission.${one.submissionId}`;
      expect(await anonymous.get(path)).toMatchObject(refused(401, 'missing_api_key'));
    });
  });

  test('a ticket is refused with 401 once it is changed or expired', async () => {
    const channel = `submission.${(await submitAndCancel(live)).submissionId}`;
    const good = (await createTicket(channel)).body.ticket as string;
    const keyId = good.slice(0, 36);
    const aMinuteAgo = { now: () => new Date(Date.now() - 62_000) };
    const old = createTickets(api.config.KEY_PEPPER, aMinuteAgo).issue(keyId, channel).ticket;
    const changed = good.replace(/.{10}$/, (end) => (end[0] === 'A' ? 'B' : 'A') + end.slice(1));
    for (const ticket of [old, changed, 'x', `${randomUUID()}.${good.split('.').slice(1).join('.')}`])
      expect(await open(channel, ticket)).toMatchObject(refused(401, 'invalid_ticket'));
  });

  test('a ticket is refused with 401 once its key is revoked', async () => {
    const own = await api.makeWorkspace();
    const channel = `submission.${(await submitAndCancel(api.client(own.liveKey))).submissionId}`;
    const { body } = await createTicket(channel, api.client(own.liveKey));
    await api.admin('key', 'revoke', '--key', body.ticket.slice(0, 36));
    expect(await open(channel, body.ticket)).toMatchObject(refused(401, 'invalid_api_key'));
  });

  describe('422: an invalid request', () => {
    test.each([{}, { channel: '' }, { channel: 1 }, { channel: 'x', more: 1 }])(
      'validation_failed is returned for the body %j',
      async (json) => {
        expect(await live.post('/realtime/tickets', json)).toMatchObject(refused(422, 'validation_failed'));
      },
    );
  });
});
