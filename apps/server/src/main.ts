import { administer, migrateDatabase, type Running, startApi } from './assemble.ts';
import { readConfig } from './config.ts';

const usage = 'usage: main.ts api | worker | migrate | admin <command>';

async function main([role, ...args]: string[]): Promise<void> {
  switch (role) {
    case 'api':
      return stopOnSignal(await startApi(readConfig()));
    case 'worker': {
      // The engine's own part of a worker is large, and no other role needs it.
      const { startWorker } = await import('./assemble-worker.ts');
      const worker = await startWorker(readConfig());
      stopOnSignal(worker);
      return worker.ended; // one that fails for good is started anew by whoever watches over the process
    }
    case 'migrate':
      return migrateDatabase(readConfig());
    case 'admin':
      return console.log(JSON.stringify(await administer(readConfig(), args), null, 2));
    default:
      throw new Error(usage);
  }
}

function stopOnSignal(running: Running): void {
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1); // asked twice: whoever asks does not want to wait
      isStopping = true;
      running.stop().then(
        () => process.exit(0),
        (error) => fail(error),
      );
    });
  }
}

// A mistake of the operator is answered by its message alone; anything else is a bug and shows where.
function fail(error: unknown): never {
  const isMistake = error instanceof Error && ['ConfigError', 'AdminMistake'].includes(error.name);
  console.error(isMistake || (error as Error).message === usage ? (error as Error).message : error);
  process.exit(1);
}

await main(process.argv.slice(2)).catch(fail);
