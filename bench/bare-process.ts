import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const script = join(import.meta.dirname, 'bare-fastify.ts');

/** The bare server as a process of its own, as the API is one. */
export async function startBareProcess(environment: Record<string, string>) {
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const firstLine = once(createInterface({ input: child.stdout }), 'line');
  const early = ended.then(([code]) => {
    throw new Error(`the bare server ended with ${code} before it was up`);
  });
  early.catch(() => {}); // it also ends when it is told to
  const [line] = await Promise.race([firstLine, early]);
  return {
    pid: child.pid as number,
    url: (JSON.parse(line) as { url: string }).url,
    async stop() {
      child.kill();
      await ended;
    },
  };
}
