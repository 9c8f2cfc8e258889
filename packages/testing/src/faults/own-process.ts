import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../run/listen.ts';

/** A server process on this port that a test can stop, and start again with the same or other arguments. */
export function createOwnProcess(port: number, stopSignal: NodeJS.Signals) {
  let child: ChildProcess | undefined;
  const stop = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(stopSignal);
    await exited;
  };
  return {
    stop,
    /** Resolves once the server listens. */
    async start(program: string, args: string[], options: SpawnOptions = {}) {
      await stop();
      child = spawn(program, args, { ...options, cwd: '/', stdio: 'ignore' });
      while (!(await isListening(port))) {
        if (child.exitCode !== null) throw new Error(`${program} exited with ${child.exitCode}`);
        await sleep(20);
      }
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  return port;
}

export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return once(socket, 'connect')
    .then(() => true)
    .catch(() => false)
    .finally(() => socket.destroy());
}
