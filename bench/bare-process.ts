import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export type BareScript = 'bare-fastify.ts' | 'bare-create.ts' | 'bare-worker.ts' | 'bare-deliverer.ts';

/** What ours is measured against, as a process of its own, as ours is one. It is up once it has said a first line. */
export async function startBareProcess(script: BareScript, environment: Record<string, string>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, script)], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const firstLine = once(createInterface({ input: child.stdout }), 'line');
  const early = ended.then(([code]) => {
    throw new Error(`${script} ended with ${code} before it was up`);
  });
  early.catch(() => {}); // it also ends when it is told to
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
