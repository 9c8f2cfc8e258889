import { type RefusalCode, refusals } from '@assay/contract/refusals.ts';

export type RefusalEntry = { code: string; status: number; title: string; detail: string };

/** The two errors whose bodies the integration interface defines: they are no RFC 9457 problems and have no `type`. */
const errorsWithOwnBodies: RefusalEntry[] = [
  {
    code: 'tier_not_authorized_for_integrations_api',
    status: 402,
    title: 'Plan does not include the API',
    detail: 'The plan of this workspace does not include the integrations API. Ask your operator for another plan.',
  },
  {
    code: 'rate_limited',
    status: 429,
    title: 'Too many requests',
    detail:
      'The API key exceeded the rate limit of this bucket. Wait the number of seconds in Retry-After, then retry.',
  },
];

/** Every error that a caller can receive, ordered by status. */
export const refusalList: RefusalEntry[] = [
  ...(Object.keys(refusals) as RefusalCode[]).map((code) => ({ code, ...refusals[code] })),
  ...errorsWithOwnBodies,
].toSorted((a, b) => a.status - b.status);
