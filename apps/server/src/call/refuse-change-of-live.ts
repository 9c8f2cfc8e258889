import { Refusal } from '@assay/contract/refusals.ts';
import type { Caller, Mode } from './caller.ts';

/** A sandbox key reads all data of its workspace, and changes only what a sandbox key created: else 403. */
export function refuseChangeOfLive(
  caller: Caller,
  createdWith: Mode,
  code: 'live_submission' | 'live_subscription' | 'live_upload' | 'live_profile',
): void {
  if (caller.mode === 'sandbox' && createdWith === 'live') throw new Refusal(code);
}
