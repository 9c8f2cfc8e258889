import { hash } from 'node:crypto';
import { keyRecheckSeconds } from '@assay/contract/limits.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import type { Caller, WorkspaceId } from '#call/caller.ts';
import type { Handles } from '#platform/handles.ts';
import { idOfSecret, type KeyRing } from '#platform/mechanisms/key-ring.ts';
import { hashKey, hasKeyShape, scopesOf } from './key.ts';
import { findKey, findKeyById, rehashKey, touchKey } from './store.ts';

/** A key as it was sent, or the id of a key that was authenticated before. */
export type Credential = { key: string | undefined } | { keyId: string };

/** `admit` may refuse to look up a key that is not known to be valid. */
export type Authenticate = (credential: Credential, admit?: () => Promise<void>) => Promise<Caller>;

type KnownKey = { caller: Caller; expiresAt: number; recheckAt: number; trustedUntil: number };

const knownKeysMax = 50_000;
const unknownKeysMax = 10_000;
const trustedMillis = 10 * 60_000;
const lastUseUpdateMillis = 60_000;

/**
 * Keys are cached for a short time, so that neither a busy caller nor one that repeats a wrong key costs a query per
 * request. A revocation or a change of tier therefore takes effect in every process within `keyRecheckSeconds`;
 * expiry takes effect at once.
 */
export function createAuthenticate(handles: Handles, peppers: KeyRing): Authenticate {
  const { db, clock, log } = handles;
  const pepperId = idOfSecret(peppers[0]);
  const knownKeys = new Map<string, KnownKey>();
  const unknownUntil = new Map<string, number>();

  return async (credential, admit) => {
    const name = cacheKeyOf(credential);
    const now = clock.now();
    if ((unknownUntil.get(name) ?? 0) > now.getTime()) throw unknownKeyRefusal();
    let known = knownKeys.get(name);
    if (!known || known.recheckAt <= now.getTime()) {
      if (!known || known.trustedUntil <= now.getTime()) await admit?.();
      known = await lookUp(credential, now);
      if (!known) {
        knownKeys.delete(name);
        addToCache(unknownUntil, unknownKeysMax, name, now.getTime() + keyRecheckSeconds * 1000);
        throw unknownKeyRefusal();
      }
      addToCache(knownKeys, knownKeysMax, name, known);
    }
    if (known.expiresAt <= now.getTime()) throw new Refusal('invalid_api_key', { internal: 'expired' });
    return known.caller;
  };

  async function lookUp(credential: Credential, now: Date): Promise<KnownKey | undefined> {
    const hmacs = 'key' in credential ? peppers.map((pepper) => hashKey(credential.key ?? '', pepper)) : [];
    const row = await ('key' in credential ? findKey(db, hmacs) : findKeyById(db, credential.keyId));
    if (!row) return undefined;
    if ('key' in credential && row.pepper_id !== pepperId) {
      rehashKey(db, row.key_id, hmacs[0] as Buffer, pepperId).catch((error) =>
        log.warn({ err: error, keyId: row.key_id }, 'key was not hashed with the newest pepper; its next use retries'),
      );
    }
    if (!row.last_used_at || now.getTime() - row.last_used_at.getTime() > lastUseUpdateMillis) {
      // The time of the last use helps operators find unused keys; the request does not wait for the update.
      touchKey(db, row.key_id, now).catch((error) => log.warn({ err: error }, 'last use of a key was not recorded'));
    }
    return {
      caller: {
        workspaceId: row.workspace_id as WorkspaceId,
        mode: row.mode as Caller['mode'],
        tier: row.tier as Caller['tier'],
        actor: {
          kind: 'api_key',
          id: row.key_id,
          name: row.name,
          prefix: row.prefix,
          scopes: scopesOf(row.scopes),
          expiresAt: row.expires_at,
        },
      },
      expiresAt: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
      recheckAt: now.getTime() + keyRecheckSeconds * 1000,
      trustedUntil: now.getTime() + trustedMillis,
    };
  }
}

/** The API key itself must not be kept in memory, and its HMAC is slow to compute, so the cache uses its SHA-256. */
function cacheKeyOf(credential: Credential): string {
  if ('keyId' in credential) return credential.keyId;
  if (!credential.key) throw new Refusal('missing_api_key');
  if (!hasKeyShape(credential.key)) throw new Refusal('invalid_api_key', { internal: 'malformed' });
  return hash('sha256', credential.key, 'base64');
}

function unknownKeyRefusal(): Refusal {
  return new Refusal('invalid_api_key', { internal: 'unknown or revoked' });
}

/** Adds an entry; a full cache is emptied first, and the emptied entries are looked up again. */
function addToCache<Value>(map: Map<string, Value>, sizeMax: number, name: string, value: Value): void {
  if (map.size >= sizeMax) map.clear();
  map.set(name, value);
}
