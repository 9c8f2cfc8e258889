import { createReadStream, existsSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { down, knownParts, type PartStatus, partsWith, status, up } from './control.ts';
import {
  chooseStorage,
  type Instance,
  type InstanceName,
  instanceNames,
  openInstance,
  type Storage,
  storages,
  writeEnvironmentFiles,
} from './instance.ts';
import type { Part } from './part.ts';
import { logFileOf, pidOf } from './process.ts';
import { printTable } from './table.ts';

const usage = `usage: pnpm stack <command> [--instance ${instanceNames.join('|')}] [--only part,part] [--storage ${storages.join('|')}]

  up           start the parts that are not running, wait until each answers, print its address
  down         stop the parts, keep their data
  reset        stop the parts and delete their data
  status       print each part's state and address
  logs <part>  print a part's log
  env          write this instance's settings and print the file names; start nothing

parts: ${knownParts.map(({ name }) => name).join(', ')}
storage: azure (azurite, the default) or s3 (versitygw); an instance keeps the one chosen last`;

function printStatus(rows: PartStatus[]): void {
  printTable(rows);
  if (rows.some((row) => !row.version)) process.exitCode = 1;
}

async function stop(instance: Instance, parts: Part[]): Promise<void> {
  const running = parts.filter(({ name }) => pidOf(instance, name)).map(({ name }) => name);
  await down(instance, parts);
  console.log(running.length > 0 ? `stopped: ${running.join(', ')}` : 'nothing was running');
}

function printLog(instance: Instance, name: string | undefined): void {
  if (!knownParts.some((part) => part.name === name)) throw new Error(`unknown part. ${usage}`);
  const file = logFileOf(instance, name as string);
  if (!existsSync(file)) throw new Error(`${name} has written no log yet`);
  createReadStream(file).pipe(process.stdout);
}

function withStorage(instance: Instance, storage: string | undefined): Instance {
  if (storage === undefined) return instance;
  if (!storages.includes(storage as Storage)) throw new Error(`unknown storage. ${usage}`);
  return chooseStorage(instance, storage as Storage);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { instance: { type: 'string', default: 'dev' }, only: { type: 'string' }, storage: { type: 'string' } },
  });
  const [command, partName] = positionals;
  if (!instanceNames.includes(values.instance as InstanceName)) throw new Error(`unknown instance. ${usage}`);
  const instance = withStorage(openInstance(values.instance as InstanceName), values.storage);
  const chosen = values.only?.split(',');
  const usual = command === 'down' ? knownParts : partsWith(instance.storage);
  const parts = chosen ? knownParts.filter((part) => chosen.includes(part.name)) : usual;
  if (chosen && parts.length < chosen.length) throw new Error(`unknown part in --only. ${usage}`);
  switch (command) {
    case 'up':
      return printTable(await up(instance, parts));
    case 'down':
      return stop(instance, parts);
    case 'reset':
      await stop(instance, knownParts);
      return rmSync(instance.dir, { recursive: true, force: true });
    case 'status':
      return printStatus(await status(instance, parts));
    case 'logs':
      return printLog(instance, partName);
    case 'env':
      return console.log(writeEnvironmentFiles(instance).join('\n'));
    default:
      throw new Error(usage);
  }
}

try {
  await main();
} catch (error) {
  // The message says what to do; the cause is the part's own error.
  const { message, cause } = error as Error;
  console.error(message);
  if (cause) console.error(`cause: ${cause instanceof Error ? cause.message : cause}`);
  process.exitCode = 1;
}
