import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { StoreKind } from '@assay/server/platform/storage/stores.ts';

/** One of the stacks that can run on a machine, with its own ports, data and secrets. */
export type Instance = {
  name: InstanceName;
  dir: string;
  ports: Record<PortName, number>;
  secrets: Secrets;
  /** Where the service stores media: in Azurite or in versitygw. */
  storage: Storage;
};

export type Storage = StoreKind;

// Instances never share a port, so a developer's data stays untouched while tests stop, kill and reset theirs.
const firstPorts = { dev: 17000, test: 17100, faults: 17200, bench: 17300, chaos: 17400 } as const;
export type InstanceName = keyof typeof firstPorts;

const portNames = [
  'postgres',
  'redis',
  'azurite',
  'temporal',
  'temporalUi',
  'temporalHttp',
  'temporalHistory',
  'temporalMatching',
  'temporalWorker',
  'temporalFrontendMembership',
  'temporalHistoryMembership',
  'temporalMatchingMembership',
  'temporalWorkerMembership',
  'temporalMetrics',
  'versitygw',
  'minio',
] as const;
type PortName = (typeof portNames)[number];

type Secrets = {
  postgresPassword: string;
  blobAccountKey: string;
  keyPepper: string;
  webhookSecretsKey: string;
  s3AccessKeyId: string;
  s3SecretAccessKey: string;
};

export const instanceNames = Object.keys(firstPorts) as InstanceName[];
export const cacheDir = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'assay');
export const blobAccount = 'assaylocal';
export const blobContainer = 'media';
export const s3Bucket = 'media';
export const s3Region = 'us-east-1';
export const temporalNamespace = 'assay';
/** The role that migrates and owns the tables, and the one that the service uses. Both have the instance's password. */
export const databaseOwner = 'assay';
export const serviceRole = 'assay_service';

const stackDir = resolve(process.env.ASSAY_STACK_DIR ?? join(import.meta.dirname, '..', '..', '.stack'));

export function openInstance(name: InstanceName): Instance {
  const dir = join(stackDir, name);
  mkdirSync(dir, { recursive: true });
  const ports = Object.fromEntries(portNames.map((port, i) => [port, firstPorts[name] + i]));
  return { name, dir, ports: ports as Instance['ports'], secrets: openSecrets(dir), storage: readStorage(dir) };
}

const storageFileIn = (dir: string) => join(dir, 'storage');

// An object store chosen with `--storage` is used until a different one is chosen or the instance is reset.
function readStorage(dir: string): Storage {
  const file = storageFileIn(dir);
  return existsSync(file) ? (readFileSync(file, 'utf8') as Storage) : 'azure';
}

export function chooseStorage(instance: Instance, storage: Storage): Instance {
  writeFileSync(storageFileIn(instance.dir), storage);
  return { ...instance, storage };
}

// Secrets are generated on first use, so that the repository contains nothing that looks like one.
function openSecrets(dir: string): Secrets {
  const file = join(dir, 'secrets.json');
  const kept: Partial<Secrets> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const secrets: Secrets = {
    postgresPassword: randomBytes(16).toString('hex'),
    blobAccountKey: randomBytes(64).toString('base64'),
    keyPepper: randomBytes(32).toString('hex'),
    webhookSecretsKey: randomBytes(32).toString('base64'),
    s3AccessKeyId: randomBytes(10).toString('hex'),
    s3SecretAccessKey: randomBytes(20).toString('hex'),
    ...kept,
  };
  const isWhole = Object.keys(kept).length === Object.keys(secrets).length;
  if (!isWhole) writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
  return secrets;
}

/** The service settings for each object store. */
const environments: Record<StoreKind, (instance: Instance) => Record<string, string>> = {
  azure: azureEnvironmentOf,
  s3: s3EnvironmentOf,
};
export const storages = Object.keys(environments) as StoreKind[];

/** The settings of a service that uses this instance. */
export function environmentOf(instance: Instance): Record<string, string> {
  const { ports, secrets, storage } = instance;
  const databaseUrlFor = (role: string) =>
    `postgres://${role}:${secrets.postgresPassword}@127.0.0.1:${ports.postgres}/assay?sslmode=disable`;
  return {
    ASSAY_MODE: 'development',
    DRAIN_SECONDS: '0',
    DATABASE_URL: databaseUrlFor(serviceRole),
    MIGRATION_DATABASE_URL: databaseUrlFor(databaseOwner),
    REDIS_URL: `redis://127.0.0.1:${ports.redis}`,
    ...environments[storage](instance),
    TEMPORAL_ADDRESS: `127.0.0.1:${ports.temporal}`,
    TEMPORAL_NAMESPACE: temporalNamespace,
    KEY_PEPPER: secrets.keyPepper,
    WEBHOOK_SECRETS_KEY: secrets.webhookSecretsKey,
  };
}

export function azureEnvironmentOf({ ports, secrets }: Instance): Record<string, string> {
  const blobUrl = `http://127.0.0.1:${ports.azurite}/${blobAccount}`;
  return {
    BLOB_URL: blobUrl,
    BLOB_PUBLIC_URL: blobUrl,
    BLOB_ACCOUNT: blobAccount,
    BLOB_ACCOUNT_KEY: secrets.blobAccountKey,
    BLOB_CONTAINER: blobContainer,
  };
}

export function s3EnvironmentOf(
  { ports, secrets }: Instance,
  server: 'versitygw' | 'minio' = 'versitygw',
): Record<string, string> {
  return {
    OBJECT_STORE: 's3',
    S3_ENDPOINT: `http://127.0.0.1:${ports[server]}`,
    S3_REGION: s3Region,
    S3_BUCKET: s3Bucket,
    S3_ACCESS_KEY_ID: secrets.s3AccessKeyId,
    S3_SECRET_ACCESS_KEY: secrets.s3SecretAccessKey,
  };
}

/** The variables of compose.yaml, with the secrets of this instance instead of those of deploy/make-env. */
export function composeEnvironmentOf({ secrets }: Instance): Record<string, string> {
  return {
    POSTGRES_PASSWORD: secrets.postgresPassword,
    POSTGRES_SERVICE_PASSWORD: secrets.postgresPassword,
    S3_ACCESS_KEY_ID: secrets.s3AccessKeyId,
    S3_SECRET_ACCESS_KEY: secrets.s3SecretAccessKey,
    KEY_PEPPER: secrets.keyPepper,
    WEBHOOK_SECRETS_KEY: secrets.webhookSecretsKey,
  };
}

// In the checkout even if ASSAY_STACK_DIR is elsewhere: `pnpm start` and similar commands read the files there.
const environmentDir = (name: InstanceName) => join(import.meta.dirname, '..', '..', '.stack', name);

/** `env` is for Node's --env-file, where variables that are already set win; `compose.env` is for compose.yaml. */
export function writeEnvironmentFiles(instance: Instance): string[] {
  const contents = { env: environmentOf(instance), 'compose.env': composeEnvironmentOf(instance) };
  mkdirSync(environmentDir(instance.name), { recursive: true });
  return Object.entries(contents).map(([name, variables]) => {
    const file = join(environmentDir(instance.name), name);
    const lines = Object.entries(variables).map(([variable, value]) => `${variable}=${value}\n`);
    writeFileSync(file, lines.join(''), { mode: 0o600 });
    return file;
  });
}
