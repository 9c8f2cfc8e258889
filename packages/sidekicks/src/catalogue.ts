import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Sidekick } from './sidekick.ts';

const folder = join(import.meta.dirname, 'checks');

/** The folder is the registry: what has a sidekick.ts is one. In the order of their folders' names. */
export const sidekicks: readonly Sidekick[] = await Promise.all(
  readdirSync(folder)
    .sort()
    .filter((name) => existsSync(join(folder, name, 'sidekick.ts')))
    .map(async (name) => (await import(`./checks/${name}/sidekick.ts`)).sidekick as Sidekick),
);

const byId = new Map(sidekicks.map((sidekick) => [sidekick.id, sidekick]));

export function findSidekick(id: string): Sidekick | undefined {
  return byId.get(id);
}

/** Those for which a decision holds for the same bytes only. */
export const contentBoundSidekickIds: ReadonlySet<string> = new Set(
  sidekicks.filter(({ decisionsNeedSameContent }) => decisionsNeedSameContent).map(({ id }) => id),
);

/** The chosen ones, or those that are on by default; whether each fits an asset's category is said when it runs. */
export function chooseSidekicks(ids: readonly string[] | null): Sidekick[] {
  return ids ? sidekicks.filter(({ id }) => ids.includes(id)) : sidekicks.filter(({ isDefault }) => isDefault);
}
