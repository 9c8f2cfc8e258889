import { createReadStream, existsSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { allParts, down, type Row, status, up } from './control.ts';
import { type Instance, type InstanceName, instanceNames, openInstance, writeEnvironmentFiles } from './instance.ts';
import { logFileOf } from './process.ts';
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

function printStatus(rows: Row[]): void {
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
      return printTable(await up(instance, parts));
    case 'down':
      return down(instance, parts);
    case 'reset':
      await down(instance, allParts);
      return rmSync(instance.dir, { recursive: true, force: true });
    case 'status':
      return printStatus(await status(instance, parts));
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
