import type { keyRoutes } from '@assay/contract/routes/keys.ts';
import { curlCommand, type SamplesOf, tsProgram } from './sample.ts';

export const keySamples: SamplesOf<typeof keyRoutes> = {
  listKeys: {
    curl: curlCommand('"$API/keys?limit=10"'),
    ts: tsProgram(`
for await (const { keyId, name, scopes } of assay.keys.list())
  console.log(keyId, name, scopes.join(','));`),
    cli: 'assay keys list',
  },
  createKey: {
    curl: curlCommand(String.raw`"$API/keys" -H 'Content-Type: application/json' \
  -d '{"name": "Publishing pipeline", "scopes": ["read", "submit"]}'`),
    ts: tsProgram(`
const { keyId, key } = await assay.keys.create({
  name: 'Publishing pipeline',
  scopes: ['read', 'submit'],
});
console.log(keyId, key);`),
    cli: "assay keys create 'Publishing pipeline' --scopes read,submit",
  },
  getKey: {
    curl: curlCommand('"$API/keys/$KEY_ID"'),
    ts: tsProgram(`
const { name, lastUsedAt, expiresAt } = await assay.keys.get(KEY_ID);
console.log(name, lastUsedAt, expiresAt);`),
    cli: 'assay keys show "$KEY_ID"',
  },
  updateKey: {
    curl: curlCommand(String.raw`-X PATCH "$API/keys/$KEY_ID" \
  -H 'Content-Type: application/json' -d '{"name": "Archive"}'`),
    ts: tsProgram(`
const { name } = await assay.keys.update(KEY_ID, { name: 'Archive' });
console.log(name);`),
    cli: 'assay keys update "$KEY_ID" --name Archive',
  },
  revokeKey: {
    curl: curlCommand('-X DELETE "$API/keys/$KEY_ID"'),
    ts: tsProgram(`
await assay.keys.revoke(KEY_ID);
console.log('revoked', KEY_ID);`),
    cli: 'assay keys revoke "$KEY_ID" --yes',
  },
};
