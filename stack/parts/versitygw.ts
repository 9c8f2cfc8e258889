import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { S3 } from '@aws-sdk/client-s3';
import { cacheDir, type Instance, s3Bucket, s3Region } from '../instance.ts';
import type { Part } from '../part.ts';
import { versionInSetup } from '../versions.ts';

const version = versionInSetup('VERSITYGW_VERSION');

/** An S3 server that stores objects as files. Their metadata are extended attributes, which ext4, XFS and Btrfs have. */
export const versitygw: Part = {
  name: 'versitygw',
  // It answers a PUT once the file has its name, so SIGKILL loses nothing that was acknowledged.
  stopSignal: 'SIGTERM',
  address: ({ ports }) => `http://127.0.0.1:${ports.versitygw}`,
  async prepare(instance) {
    mkdirSync(join(instance.dir, 'versitygw'), { recursive: true });
  },
  command: (instance) => ({
    program: join(cacheDir, `versitygw-${version}`, 'versitygw'),
    args: [
      ['--port', `127.0.0.1:${instance.ports.versitygw}`],
      ['--region', s3Region],
      ['--quiet'],
      ['posix', join(instance.dir, 'versitygw')],
    ].flat(),
    env: {
      ROOT_ACCESS_KEY_ID: instance.secrets.s3AccessKeyId,
      ROOT_SECRET_ACCESS_KEY: instance.secrets.s3SecretAccessKey,
    },
  }),
  async readVersion(instance) {
    await openS3(instance).listBuckets();
    return version; // no response contains it
  },
  async provision(instance) {
    const s3 = openS3(instance);
    await s3.createBucket({ Bucket: s3Bucket }).catch((error) => {
      if (error.name !== 'BucketAlreadyOwnedByYou') throw error;
    });
    // A browser may PUT to a presigned URL from any page: the signature is the permission, not the origin.
    const rule = { AllowedOrigins: ['*'], AllowedMethods: ['PUT'], AllowedHeaders: ['*'], ExposeHeaders: ['ETag'] };
    await s3.putBucketCors({ Bucket: s3Bucket, CORSConfiguration: { CORSRules: [{ ...rule, MaxAgeSeconds: 3600 }] } });
  },
};

function openS3({ ports, secrets }: Instance): S3 {
  return new S3({
    endpoint: `http://127.0.0.1:${ports.versitygw}`,
    region: s3Region,
    forcePathStyle: true,
    credentials: { accessKeyId: secrets.s3AccessKeyId, secretAccessKey: secrets.s3SecretAccessKey },
    maxAttempts: 1,
    requestHandler: { requestTimeout: 5000, throwOnRequestTimeout: true },
  });
}
