import { processModule } from '@assay/jail/process/process-module.ts';
import { administer, findHelp } from '#admin/admin.ts';
import { readConfig } from '#config/config.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { startApi } from '#start/api.ts';
import type { RunningProcess } from '#start/listen.ts';

const usage = 'usage: main.ts api | worker | migrate | admin <command> | jail-proof [level]';

async function main([role, ...args]: string[]): Promise<void> {
  switch (role) {
    case 'api':
      return stopOnSignal(await startApi(readConfig()));
    case 'worker': {
      // It has secrets in its environment, and starts processes of the same user that read untrusted files.
      processModule().refuseInspection();
      // The engine's worker library is large, and no other role needs it.
      const { startWorker } = await import('#start/worker.ts');
      const worker = await startWorker(readConfig());
      stopOnSignal(worker);
      return worker.ended; // rejects on a permanent failure: the supervisor restarts the process
    }
    case 'migrate': {
      const { DATABASE_URL, MIGRATION_DATABASE_URL } = readConfig();
      return migrate(MIGRATION_DATABASE_URL || DATABASE_URL, DATABASE_URL);
    }
    case 'admin': {
      const help = findHelp(args); // works without a configuration
      if (help) return console.log(help);
      if (args[0] === 'doctor') {
        const { runDoctor } = await import('#admin/doctor/run-doctor.ts');
        process.exitCode = await runDoctor(readConfig(), args.slice(1));
        return;
      }
      const output = await administer(readConfig(), args);
      console.log(typeof output === 'string' ? output : JSON.stringify(output, null, 2));
      process.exitCode = exitCodeOf(output);
      return;
    }
    case 'jail-proof': {
      const { printJailProof } = await import('#admin/print-jail-proof.ts');
      process.exitCode = (await printJailProof(args, console.log)) ? 0 : 1;
      return;
    }
    default:
      throw new Error(usage);
  }
}

/** 1: something failed. 3: run the command again later. */
function exitCodeOf(output: unknown): number {
  const { failed = 0, isFinished = true } = output as { failed?: number; isFinished?: boolean };
  if (failed > 0) return 1;
  return isFinished ? 0 : 3;
}

function stopOnSignal(running: RunningProcess): void {
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1); // a second signal: exit without waiting
      isStopping = true;
      running.stop().then(
        () => process.exit(0),
        (error) => fail(error),
      );
    });
  }
}

// For a mistake by the operator only the message is printed; any other error is a bug and has its stack trace printed.
function fail(error: unknown): never {
  const isMistake = error instanceof Error && ['ConfigError', 'AdminMistake'].includes(error.name);
  console.error(isMistake || (error as Error).message === usage ? (error as Error).message : error);
  process.exit(1);
}

await main(process.argv.slice(2)).catch(fail);
