import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export type BareScript =
  | 'pipeline/bare-fastify.ts'
  | 'submissions/bare-create.ts'
  | 'submissions/bare-worker.ts'
  | 'webhooks/bare-deliverer.ts';

/** Starts the baseline in a separate process, like the service. It is ready once it has printed a line. */
export async function startBareProcess(script: BareScript, environment: Record<string, string>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', script)], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const firstLine = once(createInterface({ input: child.stdout }), 'line');
  const early = ended.then(([code]) => {
    throw new Error(`${script} exited with ${code} before it was ready`);
  });
  early.catch(() => {}); // the promise also rejects when the process is stopped
  const [line] = (await Promise.race([firstLine, early])) as [string];
  return {
    pid: child.pid as number,
    firstLine: line,
    async stop() {
      child.kill();
      await ended;
    },
  };
}
