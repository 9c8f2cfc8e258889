import { Refusal } from '@assay/contract/refusals.ts';
import type { Caller, Mode } from './caller.ts';

/** A sandbox key can read all data of its workspace, but change only what a sandbox key created; otherwise 403. */
export function refuseChangeOfLive(
  caller: Caller,
  createdWith: Mode,
  code: 'live_submission' | 'live_subscription' | 'live_upload' | 'live_profile' | 'live_key',
): void {
  if (caller.mode === 'sandbox' && createdWith === 'live') throw new Refusal(code);
}
