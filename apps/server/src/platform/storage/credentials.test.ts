import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { blobAccount, openInstance } from '@assay/stack/instance.ts';
import { makeTlsScenarios } from '@assay/testing/faults/server-certificates.ts';
import { openTlsAzurite } from '@assay/testing/faults/tls-servers.ts';
import { openTestApi, testEnvironment } from '@assay/testing/service/api.ts';
import { startServerProcess } from '@assay/testing/service/api-process.ts';
import { createClient } from '@assay/testing/service/client.ts';
import { openContainerCredentials, openManagedIdentity } from '@assay/testing/storage/credential-services.ts';
import { stores } from '@assay/testing/storage/stores.ts';
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { AzureSettings } from './azure/settings.ts';
import { openBlobs } from './blobs.ts';
import { openS3Credentials } from './s3/s3-credentials.ts';
import type { S3Settings } from './s3/settings.ts';
import { storeVariables } from './stores.ts';

const s3 = stores[1]?.settings as S3Settings & {
  credentials: { accessKeyId: string; secretAccessKey: string };
};
const instance = openInstance('test');
const inMinutes = (count: number) => new Date(Date.now() + count * 60_000);
const { liveKey } = await (await openTestApi()).makeWorkspace();

function stubEnvironment(environment: Record<string, string>): void {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** Starts the API in this environment, uploads a file to a presigned URL, and returns the URL and the log. */
async function uploadWith(environment: Record<string, string>) {
  const log: Record<string, unknown>[] = [];
  const base = testEnvironment();
  const withoutStore = Object.entries(base).filter(([name]) => name !== 'OBJECT_STORE' && !(name in storeVariables));
  const settings = { ...Object.fromEntries(withoutStore), ...environment };
  const api = await startServerProcess('api', settings, { onEntry: (entry) => log.push(entry) });
  onTestFinished(() => void api.stop());
  const { status, body } = await createClient(api.url, liveKey).post('/uploads/url', {
    filename: 'a.txt',
    contentType: 'text/plain',
  });
  expect(status).toBe(200);
  const put = { method: 'PUT', headers: { 'x-ms-blob-type': 'BlockBlob' }, body: 'hello' };
  const stored = await fetch(body.uploadUrl, put);
  const storeLines = () => log.filter(({ msg }) => `${msg}`.startsWith('object store'));
  await expect.poll(storeLines).toHaveLength(1);
  return { stored: stored.status, body, url: new URL(body.uploadUrl), line: storeLines()[0], log };
}

describe('S3 without keys in the configuration', () => {
  const withoutKeys = { ...s3, credentials: undefined };
  const settings = {
    OBJECT_STORE: 's3',
    S3_ENDPOINT: s3.endpoint as string,
    S3_BUCKET: s3.bucket,
  };

  test("uses the container's credentials, and logs their source", async () => {
    const service = await openContainerCredentials(s3.credentials);
    onTestFinished(service.close);
    const { stored, line, log } = await uploadWith({ ...settings, ...service.environment });
    expect(stored).toBe(200);
    expect(line).toMatchObject({
      store: 's3',
      endpoint: `${s3.endpoint}/`,
      container: s3.bucket,
      credentials: 'container credentials endpoint',
    });
    expect(JSON.stringify(log)).not.toContain(s3.credentials.secretAccessKey);
  });

  test('includes the session token of temporary credentials in a URL', async () => {
    const token = randomUUID();
    const service = await openContainerCredentials(s3.credentials, token);
    onTestFinished(service.close);
    stubEnvironment(service.environment);
    const blobs = openBlobs(withoutKeys);
    const url = new URL(await blobs.signUpload(blobs.home, 'a', inMinutes(60)));
    expect(url.searchParams.get('X-Amz-Security-Token')).toBe(token);
    expect(service.requests(), 'both clients use the same').toBe(1);
  });

  test('signs a URL that expires with the credentials, and returns that time in the response', async () => {
    const service = await openContainerCredentials(s3.credentials);
    onTestFinished(service.close);
    service.state.expiresAt = inMinutes(20);
    const { stored, body, url } = await uploadWith({ ...settings, ...service.environment });
    expect(stored).toBe(200);
    const signedAt = url.searchParams.get('X-Amz-Date') as string;
    const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(signedAt) as RegExpExecArray;
    const [year, month, day, ...time] = parts.map(Number) as [number, number, number, ...number[]];
    const signedMillis = Date.UTC(year, month - 1, day, ...time);
    const urlExpiresAt = signedMillis + Number(url.searchParams.get('X-Amz-Expires')) * 1000;
    expect(urlExpiresAt).toBe(Math.floor(service.state.expiresAt.getTime() / 1000) * 1000);
    expect(body.expiresAt).toBe(new Date(urlExpiresAt).toISOString());
  });

  test('renews credentials that expire too soon for a URL, at most every 5 minutes', async () => {
    let now = 0;
    const calls: unknown[] = [];
    const provider = async (options?: object) => {
      calls.push(options);
      const expiration = options ? inMinutes(90) : inMinutes(30);
      return { accessKeyId: 'a', secretAccessKey: 'b', expiration };
    };
    const credentials = openS3Credentials(provider, false, () => now);
    const wanted = inMinutes(60);
    expect((await credentials.latestExpiry(wanted)).getTime()).toBeLessThan(wanted.getTime());
    now = 4 * 60_000;
    await credentials.latestExpiry(wanted);
    expect(calls).toEqual([undefined, undefined]);
    now = 5 * 60_000;
    expect(await credentials.latestExpiry(wanted)).toBe(wanted);
    expect(calls.at(-1)).toEqual({ forceRefresh: true });
  });

  test('reports a failing credential source as storage_unavailable, with an error about the credentials', async () => {
    stubEnvironment({ AWS_EC2_METADATA_DISABLED: 'true' });
    const blobs = openBlobs(withoutKeys);
    const unavailable = { code: 'storage_unavailable' };
    await expect(blobs.latestExpiry(blobs.home, inMinutes(60))).rejects.toMatchObject(unavailable);
    await expect(blobs.signUpload(blobs.home, 'a', inMinutes(60))).rejects.toMatchObject(unavailable);
    await expect(blobs.checkHealth()).rejects.toMatchObject(unavailable);
    await expect(blobs.stores[0]?.describeCredentials()).rejects.toThrow('credentials');
  });
});

describe('Azure without an account key', async () => {
  const { valid } = await makeTlsScenarios();
  const azurite = await openTlsAzurite();
  afterAll(azurite.close);
  await azurite.start(valid.server);
  setDefaultCACertificates([...getCACertificates(), readFileSync(valid.trusted, 'utf8')]);
  const owner = new StorageSharedKeyCredential(blobAccount, instance.secrets.blobAccountKey);
  const container = new BlobServiceClient(azurite.url, owner).getContainerClient(`c${randomUUID()}`);
  await container.create();
  const settings: AzureSettings = {
    store: 'azure',
    url: azurite.url,
    publicUrl: azurite.url,
    account: blobAccount,
    accountKey: undefined,
    container: container.containerName,
  };

  test('signs upload URLs with a key of the managed identity, and logs that identity', async () => {
    const service = await openManagedIdentity();
    onTestFinished(service.close);
    const { stored, url, body, line, log } = await uploadWith({
      BLOB_URL: azurite.url,
      BLOB_ACCOUNT: blobAccount,
      BLOB_CONTAINER: container.containerName,
      NODE_EXTRA_CA_CERTS: valid.trusted,
      ...service.environment,
    });
    expect(stored).toBe(201);
    expect(await container.getBlobClient(body.blobPath).exists()).toBe(true);
    const expiry = (name: string) => new Date(url.searchParams.get(name) as string).getTime();
    expect(url.searchParams.get('skoid'), 'signed with a delegation key').toBeTruthy();
    expect(expiry('se')).toBeLessThan(expiry('ske'));
    expect(line).toMatchObject({ store: 'azure', endpoint: azurite.url, credentials: 'ManagedIdentityCredential' });
    expect(JSON.stringify(log)).not.toContain(service.token);
  });

  test('stores, reads and deletes blobs with the managed identity', async () => {
    const service = await openManagedIdentity();
    onTestFinished(service.close);
    stubEnvironment(service.environment);
    const blobs = openBlobs(settings);
    await blobs.put('a/b.txt', () => Readable.from([Buffer.from('hello')]), 5, 'text/plain');
    const snapshot = await blobs.openSnapshot(blobs.home, 'a/b.txt', AbortSignal.timeout(10_000));
    expect(snapshot?.sizeBytes).toBe(5);
    await blobs.removeAll(blobs.home, 'a/');
    await blobs.checkHealth();
  });

  test('reports a failing identity service as storage_unavailable', async () => {
    const service = await openManagedIdentity();
    onTestFinished(service.close);
    // Uses a different client id, because the library caches tokens; `prod` skips credentials that need other programs.
    const other = { AZURE_CLIENT_ID: randomUUID(), AZURE_TOKEN_CREDENTIALS: 'prod' };
    stubEnvironment({ ...service.environment, IDENTITY_HEADER: 'wrong', ...other });
    const blobs = openBlobs(settings);
    const unavailable = { code: 'storage_unavailable' };
    await expect(blobs.latestExpiry(blobs.home, inMinutes(60))).rejects.toMatchObject(unavailable);
    const signal = AbortSignal.timeout(10_000);
    await expect(blobs.openSnapshot(blobs.home, 'a', signal)).rejects.toMatchObject(unavailable);
  });
});
