import type { ServerProcess } from '@assay/testing/service/api-process.ts';
import { type AnsweredRequest, openBalancer } from './balancer.ts';
import { createStarter, type Role, type Version } from './version.ts';

/** API and worker processes of both versions; the APIs are behind one balancer. */
export async function openService(
  environment: Record<string, string>,
  logFile: string,
  onAnswer: (answered: AnsweredRequest) => void,
) {
  const balancer = await openBalancer(onAnswer);
  const { start, stopAll, workers, errors } = createStarter(environment, logFile);
  return {
    url: balancer.url,
    workers,
    errors,
    /** Resolves once the process accepts requests or work. */
    async start(version: Version, role: Role): Promise<ServerProcess> {
      const one = await start(version, role);
      if (role === 'api') await balancer.add(one.url, version.name);
      return one;
    },
    async stop(one: ServerProcess): Promise<void> {
      await one.stop();
      balancer.remove(one.url);
    },
    async close(): Promise<void> {
      await stopAll();
      await balancer.close();
    },
  };
}
