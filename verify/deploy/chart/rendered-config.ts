import { makeClientCertificates } from '@assay/testing/faults/server-certificates.ts';
import type { Container, PodSpec } from './render.ts';

const certificates = makeClientCertificates();

/** The values that the user's Secret would contain. */
export const secretValues: Record<string, string> = {
  KEY_PEPPER: 'p'.repeat(32),
  WEBHOOK_SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  DATABASE_URL: 'postgres://assay_service@db/assay',
  MIGRATION_DATABASE_URL: 'postgres://assay@db/assay',
  REDIS_URL: 'rediss://redis:6379',
  TEMPORAL_API_KEY: 'key',
  BLOB_ACCOUNT_KEY: Buffer.alloc(32).toString('base64'),
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
};

/** The environment of a container, with real files instead of the mounted certificates. */
export function environmentOf(container: Container): Record<string, string> {
  return Object.fromEntries(
    (container.env ?? []).map(({ name, value = '', valueFrom }) => {
      if (valueFrom) return [name, secretValues[name] ?? ''];
      if (!name.endsWith('_FILE')) return [name, value];
      return [name, name.endsWith('KEY_FILE') ? certificates.keyFile : certificates.certificateFile];
    }),
  );
}

/** Variables that name a file in a folder where no Secret is mounted. */
export function filesWithoutMount({ volumes = [] }: PodSpec, { env = [], volumeMounts = [] }: Container): string[] {
  const secretFolders = volumeMounts
    .filter(({ name }) => volumes.some((volume) => volume.name === name && volume.secret))
    .map(({ mountPath }) => mountPath);
  return env
    .filter(({ value = '' }) => value.startsWith('/etc/assay/'))
    .filter(({ value = '' }) => !secretFolders.some((folder) => value.startsWith(`${folder}/`)))
    .map(({ name, value }) => `${name}=${value}`);
}
