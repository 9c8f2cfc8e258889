import type { uploadRoutes } from '@assay/contract/routes/uploads.ts';
import { curlCommand, type SamplesOf, tsProgram } from './sample.ts';

const postBlobPath = (path: string, more = '') => String.raw`
curl -sS --fail-with-body -H "X-API-Key: $ASSAY_API_KEY" \
  "$API${path}" -H 'Content-Type: application/json' \
  -d "{\"blobPath\": \"$BLOB_PATH\"${more}}"`;

const submitInParts = `
# Uploads files over 64 MiB in parts.
assay submit spring-ad.mp4`;

const importReadFile = "import { readFile } from 'node:fs/promises';";

export const uploadSamples: SamplesOf<typeof uploadRoutes> = {
  createUploadUrl: {
    curl: curlCommand(String.raw`"$API/uploads/url" -H 'Content-Type: application/json' \
  -d '{"filename": "spring-ad.mp4", "contentType": "video/mp4"}'`),
    ts: tsProgram(
      `
const body = await readFile('spring-ad.mp4');
const file = { filename: 'spring-ad.mp4', contentType: 'video/mp4' };
const url = await assay.uploads.createUrl(file);
const entries = url.headers.map(({ name, value }) => [name, value]);
const headers = Object.fromEntries(entries);
await fetch(url.uploadUrl, { method: url.method, headers, body });
console.log(url.blobPath);`,
      importReadFile,
    ),
    cli: `
# Uploads the file and submits it. Over 1 MiB, it uses an upload URL.
assay submit spring-ad.mp4`,
  },
  renewUploadUrl: {
    curl: postBlobPath('/uploads/renew'),
    ts: tsProgram(`
const renewed = await assay.uploads.renew({ blobPath: BLOB_PATH });
console.log(renewed.uploadUrl, renewed.expiresAt);`),
    cli: `
# Renews the URL automatically if it expires during the upload.
assay submit spring-ad.mp4`,
  },
  createUploadParts: {
    curl: postBlobPath('/uploads/parts', String.raw`, \"partCount\": 2`),
    ts: tsProgram(`
const { parts } = await assay.uploads.createParts({
  blobPath: BLOB_PATH,
  partCount: 2,
});
for (const { partNumber, uploadUrl, sizeBytes } of parts) {
  console.log(partNumber, sizeBytes ?? uploadUrl);
}`),
    cli: submitInParts,
  },
  completeUploadParts: {
    curl: postBlobPath('/uploads/parts/complete', String.raw`, \"partCount\": 1`),
    ts: tsProgram(`
const { sizeBytes } = await assay.uploads.completeParts({
  blobPath: BLOB_PATH,
  partCount: 1,
});
console.log(sizeBytes);`),
    cli: submitInParts,
  },
  uploadDirect: {
    curl: curlCommand('"$API/uploads/direct" -F file=@notice.txt'),
    ts: tsProgram(
      `
const file = new Blob([await readFile('notice.txt')]);
const { blobPath } = await assay.uploads.direct(file, 'notice.txt');
console.log(blobPath);`,
      importReadFile,
    ),
    cli: `
# Uploads the file and submits it.
assay submit notice.txt`,
  },
};
