import type { Call, CallOptions } from '../call.ts';
import { listing } from '../listing.ts';
import type { KeyChange, KeyRequest, Operations } from '../wire.generated.ts';

type ListQuery = Operations['listKeys']['query'];

/** Requires a key with the scope `manage`. */
export const keys = (call: Call) => ({
  /** Newest first, expired and revoked ones included. */
  list: (query: ListQuery = {}, options?: CallOptions) =>
    listing(
      (cursor = query.cursor) => call('listKeys', { params: [], query: { ...query, cursor } }, options),
      (page) => page.keys,
    ),
  /** Only this response contains the key. */
  create: (body: KeyRequest, options?: CallOptions) => call('createKey', { params: [], body }, options),
  get: (keyId: string, options?: CallOptions) => call('getKey', { params: [keyId] }, options),
  /** Renames a key, or changes when it expires. */
  update: (keyId: string, body: KeyChange, options?: CallOptions) =>
    call('updateKey', { params: [keyId], body }, options),
  revoke: (keyId: string, options?: CallOptions) => call('revokeKey', { params: [keyId] }, options),
});
