import { z } from 'zod';
import { type Store, webUrl } from '../store.ts';
import type { AzureSettings } from './settings.ts';

const variables = {
  BLOB_URL: webUrl.default(''),
  BLOB_PUBLIC_URL: webUrl.default(''),
  BLOB_ACCOUNT: z.string().default(''),
  BLOB_ACCOUNT_KEY: z.base64('must be a key in base64.').default(''),
  BLOB_CONTAINER: z.string().min(3).default(''),
};

/** Azure Blob Storage. */
export const azure = {
  variables,
  required: ['BLOB_URL', 'BLOB_ACCOUNT', 'BLOB_CONTAINER'],
  together: [],
  secrets: ['BLOB_ACCOUNT_KEY'],
  urls: { service: 'BLOB_URL', callers: 'BLOB_PUBLIC_URL' },
  // Azure's library sends identity tokens over https only.
  findConflicts: ({ BLOB_URL, BLOB_ACCOUNT_KEY }) =>
    BLOB_URL.startsWith('http:') && BLOB_ACCOUNT_KEY === ''
      ? ['BLOB_URL: must be https if BLOB_ACCOUNT_KEY is not set.']
      : [],
  settingsOf: (values): AzureSettings => ({
    store: 'azure',
    url: values.BLOB_URL,
    publicUrl: values.BLOB_PUBLIC_URL || values.BLOB_URL,
    account: values.BLOB_ACCOUNT,
    accountKey: values.BLOB_ACCOUNT_KEY || undefined,
    container: values.BLOB_CONTAINER,
  }),
  homeOf: ({ account, container }) => ({ account, container }),
  endpointOf: ({ url }) => url,
  open: async (settings) => (await import('./azure.ts')).openAzure(settings),
} satisfies Store<typeof variables, AzureSettings>;
