import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import type { Reply } from '#call/call.ts';
import { presentSidekick } from './present-sidekick.ts';

export async function listSidekicks(): Promise<Reply<'listSidekicks'>> {
  return { sidekicks: sidekicks.map(presentSidekick), nextCursor: null, hasMore: false };
}
