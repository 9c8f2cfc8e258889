import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { blobAccount, type Instance, openInstance, serviceRole } from '@assay/stack/instance.ts';
import { azurite } from '@assay/stack/parts/azurite.ts';
import { postgres } from '@assay/stack/parts/postgres.ts';
import type { Certificates } from './certificates.ts';
import { createOwnProcess, freePort } from './own-process.ts';

/** A separate server process, which can be started again to present a different certificate. */
export type TlsServer = {
  url: string;
  /** With `clientCaFile`, the server accepts only clients with a certificate of this CA. */
  start(certificates: Certificates, clientCaFile?: string): Promise<void>;
  close(): Promise<void>;
};

/** Redis that accepts only TLS. */
export async function openTlsRedis(): Promise<TlsServer> {
  const port = await freePort();
  const server = createOwnProcess(port, 'SIGKILL');
  return {
    url: `rediss://127.0.0.1:${port}`,
    start: ({ certificateFile, keyFile }, clientCaFile) =>
      server.start('redis-server', [
        ...['--port', '0', '--tls-port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
        ...['--tls-cert-file', certificateFile, '--tls-key-file', keyFile],
        ...(clientCaFile
          ? ['--tls-auth-clients', 'yes', '--tls-ca-cert-file', clientCaFile]
          : ['--tls-auth-clients', 'no']),
      ]),
    close: server.stop,
  };
}

/** PostgreSQL with `ssl=on`, and with the role and the database `assay` as in the local stack. */
export async function openTlsPostgres(): Promise<TlsServer> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-postgres-'));
  chmodSync(dir, 0o755); // PostgreSQL runs as its own OS user
  const test = openInstance('test');
  const port = await freePort();
  const instance: Instance = { ...test, dir, ports: { ...test.ports, postgres: port } };
  await postgres.prepare?.(instance);
  const server = createOwnProcess(port, postgres.stopSignal);
  let isProvisioned = false;
  return {
    url: `postgres://${serviceRole}:${test.secrets.postgresPassword}@127.0.0.1:${port}/assay`,
    async start({ certificateFile, keyFile }, clientCaFile) {
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
        ...(clientCaFile && { ssl_ca_file: clientCaFile, hba_file: hbaFile }),
      };
      const settings = Object.entries(tls).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      await server.start(program, [...args, ...settings], user);
      if (!isProvisioned) await provisionWhenReady(instance);
      isProvisioned = true;
    },
    async close() {
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Azurite with TLS, without which it accepts no identity tokens. It does not verify the signatures of tokens. */
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

/** Provisions PostgreSQL once it accepts sessions, which is later than when it starts to listen. */
async function provisionWhenReady(instance: Instance): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await postgres.provision?.(instance);
    } catch (error) {
      if (attempt === 100) throw error;
      await sleep(100);
    }
  }
}
