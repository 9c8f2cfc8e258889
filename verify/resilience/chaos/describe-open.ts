import type { Callers } from './load/callers.ts';
import { pendingDeliveriesQuery, queryCount, unfinishedWorkQuery } from './until-zero.ts';
import type { World } from './world.ts';

const clientsShown = 20;

/** Describes what a run that cannot end is waiting for. */
export async function describeOpen(world: World, { unsettled, pool }: Callers): Promise<string> {
  const down = Object.values(world.supervisors).filter((supervisor) => !supervisor.isUp());
  const clients = Object.entries(unsettled).map(([mode, numbers]) => {
    const some = [...numbers].slice(0, clientsShown).join(', ');
    return `${mode} submissions that are not settled: ${numbers.size}${some && ` (clients ${some})`}`;
  });
  const inDatabase = async (what: string, countQuery: string) => {
    const count = await queryCount(world, countQuery).catch((error: Error) => `unknown (${error.message})`);
    return `${what}: ${count}`;
  };
  return [
    `down: ${down.map(({ target }) => target).join(', ') || 'nothing'}`,
    `active callers: ${pool.size()}`,
    ...clients,
    await inDatabase('submissions and runs in the database that are not finished', unfinishedWorkQuery),
    await inDatabase('pending deliveries', pendingDeliveriesQuery),
  ].join('\n');
}
