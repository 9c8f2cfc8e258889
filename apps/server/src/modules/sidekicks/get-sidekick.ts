import { Refusal } from '@assay/contract/refusals.ts';
import { findSidekick } from '@assay/sidekicks/sidekick/catalogue.ts';
import type { Call, Reply } from '#call/call.ts';
import { presentSidekick } from './present-sidekick.ts';

export async function getSidekick({ params }: Call<'getSidekick'>): Promise<Reply<'getSidekick'>> {
  const sidekick = findSidekick(params.sidekickId);
  if (!sidekick) throw new Refusal('sidekick_not_found');
  return presentSidekick(sidekick);
}
