import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { S3 } from '@aws-sdk/client-s3';
import { buildGoTool, type GoTool, pathOfGoTool } from '../go-tool.ts';
import { type Instance, s3Bucket, s3Region } from '../instance.ts';
import type { Part } from '../part.ts';
import { createBucket } from '../provision/create-bucket.ts';
import { versionInSetup } from '../versions.ts';

const version = versionInSetup('VERSITYGW_VERSION');
export const versitygwTool: GoTool = {
  name: 'versitygw',
  version,
  module: 'github.com/versity/versitygw',
  main: './cmd/versitygw',
};

/** The bucket's folder: each object is a file in it, with its key as path. */
export const bucketFolderOf = (instance: Instance) => join(dataDir(instance), s3Bucket);

const addressOf = ({ ports }: Instance) => `http://127.0.0.1:${ports.versitygw}`;
const dataDir = (instance: Instance) => join(instance.dir, 'versitygw');

const versionsDir = (instance: Instance) => join(instance.dir, 'versitygw-versions');

/** An S3 server that stores objects as files. Metadata is in extended attributes, which ext4, XFS and Btrfs have. */
export const versitygw: Part = {
  name: 'versitygw',
  // versitygw answers a PUT only when the file is in its place, so SIGKILL loses nothing that was acknowledged.
  stopSignal: 'SIGTERM',
  address: addressOf,
  async prepare(instance) {
    buildGoTool(versitygwTool);
    for (const dir of [dataDir(instance), versionsDir(instance)]) mkdirSync(dir, { recursive: true });
  },
  command: (instance) => ({
    program: pathOfGoTool(versitygwTool),
    args: [
      ['--port', `127.0.0.1:${instance.ports.versitygw}`],
      ['--region', s3Region],
      ['--quiet'],
      // Only buckets with versioning use it: a test proves that doctor reports one.
      ['posix', '--versioning-dir', versionsDir(instance), dataDir(instance)],
    ].flat(),
    env: {
      ROOT_ACCESS_KEY_ID: instance.secrets.s3AccessKeyId,
      ROOT_SECRET_ACCESS_KEY: instance.secrets.s3SecretAccessKey,
    },
  }),
  async readVersion(instance) {
    await openS3(instance, addressOf(instance)).listBuckets();
    return version; // no response contains the version
  },
  provision: (instance) => createBucket(openS3(instance, addressOf(instance)), s3Bucket),
};

export function openS3({ secrets }: Instance, endpoint: string): S3 {
  return new S3({
    endpoint,
    region: s3Region,
    forcePathStyle: true,
    credentials: { accessKeyId: secrets.s3AccessKeyId, secretAccessKey: secrets.s3SecretAccessKey },
    maxAttempts: 1,
    requestHandler: { requestTimeout: 5000, throwOnRequestTimeout: true },
  });
}
