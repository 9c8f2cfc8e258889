import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import type { Rule } from '@assay/sidekicks/sidekick/sidekick.ts';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { describe, expect, test } from 'vitest';

const api = await openTestApi(liftedLimits);
const workspace = await api.makeWorkspace();

describe('GET /sidekicks', () => {
  describe('200: all sidekicks', () => {
    test.each(['liveKey', 'sandboxKey'] as const)('one page lists every sidekick once for a %s', async (kind) => {
      const { status, body } = await api.client(workspace[kind]).get('/sidekicks');
      expect(status).toBe(200);
      expect(body).toMatchObject({ nextCursor: null, hasMore: false });
      expect(body.sidekicks.map(({ sidekickId }: { sidekickId: string }) => sidekickId)).toEqual(
        sidekicks.map(({ id }) => id),
      );
      expect(new Set(sidekicks.map(({ id }) => id)).size).toBe(body.sidekicks.length);
    });

    test('each sidekick has the short name that the CLI and the SDK accept', async () => {
      const { body } = await api.client(workspace.liveKey).get('/sidekicks');
      const names = body.sidekicks.map(({ shortName }: { shortName: string }) => shortName);
      expect(names).toEqual(sidekicks.map(({ shortName }) => shortName));
      expect(names).toContain('file-safety');
    });

    test('each sidekick lists its rules, so that the ruleCode of an issue can be looked up', async () => {
      const { body } = await api.client(workspace.liveKey).get('/sidekicks');
      for (const [i, { rules }] of sidekicks.entries()) {
        const codes = body.sidekicks[i].rules.map(({ ruleCode }: { ruleCode: string }) => ruleCode);
        expect(codes).toEqual(Object.keys(rules));
        expect(codes).not.toEqual([]);
      }
    });

    test('each rule has its severity, and its grades by distance from the limit if there are any', async () => {
      const { body } = await api.client(workspace.liveKey).get('/sidekicks');
      for (const [i, { rules }] of sidekicks.entries()) {
        const shown = body.sidekicks[i].rules.map(({ severity, grades }: Rule) => ({ severity, grades }));
        expect(shown).toEqual(Object.values<Rule>(rules).map(({ severity, grades }) => ({ severity, grades })));
      }
    });

    test('at least one sidekick is a default, used when a submission names none', async () => {
      const { body } = await api.client(workspace.liveKey).get('/sidekicks');
      expect(body.sidekicks.some(({ isDefault }: { isDefault: boolean }) => isDefault)).toBe(true);
    });
  });
});
