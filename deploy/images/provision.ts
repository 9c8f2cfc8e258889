import { readConfig } from '@assay/server/config/config.ts';
import { stores } from '@assay/server/platform/storage/stores.ts';
import { engineSecurityOf } from '@assay/server/start/open-platform.ts';
import { createBucket } from '@assay/stack/provision/create-bucket.ts';
import { registerNamespace } from '@assay/stack/provision/register-namespace.ts';
import { S3 } from '@aws-sdk/client-s3';
import { Connection } from '@temporalio/client';

// Creates the bucket and the Temporal namespace if they are missing. For compose.yaml: elsewhere an operator creates
// them, with the rights and retention of their choice.

const config = readConfig();
if (config.OBJECT_STORE !== 's3') throw new Error('OBJECT_STORE must be s3: provision creates no Azure container.');
const { bucket, endpoint, region, isPathStyle, credentials } = stores.s3.settingsOf(config);
const s3 = new S3({
  ...(endpoint && { endpoint }),
  region,
  forcePathStyle: isPathStyle,
  ...(credentials && { credentials }),
});
await createBucket(s3, bucket);
const connection = await Connection.connect({ address: config.TEMPORAL_ADDRESS, ...engineSecurityOf(config) });
await registerNamespace(connection, config.TEMPORAL_NAMESPACE);
await connection.close();
console.log(`The bucket ${bucket} and the namespace ${config.TEMPORAL_NAMESPACE} exist.`);
