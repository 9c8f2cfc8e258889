import { randomUUID } from 'node:crypto';
import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { describe, expect, test } from 'vitest';

const api = await openTestApi(liftedLimits);
const client = api.client((await api.makeWorkspace()).liveKey);

describe('GET /sidekicks/{sidekick_id}', () => {
  describe('200: the sidekick with its rules', () => {
    test('each sidekick is the same as in the list, whatever the letter case of its id', async () => {
      const { body } = await client.get('/sidekicks');
      for (const [i, { id }] of sidekicks.entries()) {
        expect(await client.get(`/sidekicks/${id}`)).toMatchObject({ status: 200, body: body.sidekicks[i] });
        expect((await client.get(`/sidekicks/${id.toUpperCase()}`)).body).toEqual(body.sidekicks[i]);
      }
    });
  });

  describe('404: no such sidekick', () => {
    test('sidekick_not_found is returned for an unknown id', async () => {
      const answer = await client.get(`/sidekicks/${randomUUID()}`);
      expect(answer).toMatchObject({ status: 404, body: { code: 'sidekick_not_found' } });
    });
  });

  describe('422: the id is not a UUID', () => {
    test.each(['x', 'x'.repeat(101), 'file-safety', `${randomUUID()}0`])('validation_failed: %s', async (id) => {
      expect(await client.get(`/sidekicks/${id}`)).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ pointer: '/sidekick_id' }] },
      });
    });
  });
});
