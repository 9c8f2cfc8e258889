import { z } from 'zod';

const webUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL.' })
  .transform((url) => url.replace(/\/+$/, ''));

/** Where media are stored. An empty text is a variable that is not set. */
export const storageVariables = {
  OBJECT_STORE: z.enum(['azure', 's3']).default('azure'),
  BLOB_URL: webUrl.default(''),
  BLOB_PUBLIC_URL: webUrl.default(''),
  BLOB_ACCOUNT: z.string().default(''),
  BLOB_ACCOUNT_KEY: z.base64('must be a key in base64.').default(''),
  BLOB_CONTAINER: z.string().min(3).default(''),
  S3_ENDPOINT: webUrl.default(''),
  S3_PUBLIC_ENDPOINT: webUrl.default(''),
  S3_REGION: z.string().default('us-east-1'),
  S3_BUCKET: z.string().min(3).default(''),
  S3_ACCESS_KEY_ID: z.string().default(''),
  S3_SECRET_ACCESS_KEY: z.string().default(''),
  S3_FORCE_PATH_STYLE: z.enum(['true', 'false']).optional(),
};

export const storageSecrets = ['BLOB_ACCOUNT_KEY', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

const parsed = z.object(storageVariables);
type Parsed = z.output<typeof parsed>;
export type StorageConfig = Omit<Parsed, 'S3_FORCE_PATH_STYLE'> & { S3_FORCE_PATH_STYLE: boolean };

const requiredOf = {
  azure: ['BLOB_URL', 'BLOB_ACCOUNT', 'BLOB_CONTAINER'],
  s3: ['S3_BUCKET'],
};
const keyPair = ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];

/**
 * The variables of the chosen store must be set. The other store may be set too, so that media in it stay available,
 * but not a part of it.
 */
export function findUnsetStorage(given: NodeJS.ProcessEnv): string[] {
  const { OBJECT_STORE: chosen = 'azure' } = given;
  const firstSet = (names: string[]) => names.find((name) => given[name] !== undefined);
  const unset = (names: string[], because?: string) =>
    names
      .filter((name) => given[name] === undefined)
      .map((name) => `${name}: is not set${because ? `, but ${because} is` : ''}.`);
  const problems = (['azure', 's3'] as const).flatMap((store) => {
    if (store === chosen) return unset(requiredOf[store]);
    const prefix = store === 's3' ? 'S3_' : 'BLOB_';
    const because = firstSet(Object.keys(storageVariables).filter((name) => name.startsWith(prefix)));
    return because ? unset(requiredOf[store], because) : [];
  });
  const oneKey = firstSet(keyPair);
  return [...problems, ...(oneKey ? unset(keyPair, oneKey) : [])];
}

/** The variables whose default is that of another one. */
export function storageDefaults({ BLOB_PUBLIC_URL, BLOB_URL, S3_PUBLIC_ENDPOINT, S3_ENDPOINT, ...rest }: Parsed) {
  const { S3_FORCE_PATH_STYLE: style } = rest;
  return {
    BLOB_PUBLIC_URL: BLOB_PUBLIC_URL || BLOB_URL,
    S3_PUBLIC_ENDPOINT: S3_PUBLIC_ENDPOINT || S3_ENDPOINT,
    // AWS expects the bucket in the host name, most other stores in the path.
    S3_FORCE_PATH_STYLE: style ? style === 'true' : S3_ENDPOINT !== '',
  };
}

export const isLoopback = (host: string) => ['127.0.0.1', '::1', '[::1]', 'localhost'].includes(host);

/** In production media and uploads must be encrypted on their way. */
export function findPlainStorage(config: Parsed): string[] {
  const { BLOB_URL, S3_ENDPOINT } = config;
  const { BLOB_PUBLIC_URL, S3_PUBLIC_ENDPOINT } = storageDefaults(config);
  const isPlain = (url: string) => url !== '' && !url.startsWith('https:');
  const forCallers = { BLOB_PUBLIC_URL, S3_PUBLIC_ENDPOINT };
  const forService = { BLOB_URL, S3_ENDPOINT };
  return [
    ...Object.entries(forCallers)
      .filter(([, url]) => isPlain(url))
      .map(([name]) => `${name}: must be https, as callers upload to it (http only with ASSAY_MODE=development).`),
    ...Object.entries(forService)
      .filter(([, url]) => isPlain(url) && !isLoopback(new URL(url).hostname))
      .map(([name]) => `${name}: must be https, as media is sent to it over the network (http only to this machine).`),
  ];
}

/** Azure's library sends the token of an identity over https only. */
export function findPlainIdentity({ BLOB_URL, BLOB_ACCOUNT_KEY }: Parsed): string[] {
  const isRefused = BLOB_URL.startsWith('http:') && BLOB_ACCOUNT_KEY === '';
  return isRefused ? ['BLOB_URL: must be https if BLOB_ACCOUNT_KEY is not set.'] : [];
}
