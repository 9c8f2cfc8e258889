import { readConfig } from '@assay/server/config/config.ts';
import { engineSecurityOf } from '@assay/server/start/open-platform.ts';
import { createBucket } from '@assay/stack/provision/create-bucket.ts';
import { registerNamespace } from '@assay/stack/provision/register-namespace.ts';
import { S3 } from '@aws-sdk/client-s3';
import { Connection } from '@temporalio/client';

// Creates the bucket and the Temporal namespace if they are missing. For compose.yaml: elsewhere an operator creates
// them, with the rights and retention of their choice.

const config = readConfig();
if (config.OBJECT_STORE !== 's3') throw new Error('OBJECT_STORE must be s3: provision creates no Azure container.');
const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
const s3 = new S3({
  ...(config.S3_ENDPOINT && { endpoint: config.S3_ENDPOINT }),
  region: config.S3_REGION,
  forcePathStyle: config.S3_FORCE_PATH_STYLE,
  ...(accessKeyId && { credentials: { accessKeyId, secretAccessKey } }),
});
await createBucket(s3, config.S3_BUCKET);
const connection = await Connection.connect({ address: config.TEMPORAL_ADDRESS, ...engineSecurityOf(config) });
await registerNamespace(connection, config.TEMPORAL_NAMESPACE);
await connection.close();
console.log(`The bucket ${config.S3_BUCKET} and the namespace ${config.TEMPORAL_NAMESPACE} exist.`);
