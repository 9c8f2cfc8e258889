import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Instance, s3Bucket } from '../instance.ts';
import type { Part } from '../part.ts';
import { createBucket } from '../provision/create-bucket.ts';
import { openS3 } from './versitygw.ts';

const buildScript = join(import.meta.dirname, '..', '..', '..', '.ci', 'build-minio');
const addressOf = ({ ports }: Instance) => `http://127.0.0.1:${ports.minio}`;

/** A second S3 server, only for the nightly conformance suite. It is built on first use, which takes ten minutes. */
export const minio: Part = {
  name: 'minio',
  stopSignal: 'SIGTERM',
  address: addressOf,
  async prepare(instance) {
    execFileSync(buildScript, { stdio: ['ignore', 'ignore', 'inherit'] });
    mkdirSync(join(instance.dir, 'minio'), { recursive: true });
  },
  command: (instance) => ({
    program: execFileSync(buildScript, { encoding: 'utf8' }).trim(),
    args: ['server', '--quiet', '--address', `127.0.0.1:${instance.ports.minio}`, join(instance.dir, 'minio')],
    env: { MINIO_ROOT_USER: instance.secrets.s3AccessKeyId, MINIO_ROOT_PASSWORD: instance.secrets.s3SecretAccessKey },
  }),
  async readVersion(instance) {
    const { ok, headers } = await fetch(`${addressOf(instance)}/minio/health/ready`, {
      signal: AbortSignal.timeout(2000),
    });
    if (!ok) throw new Error('minio is not ready');
    return headers.get('server') ?? 'unknown';
  },
  provision: (instance) => createBucket(openS3(instance, addressOf(instance)), s3Bucket, false),
};
