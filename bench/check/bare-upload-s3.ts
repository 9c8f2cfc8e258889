import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';

/** The baseline of `pnpm bench check --storage s3`: the vendor's client with our part size and concurrency. */
const [endpoint = '', accessKeyId = '', secretAccessKey = '', bucket = '', ...files] = process.argv.slice(2);
const MiB = 1024 * 1024;
const partsFromBytes = 64 * MiB;
const client = new S3Client({
  endpoint,
  region: 'us-east-1',
  forcePathStyle: true,
  credentials: { accessKeyId, secretAccessKey },
});
const filesLeft = [...files];
const uploaders = Array.from({ length: 4 }, async () => {
  for (let file = filesLeft.shift(); file !== undefined; file = filesLeft.shift()) {
    const { size } = statSync(file);
    await new Upload({
      client,
      params: { Bucket: bucket, Key: `bare/${basename(file)}`, Body: createReadStream(file) },
      // A file of one part is sent in one request.
      partSize: size < partsFromBytes ? partsFromBytes : 8 * MiB,
      queueSize: 4,
    }).done();
  }
});
await Promise.all(uploaders);
