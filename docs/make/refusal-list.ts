import { type RefusalCode, refusals } from '@assay/contract/refusals.ts';

export type RefusalEntry = { code: string; status: number; title: string; detail: string };

/** The two whose bodies the integration interface fixes: they are no problems after RFC 9457, and carry no `type`. */
const withOwnBodies: RefusalEntry[] = [
  {
    code: 'tier_not_authorized_for_integrations_api',
    status: 402,
    title: 'Plan without the service',
    detail: 'The plan of the workspace does not include the service. Ask the operator for another plan.',
  },
  {
    code: 'rate_limited',
    status: 429,
    title: 'Too many requests',
    detail: 'The key has used up what its plan allows in this bucket. Wait as many seconds as Retry-After says.',
  },
];

/** Every way to say no that a caller can meet, by status. */
export const refusalList: RefusalEntry[] = [
  ...(Object.keys(refusals) as RefusalCode[]).map((code) => ({ code, ...refusals[code] })),
  ...withOwnBodies,
].toSorted((a, b) => a.status - b.status);
