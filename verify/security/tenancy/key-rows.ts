import type { RouteName } from '@assay/contract/routes.ts';
import { casesByPath, type RouteCases, withoutReferences } from './cells.ts';
import { fillPath, live } from './fixture.ts';

/** A key is never deleted: a revoked one stays in the list. */
function casesByKey(name: RouteName, json?: object): RouteCases {
  const { references, ...cases } = casesByPath(name, json);
  const withoutDeleted = Object.entries(references).map(([param, columns]) => [param, { ...columns, deleted: null }]);
  return { ...cases, references: Object.fromEntries(withoutDeleted) };
}

export const casesOfKeyRoutes = {
  listKeys: withoutReferences((client) => client.get('/keys')),
  createKey: withoutReferences((client) => client.post('/keys', { name: 'more', mode: 'live' })),
  getKey: casesByKey('getKey'),
  updateKey: casesByKey('updateKey', { name: 'changed' }),
  revokeKey: {
    ...casesByKey('revokeKey'),
    own: async (client) => {
      const { body } = await live.post('/keys', { name: 'soon-gone' });
      return client.delete(fillPath('revokeKey', { key_id: body.keyId }));
    },
  },
} satisfies Partial<Record<RouteName, RouteCases>>;
