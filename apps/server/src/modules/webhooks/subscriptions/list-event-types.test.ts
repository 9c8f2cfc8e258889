import { openTestApi } from '@assay/testing/service/api.ts';
import { describe, expect, test } from 'vitest';

const api = await openTestApi();
const workspace = await api.makeWorkspace();

describe('GET /webhooks/event-types', () => {
  describe('200: all event types', () => {
    test.each(['liveKey', 'sandboxKey'] as const)(
      'a %s gets all event types of the API with their descriptions',
      async (kind) => {
        const { status, body } = await api.client(workspace[kind]).get('/webhooks/event-types');
        expect(status).toBe(200);
        expect(body).toEqual({
          eventTypes: [
            { eventType: 'asset.processing.completed', description: expect.stringMatching(/finished/) },
            { eventType: 'asset.processing.failed', description: expect.stringMatching(/failed/) },
            { eventType: 'asset.verdict.changed', description: expect.stringMatching(/verdict/) },
            { eventType: 'submission.processing.finished', description: expect.stringMatching(/submission/) },
          ],
          nextCursor: null,
          hasMore: false,
        });
      },
    );

    test('a subscription accepts each listed event type', async () => {
      const client = api.client(workspace.liveKey);
      const { body } = await client.get('/webhooks/event-types');
      for (const { eventType } of body.eventTypes) {
        const json = { url: 'http://127.0.0.1:9/', eventTypes: [eventType] };
        expect(await client.post('/webhooks/subscriptions', json)).toMatchObject({ status: 201 });
      }
    });
  });
});
