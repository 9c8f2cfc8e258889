import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { blobAccount, type Instance, openInstance } from '@assay/stack/instance.ts';
import { azurite } from '@assay/stack/parts/azurite.ts';
import { postgres } from '@assay/stack/parts/postgres.ts';
import type { Certificates } from './certificates.ts';
import { createOwnProcess, freePort } from './own-process.ts';

/** A server of its own, which is started again to present another certificate. */
export type TlsServer = {
  url: string;
  /** With `clientAuthorityFile` it accepts only clients with a certificate of this authority. */
  start(certificates: Certificates, clientAuthorityFile?: string): Promise<void>;
  close(): Promise<void>;
};

/** Redis that accepts only TLS. */
export async function openTlsRedis(): Promise<TlsServer> {
  const port = await freePort();
  const server = createOwnProcess(port, 'SIGKILL');
  return {
    url: `rediss://127.0.0.1:${port}`,
    start: ({ certificateFile, keyFile }, clientAuthorityFile) =>
      server.start('redis-server', [
        ...['--port', '0', '--tls-port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
        ...['--tls-cert-file', certificateFile, '--tls-key-file', keyFile],
        ...(clientAuthorityFile
          ? ['--tls-auth-clients', 'yes', '--tls-ca-cert-file', clientAuthorityFile]
          : ['--tls-auth-clients', 'no']),
      ]),
    close: server.stop,
  };
}

/** PostgreSQL with `ssl=on`, as the stack sets it up: with the role and the database `assay`. */
export async function openTlsPostgres(): Promise<TlsServer> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-postgres-'));
  chmodSync(dir, 0o755); // PostgreSQL runs as an OS user of its own
  const test = openInstance('test');
  const port = await freePort();
  const instance: Instance = { ...test, dir, ports: { ...test.ports, postgres: port } };
  await postgres.prepare?.(instance);
  const server = createOwnProcess(port, postgres.stopSignal);
  let isProvisioned = false;
  return {
    url: `postgres://assay:${test.secrets.postgresPassword}@127.0.0.1:${port}/assay`,
    async start({ certificateFile, keyFile }, clientAuthorityFile) {
      const { program, args, user } = postgres.command(instance);
      // PostgreSQL accepts only a key that nobody else can read.
      const ownKeyFile = join(dir, 'server.key');
      rmSync(ownKeyFile, { force: true });
      copyFileSync(keyFile, ownKeyFile);
      chmodSync(ownKeyFile, 0o600);
      if (user) chownSync(ownKeyFile, user.uid, user.gid);
      const hbaFile = join(dir, 'hba.conf');
      writeFileSync(hbaFile, `hostssl all all 127.0.0.1/32 scram-sha-256 clientcert=verify-ca\n`);
      const tls = {
        ssl: 'on',
        ssl_cert_file: certificateFile,
        ssl_key_file: ownKeyFile,
        ...(clientAuthorityFile && { ssl_ca_file: clientAuthorityFile, hba_file: hbaFile }),
      };
      const settings = Object.entries(tls).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      await server.start(program, [...args, ...settings], user);
      if (!isProvisioned) await untilProvisioned(instance);
      isProvisioned = true;
    },
    async close() {
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Azurite that accepts the tokens of identities, which it does with TLS only. It checks no signature of a token. */
export async function openTlsAzurite(): Promise<TlsServer> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-azurite-'));
  const test = openInstance('test');
  const port = await freePort();
  const server = createOwnProcess(port, 'SIGTERM');
  return {
    url: `https://127.0.0.1:${port}/${blobAccount}`,
    async start({ certificateFile, keyFile }) {
      const { program, args, env } = azurite.command({ ...test, dir, ports: { ...test.ports, azurite: port } });
      const tls = ['--oauth', 'basic', '--cert', certificateFile, '--key', keyFile];
      await server.start(program, [...args, ...tls], { env: { ...process.env, ...env } });
    },
    async close() {
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** It listens before it accepts sessions. */
async function untilProvisioned(instance: Instance): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await postgres.provision?.(instance);
    } catch (error) {
      if (attempt === 100) throw error;
      await sleep(100);
    }
  }
}
