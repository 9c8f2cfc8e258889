import { toApiError } from '@assay/sdk';
import { mayRetry } from '../../packages/sdk/src/retry.ts';
import type { RefusalEntry } from './refusal-list.ts';

/** How the SDK handles an error, as determined by calling the SDK. */
export type SdkFacts = { className: string; retries: string };

export async function sdkFactsOf({ status, code }: Pick<RefusalEntry, 'status' | 'code'>): Promise<SdkFacts> {
  const error = await toApiError(new Response(JSON.stringify({ code }), { status }));
  return { className: error.name, retries: describeRetries(mayRetry(error, false), mayRetry(error, true)) };
}

function describeRetries(always: boolean, ifHarmless: boolean): string {
  if (always) return 'yes';
  return ifHarmless ? 'yes, where it is safe' : 'no';
}
