import { randomUUID } from 'node:crypto';
import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { refused } from '@assay/testing/service/refused.ts';
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
      expect(await client.get(`/sidekicks/${randomUUID()}`)).toMatchObject(refused(404, 'sidekick_not_found'));
    });
  });
});
