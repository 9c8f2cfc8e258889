import { toApiError } from '@assay/sdk';
import { mayRetry } from '../../packages/sdk/src/retry.ts';
import type { RefusalEntry } from './refusal-list.ts';

/** How the SDK handles an error, determined by the SDK itself. */
export type SdkFacts = { className: string; triesAgain: string };

export async function sdkFactsOf({ status, code }: Pick<RefusalEntry, 'status' | 'code'>): Promise<SdkFacts> {
  const error = await toApiError(new Response(JSON.stringify({ code }), { status }));
  return { className: error.name, triesAgain: triesAgain(mayRetry(error, false), mayRetry(error, true)) };
}

function triesAgain(always: boolean, ifHarmless: boolean): string {
  if (always) return 'yes';
  return ifHarmless ? 'yes, where it is safe' : 'no';
}
