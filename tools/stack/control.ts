import { setTimeout as sleep } from 'node:timers/promises';
import { type Instance, type Storage, writeEnvironmentFiles } from './instance.ts';
import type { Part } from './part.ts';
import { azurite } from './parts/azurite.ts';
import { postgres } from './parts/postgres.ts';
import { redis } from './parts/redis.ts';
import { temporal } from './parts/temporal.ts';
import { temporalUi } from './parts/temporal-ui.ts';
import { versitygw } from './parts/versitygw.ts';
import { logFileOf, pidOf, startDetached, stopProcess } from './process.ts';

/** Maps each object store to the part that runs it. */
export const storageParts: Record<Storage, Part> = { azure: azurite, s3: versitygw };

// In dependency order: Temporal keeps its state in PostgreSQL.
export const knownParts: Part[] = [postgres, redis, azurite, versitygw, temporal, temporalUi];
/** The parts that a service needs if it uses this object store. */
export const partsWith = (storage: Storage): Part[] => [postgres, redis, storageParts[storage], temporal];
const answerSecondsMax = 60;

export type PartStatus = { part: string; address: string; version: string; state: string };

/** Starts the parts that are not running and waits until each answers. */
export async function up(instance: Instance, parts: Part[]): Promise<PartStatus[]> {
  const rows: PartStatus[] = [];
  for (const part of parts) {
    const begin = performance.now();
    const wasRunning = pidOf(instance, part.name) !== undefined;
    if (!wasRunning) {
      await part.prepare?.(instance);
      startDetached(instance, part.name, part.command(instance));
    }
    const version = await waitForAnswer(instance, part);
    await part.provision?.(instance);
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    const state = wasRunning ? `already running (${seconds} s)` : `up in ${seconds} s`;
    rows.push({ part: part.name, address: part.address(instance), version, state });
  }
  writeEnvironmentFiles(instance);
  return rows;
}

/** Restarts a part that was killed and waits until it answers. Its data exists already, so nothing is provisioned. */
export async function startAgain(instance: Instance, part: Part): Promise<void> {
  startDetached(instance, part.name, part.command(instance));
  await waitForAnswer(instance, part);
}

async function waitForAnswer(instance: Instance, part: Part): Promise<string> {
  const deadline = Date.now() + answerSecondsMax * 1000;
  for (;;) {
    try {
      return await part.readVersion(instance);
    } catch (cause) {
      const log = `see ${logFileOf(instance, part.name)}`;
      if (!pidOf(instance, part.name))
        throw new Error(`${part.name} exited right after it was started; ${log}`, { cause });
      if (Date.now() > deadline)
        throw new Error(`${part.name} does not answer after ${answerSecondsMax} s; ${log}`, { cause });
      await sleep(100);
    }
  }
}

export async function down(instance: Instance, parts: Part[]): Promise<void> {
  for (const part of parts.toReversed()) await stopProcess(instance, part.name, part.stopSignal);
}

export async function status(instance: Instance, parts: Part[]): Promise<PartStatus[]> {
  const rows: PartStatus[] = [];
  for (const part of parts) {
    const pid = pidOf(instance, part.name);
    const version = pid ? await part.readVersion(instance).catch(() => undefined) : undefined;
    const state = version ? `answers (pid ${pid})` : pid ? `running, no answer (pid ${pid})` : 'down';
    rows.push({ part: part.name, address: part.address(instance), version: version ?? '', state });
  }
  return rows;
}
