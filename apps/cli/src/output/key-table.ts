import type { ApiKey } from '@assay/sdk';
import type { Output } from './output.ts';
import { formatTime } from './submission-table.ts';
import { type Cell, formatFacts, formatTable } from './table.ts';

export function formatKeys(keys: ApiKey[], output: Output): string {
  const rows = keys.map((key): Cell[] => [
    key.keyId,
    `${key.prefix}…${key.lastFour}`,
    key.name ?? '–',
    key.scopes.join(', '),
    key.lastUsedAt ? formatTime(key.lastUsedAt) : 'never',
    stateOf(key),
  ]);
  return formatTable(['ID', 'KEY', 'NAME', 'SCOPES', 'LAST USED', 'STATE'], rows, output);
}

export function formatKey(key: ApiKey, output: Output): string {
  return formatFacts(
    [
      ['key', `${key.prefix}…${key.lastFour} (${key.mode})`],
      ['ID', key.keyId],
      ['name', key.name],
      ['scopes', key.scopes.join(', ')],
      ['created', formatTime(key.createdAt)],
      ['last used', key.lastUsedAt ? formatTime(key.lastUsedAt) : 'never'],
      ['state', stateOf(key)],
    ],
    output,
  );
}

function stateOf({ revokedAt, expiresAt }: ApiKey): Cell {
  if (revokedAt) return { text: `revoked ${formatTime(revokedAt)}`, styles: ['red'] };
  if (!expiresAt) return 'valid';
  const isExpired = Date.parse(expiresAt) <= Date.now();
  return isExpired
    ? { text: `expired ${formatTime(expiresAt)}`, styles: ['red'] }
    : `valid until ${formatTime(expiresAt)}`;
}
