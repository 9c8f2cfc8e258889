import { z } from 'zod';
import { type Store, webUrl } from '../store.ts';
import type { S3Settings } from './settings.ts';

const variables = {
  S3_ENDPOINT: webUrl.default(''),
  S3_PUBLIC_ENDPOINT: webUrl.default(''),
  S3_REGION: z.string().default('us-east-1'),
  S3_BUCKET: z.string().min(3).default(''),
  S3_ACCESS_KEY_ID: z.string().default(''),
  S3_SECRET_ACCESS_KEY: z.string().default(''),
  S3_FORCE_PATH_STYLE: z.enum(['true', 'false']).nullable().default(null),
};

/** Amazon S3, or another store with its protocol. */
export const s3 = {
  variables,
  required: ['S3_BUCKET'],
  together: [['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']],
  secrets: ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  urls: { service: 'S3_ENDPOINT', callers: 'S3_PUBLIC_ENDPOINT' },
  findConflicts: () => [],
  settingsOf({ S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey, ...values }): S3Settings {
    const { S3_ENDPOINT: endpoint, S3_FORCE_PATH_STYLE: style } = values;
    return {
      store: 's3',
      region: values.S3_REGION,
      bucket: values.S3_BUCKET,
      endpoint: endpoint || undefined,
      publicEndpoint: values.S3_PUBLIC_ENDPOINT || endpoint || undefined,
      // AWS expects the bucket in the host name, most other stores in the path.
      isPathStyle: style ? style === 'true' : endpoint !== '',
      credentials: accessKeyId ? { accessKeyId, secretAccessKey } : undefined,
    };
  },
  homeOf: ({ publicEndpoint, endpoint, region, bucket }) => ({
    // The public address, because processes may reach the same store at different internal addresses.
    account: new URL(publicEndpoint ?? endpoint ?? awsEndpoint(region)).host,
    container: bucket,
  }),
  endpointOf: ({ endpoint, region }) => endpoint ?? awsEndpoint(region),
  // The library takes 33 MB of memory and 0.1 s.
  open: async (settings) => (await import('./s3.ts')).openS3(settings),
} satisfies Store<typeof variables, S3Settings>;

const awsEndpoint = (region: string) => `https://s3.${region}.amazonaws.com`;
