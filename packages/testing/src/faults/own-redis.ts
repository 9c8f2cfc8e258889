import { createOwnProcess, freePort } from './own-process.ts';

/** A separate Redis process that a test can kill. It has no persistence, as in production. */
export async function openOwnRedis() {
  const port = await freePort();
  const server = createOwnProcess(port, 'SIGKILL');
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  return {
    url: `redis://127.0.0.1:${port}`,
    start: () => server.start('redis-server', args),
    kill: server.stop,
  };
}
