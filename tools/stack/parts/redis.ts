import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Part } from '../part.ts';

export const redis: Part = {
  name: 'redis',
  stopSignal: 'SIGTERM',
  address: ({ ports }) => `127.0.0.1:${ports.redis}`,
  async prepare(instance) {
    mkdirSync(join(instance.dir, 'redis'), { recursive: true });
  },
  // Nothing is written to disk: Redis holds only data that may be lost, and the tests verify that.
  command: (instance) => ({
    program: '/usr/bin/redis-server',
    args: [
      ['--port', String(instance.ports.redis)],
      ['--bind', '127.0.0.1'],
      ['--dir', join(instance.dir, 'redis')],
      ['--save', ''],
      ['--appendonly', 'no'],
    ].flat(),
  }),
  // INFO over a plain socket: a single command does not justify a client library.
  readVersion: ({ ports }) =>
    new Promise((resolve, reject) => {
      const socket = connect({ port: ports.redis, host: '127.0.0.1', timeout: 2000 });
      let answer = '';
      socket.on('connect', () => socket.write('INFO server\r\n'));
      socket.on('data', (data) => {
        answer += data;
        const version = /redis_version:(\S+)/.exec(answer);
        if (version?.[1]) socket.end(() => resolve(version[1] as string));
      });
      socket.on('timeout', () => socket.destroy(new Error('redis does not answer')));
      socket.on('error', reject);
      socket.on('close', () => reject(new Error(`redis answered: ${answer}`)));
    }),
};
