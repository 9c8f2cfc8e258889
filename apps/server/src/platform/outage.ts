const parts = {
  postgres: { name: 'PostgreSQL', code: 'service_unavailable' },
  storage: { name: 'object storage', code: 'storage_unavailable' },
  disk: { name: 'the disk for temporary files', code: 'service_unavailable' },
  profiles: { name: 'a profile revision of a newer version', code: 'service_unavailable' },
} as const;

export type OutagePart = keyof typeof parts;

/**
 * A part that this process needs does not do its work: it is down, too slow or full, or it rejects the credentials of the
 * service. Nobody but the operator can end it, so callers of the API get 5xx, and the work of a worker is repeated.
 */
export class Outage extends Error {
  override readonly name = 'Outage';
  readonly part: OutagePart;
  /** The code of the refusal with which a request fails. */
  readonly code: 'service_unavailable' | 'storage_unavailable' | 'internal_error';

  constructor(part: OutagePart, cause: unknown, reason: 'unavailable' | 'rejected' = 'unavailable') {
    const isRejected = reason === 'rejected';
    const what = isRejected ? 'rejects the credentials of the service' : 'is not available';
    super(`${parts[part].name} ${what}`, { cause });
    this.part = part;
    this.code = isRejected ? 'internal_error' : parts[part].code; // §4.2f: 500 for rejected credentials
  }
}
