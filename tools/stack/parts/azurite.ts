import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import { blobAccount, blobContainer, type Instance } from '../instance.ts';
import type { Part } from '../part.ts';

const azuriteBlob = createRequire(import.meta.url).resolve('azurite/dist/src/blob/main.js');

export const azurite: Part = {
  name: 'azurite',
  // Azurite writes its list of blobs every 5 s and on SIGTERM; after SIGKILL it loses blobs that it acknowledged.
  stopSignal: 'SIGTERM',
  address: ({ ports }) => `http://127.0.0.1:${ports.azurite}/${blobAccount}`,
  async prepare(instance) {
    mkdirSync(join(instance.dir, 'azurite'), { recursive: true });
  },
  command: (instance) => ({
    program: process.execPath,
    args: [
      azuriteBlob,
      ['--blobHost', '127.0.0.1'],
      ['--blobPort', String(instance.ports.azurite)],
      ['--location', join(instance.dir, 'azurite')],
      '--disableTelemetry',
      '--silent',
      // The SDK may use a newer protocol version than the emulator knows.
      '--skipApiVersionCheck',
    ].flat(),
    env: { AZURITE_ACCOUNTS: `${blobAccount}:${instance.secrets.blobAccountKey}` },
  }),
  async readVersion(instance) {
    const { _response } = await openBlobService(instance).getProperties();
    return _response.headers.get('server')?.split('/')[1] ?? 'unknown';
  },
  async provision(instance) {
    const service = openBlobService(instance);
    await service.getContainerClient(blobContainer).createIfNotExists();
    // A browser may PUT to a presigned URL from any page: the signature is the permission, not the origin.
    await service.setProperties({
      cors: [
        {
          allowedOrigins: '*',
          allowedMethods: 'PUT,OPTIONS',
          allowedHeaders: 'content-type,x-ms-blob-type,x-ms-blob-content-type,x-ms-version',
          exposedHeaders: 'etag,x-ms-request-id',
          maxAgeInSeconds: 3600,
        },
      ],
    });
  },
};

export function openBlobService({ ports, secrets }: Instance): BlobServiceClient {
  const credential = new StorageSharedKeyCredential(blobAccount, secrets.blobAccountKey);
  return new BlobServiceClient(`http://127.0.0.1:${ports.azurite}/${blobAccount}`, credential, {
    retryOptions: { maxTries: 1, tryTimeoutInMs: 5000 },
  });
}
