import { directUploadBytesMax, MiB } from '../limits.ts';
import { oneFile, type Route } from '../route.ts';
import { exampleBlobPath, exampleContentSha256 } from '../schemas/examples.ts';
import {
  CompletedUpload,
  DirectUpload,
  UploadCompleteRequest,
  UploadParts,
  UploadPartsRequest,
  UploadRenewRequest,
  UploadUrl,
  UploadUrlRequest,
} from '../schemas/upload.ts';

const uploadUrl = `https://media.example.com/media/${exampleBlobPath}?sp=cw&se=2026-01-05T10%3A00%3A00Z&sr=b&sig=signature`;
const exampleUploadUrl = {
  uploadUrl,
  blobPath: exampleBlobPath,
  expiresAt: '2026-01-05T10:00:00.000Z',
  method: 'PUT',
  headers: [
    { name: 'x-ms-blob-type', value: 'BlockBlob' },
    { name: 'content-type', value: 'video/mp4' },
  ],
} as const;
const exampleParts = {
  blobPath: exampleBlobPath,
  expiresAt: '2026-01-05T10:00:00.000Z',
  method: 'PUT',
  headers: [],
  parts: [
    { partNumber: 1, uploadUrl: `${uploadUrl}&comp=block&blockid=MDAwMQ%3D%3D`, sizeBytes: 8388608 },
    { partNumber: 2, uploadUrl: `${uploadUrl}&comp=block&blockid=MDAwMg%3D%3D`, sizeBytes: null },
  ],
} as const;
const examplePartsRequest = { blobPath: exampleBlobPath, partCount: 2 };

export const uploadRoutes = {
  createUploadUrl: {
    method: 'POST',
    path: '/uploads/url',
    bucket: 'upload',
    scope: 'submit',
    role: 'reviewer',
    audit: null,
    tag: 'Uploads',
    summary: 'Get a URL to upload one file',
    description:
      'Returns a URL that accepts one file for one hour. PUT the file there with the header `x-ms-blob-type: BlockBlob` and without the API key. Large files are better uploaded in parts (`POST /uploads/parts`); files over 5,000 MiB must be.',
    body: UploadUrlRequest,
    success: { status: 200, description: 'The upload URL.', body: UploadUrl },
    refusals: [
      'invalid_filename',
      'content_type_not_allowed',
      'content_type_mismatch',
      'asset_too_large',
      'storage_quota_reached',
    ],
    examples: {
      request: {
        filename: 'spring-ad.mp4',
        contentType: 'video/mp4',
        sizeBytes: 7340032,
        contentSha256: exampleContentSha256,
      },
      response: exampleUploadUrl,
    },
    links: {
      renewUploadUrl: { body: { blobPath: '$response.body#/blobPath' } },
      createUploadParts: { body: { blobPath: '$response.body#/blobPath', partCount: 2 } },
    },
  },
  renewUploadUrl: {
    method: 'POST',
    path: '/uploads/renew',
    bucket: 'upload',
    scope: 'submit',
    role: 'reviewer',
    audit: null,
    tag: 'Uploads',
    summary: 'Get a new URL for the same blob path',
    description:
      'For an upload that did not finish within one hour: returns a URL for the same blob path, valid for another hour.',
    body: UploadRenewRequest,
    success: { status: 200, description: 'The upload URL.', body: UploadUrl },
    refusals: ['invalid_blob_path', 'live_upload', 'asset_too_large', 'storage_quota_reached', 'storage_unavailable'],
    examples: { request: { blobPath: exampleBlobPath }, response: exampleUploadUrl },
  },
  createUploadParts: {
    method: 'POST',
    path: '/uploads/parts',
    bucket: 'upload',
    scope: 'submit',
    role: 'reviewer',
    audit: null,
    tag: 'Uploads',
    summary: 'Get URLs to upload a large file in parts',
    description:
      'Returns a URL for each part of the file; the blob path comes from `POST /uploads/url`. Send the parts in any order, several at once, then call `POST /uploads/parts/complete`. Call it again to resume an upload, or when the URLs expired: stored parts are kept, and `sizeBytes` tells which ones are. Parts that are not completed within 48 hours are deleted.',
    body: UploadPartsRequest,
    success: { status: 200, description: 'The URLs of the parts.', body: UploadParts },
    refusals: ['invalid_blob_path', 'live_upload', 'storage_quota_reached', 'storage_unavailable'],
    examples: { request: examplePartsRequest, response: exampleParts },
  },
  completeUploadParts: {
    method: 'POST',
    path: '/uploads/parts/complete',
    bucket: 'upload',
    scope: 'submit',
    role: 'reviewer',
    audit: null,
    tag: 'Uploads',
    summary: 'Join the uploaded parts to the file',
    description:
      'Call it when all parts are stored. It can be repeated: a file that is already complete gets the same response. A file that is larger than its category allows is refused, and never stored.',
    body: UploadCompleteRequest,
    success: { status: 200, description: 'The file is stored.', body: CompletedUpload },
    refusals: [
      'invalid_blob_path',
      'live_upload',
      'parts_missing',
      'part_too_small',
      'asset_too_large',
      'storage_unavailable',
    ],
    examples: {
      request: examplePartsRequest,
      response: { blobPath: exampleBlobPath, sizeBytes: 12582912, contentType: 'video/mp4' },
    },
    links: { createSubmission: { body: { assets: [{ blobPath: '$response.body#/blobPath' }] } } },
  },
  uploadDirect: {
    method: 'POST',
    path: '/uploads/direct',
    bucket: 'upload',
    scope: 'submit',
    role: 'reviewer',
    audit: null,
    tag: 'Uploads',
    summary: `Upload a file of up to ${directUploadBytesMax / MiB} MB`,
    description:
      'Accepts multipart/form-data with one file part named `file`. A part without a content type, or with `application/octet-stream`, gets the content type of its file extension.',
    body: oneFile,
    success: { status: 201, description: 'The file is stored.', body: DirectUpload },
    refusals: [
      'invalid_filename',
      'direct_upload_too_large',
      'content_type_not_allowed',
      'content_type_mismatch',
      'storage_quota_reached',
      'storage_unavailable',
    ],
    examples: {
      response: {
        blobPath: exampleBlobPath,
        sizeBytes: 7340032,
        contentType: 'video/mp4',
        contentSha256: exampleContentSha256,
      },
    },
    links: {
      renewUploadUrl: { body: { blobPath: '$response.body#/blobPath' } },
      createSubmission: { body: { assets: [{ blobPath: '$response.body#/blobPath' }] } },
    },
  },
} as const satisfies Record<string, Route>;
