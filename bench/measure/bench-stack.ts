import { down, up } from '@assay/stack/control.ts';
import { environmentOf, type Instance, openInstance } from '@assay/stack/instance.ts';
import type { Part } from '@assay/stack/part.ts';
import { postgres } from '@assay/stack/parts/postgres.ts';
import { temporal } from '@assay/stack/parts/temporal.ts';
import { versitygw } from '@assay/stack/parts/versitygw.ts';
import { pidOf } from '@assay/stack/process.ts';
import { cpuMicrosOfFamily } from '@assay/testing/measure/cpu-clock.ts';
import { dropDatabase } from '@assay/testing/service/make-database.ts';

/** Starts the given parts on the ports of the `bench` instance; `close` stops those that were not running before. */
export async function openBenchStack(parts: Part[]) {
  const instance: Instance = { ...openInstance('bench'), storage: parts.includes(versitygw) ? 's3' : 'azure' };
  const ours = parts.filter((part) => pidOf(instance, part.name) === undefined);
  const environment = environmentOf(instance);
  const close = () => down(instance, ours);
  try {
    await up(
      instance,
      parts.filter(({ name }) => name === postgres.name),
    );
    // Runs that no worker took stay in the engine for ever, and those of earlier benches would slow down later ones.
    if (ours.includes(temporal)) await dropEngine(environment.DATABASE_URL as string);
    await up(instance, parts);
  } catch (error) {
    await close();
    throw error;
  }
  const pid = (part: Part) => pidOf(instance, part.name) as number;
  return {
    environment,
    /** A clock of the CPU time that a part and its child processes have used so far. */
    clockOf: (part: Part) => () => cpuMicrosOfFamily(pid(part)),
    versionOf: (part: Part) => part.readVersion(instance),
    close,
  };
}

async function dropEngine(serverUrl: string): Promise<void> {
  for (const name of ['temporal', 'temporal_visibility']) await dropDatabase(serverUrl, name);
}
