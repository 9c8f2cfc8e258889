import { createReadStream, existsSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Instance, type InstanceName, instanceNames, openInstance, writeEnvironmentFiles } from './instance.ts';
import type { Part } from './part.ts';
import { azurite } from './parts/azurite.ts';
import { postgres } from './parts/postgres.ts';
import { redis } from './parts/redis.ts';
import { temporal } from './parts/temporal.ts';
import { temporalUi } from './parts/temporal-ui.ts';
import { logFileOf, pidOf, startDetached, stopProcess } from './process.ts';
import { printTable } from './table.ts';

const usage = `usage: pnpm stack <command> [--instance ${instanceNames.join('|')}] [--only part,part]

  up           start what is not running, wait until each part answers, print where it is
  down         stop the parts, keep their data
  reset        stop the parts and delete their data
  status       print what runs where
  logs <part>  print a part's log
  furnish      make database, container and namespace inside parts started otherwise (compose.yaml)
  env          write the settings of this instance and print where; no part is started

parts: postgres, redis, azurite, temporal, temporal-ui`;

// In the order of their needs: Temporal keeps its state in PostgreSQL.
const allParts: Part[] = [postgres, redis, azurite, temporal, temporalUi];
const patienceSeconds = 60;

type Row = { part: string; address: string; version: string; state: string };

async function up(instance: Instance, parts: Part[]): Promise<void> {
  const rows: Row[] = [];
  for (const part of parts) {
    const begin = performance.now();
    const wasRunning = pidOf(instance, part.name) !== undefined;
    if (!wasRunning) {
      await part.prepare?.(instance);
      startDetached(instance, part.name, part.command(instance));
    }
    const version = await waitForAnswer(instance, part);
    await part.furnish?.(instance);
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    const state = wasRunning ? `ran already (${seconds} s)` : `up in ${seconds} s`;
    rows.push({ part: part.name, address: part.address(instance), version, state });
  }
  writeEnvironmentFiles(instance);
  printTable(rows);
}

async function waitForAnswer(instance: Instance, part: Part): Promise<string> {
  const deadline = Date.now() + patienceSeconds * 1000;
  for (;;) {
    try {
      return await part.ask(instance);
    } catch (cause) {
      const log = `its log is ${logFileOf(instance, part.name)}`;
      if (!pidOf(instance, part.name)) throw new Error(`${part.name} ended right after its start; ${log}`, { cause });
      if (Date.now() > deadline)
        throw new Error(`${part.name} does not answer after ${patienceSeconds} s; ${log}`, { cause });
      await sleep(100);
    }
  }
}

async function down(instance: Instance, parts: Part[]): Promise<void> {
  for (const part of parts.toReversed()) await stopProcess(instance, part.name, part.stopSignal);
}

async function status(instance: Instance, parts: Part[]): Promise<void> {
  const rows: Row[] = [];
  for (const part of parts) {
    const pid = pidOf(instance, part.name);
    const version = pid ? await part.ask(instance).catch(() => undefined) : undefined;
    const state = version ? `answers (pid ${pid})` : pid ? `runs, no answer (pid ${pid})` : 'down';
    rows.push({ part: part.name, address: part.address(instance), version: version ?? '', state });
  }
  printTable(rows);
  if (rows.some((row) => !row.version)) process.exitCode = 1;
}

function logs(instance: Instance, name: string | undefined): void {
  if (!allParts.some((part) => part.name === name)) throw new Error(`which part? ${usage}`);
  const file = logFileOf(instance, name as string);
  if (!existsSync(file)) throw new Error(`${name} has written no log yet`);
  createReadStream(file).pipe(process.stdout);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { instance: { type: 'string', default: 'dev' }, only: { type: 'string' } },
  });
  const [command, partName] = positionals;
  if (!instanceNames.includes(values.instance as InstanceName)) throw new Error(`unknown instance. ${usage}`);
  const instance = openInstance(values.instance as InstanceName);
  const chosen = values.only?.split(',');
  const parts = allParts.filter((part) => chosen?.includes(part.name) ?? true);
  if (chosen && parts.length < chosen.length) throw new Error(`unknown part in --only. ${usage}`);
  switch (command) {
    case 'up':
      return up(instance, parts);
    case 'down':
      return down(instance, parts);
    case 'reset':
      await down(instance, allParts);
      return rmSync(instance.dir, { recursive: true, force: true });
    case 'status':
      return status(instance, parts);
    case 'logs':
      return logs(instance, partName);
    case 'furnish':
      for (const part of parts) await part.furnish?.(instance);
      return;
    case 'env':
      return console.log(writeEnvironmentFiles(instance).join('\n'));
    default:
      throw new Error(usage);
  }
}

try {
  await main();
} catch (error) {
  // The message says what to do; the cause is what the part itself said.
  const { message, cause } = error as Error;
  console.error(message);
  if (cause) console.error(`cause: ${cause instanceof Error ? cause.message : cause}`);
  process.exitCode = 1;
}
