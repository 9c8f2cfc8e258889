import type { uploadRoutes } from '@assay/contract/routes/uploads.ts';
import { program, type SamplesOf } from './sample.ts';

export const uploadSamples: SamplesOf<typeof uploadRoutes> = {
  createUploadUrl: {
    curl: String.raw`
curl -sS --fail-with-body -H "X-API-Key: $ASSAY_API_KEY" \
  "$API/uploads/url" -H 'Content-Type: application/json' \
  -d '{"filename": "spring-ad.mp4", "contentType": "video/mp4"}'`,
    ts: `
import { openAsBlob } from 'node:fs';
import { Assay } from '@assay/sdk';

const assay = new Assay();
const { uploadUrl, blobPath } = await assay.uploads.createUrl({
  filename: 'spring-ad.mp4',
  contentType: 'video/mp4',
});
const body = await openAsBlob('spring-ad.mp4');
const headers = { 'x-ms-blob-type': 'BlockBlob' };
const { ok } = await fetch(uploadUrl, { method: 'PUT', headers, body });
console.log(ok ? blobPath : 'The upload failed.');`,
    cli: `
# Uploads the file and submits it. Over 1 MiB, it uses an upload URL.
assay submit spring-ad.mp4`,
  },
  renewUploadUrl: {
    curl: String.raw`
curl -sS --fail-with-body -H "X-API-Key: $ASSAY_API_KEY" \
  "$API/uploads/renew" -H 'Content-Type: application/json' \
  -d "{\"blobPath\": \"$BLOB_PATH\"}"`,
    ts: program(
      ['BLOB_PATH'],
      `
const renewed = await assay.uploads.renew({ blobPath: BLOB_PATH });
console.log(renewed.uploadUrl, renewed.expiresAt);`,
    ),
    cli: `
# Renews the URL automatically if it expires during the upload.
assay submit spring-ad.mp4`,
  },
  uploadDirect: {
    curl: String.raw`
curl -sS --fail-with-body -H "X-API-Key: $ASSAY_API_KEY" \
  "$API/uploads/direct" -F file=@notice.txt`,
    ts: `
import { openAsBlob } from 'node:fs';
import { Assay } from '@assay/sdk';

const assay = new Assay();
const file = await openAsBlob('notice.txt');
const { blobPath } = await assay.uploads.direct(file, 'notice.txt');
console.log(blobPath);`,
    cli: `
# Uploads the file and submits it.
assay submit notice.txt`,
  },
};
