import { oneFile, type Route } from '../route.ts';
import { exampleBlobPath } from '../schemas/examples.ts';
import { DirectUpload, UploadRenewRequest, UploadUrl, UploadUrlRequest } from '../schemas/upload.ts';

const exampleUploadUrl = {
  uploadUrl: `https://media.example.com/media/${exampleBlobPath}?sp=cw&se=2026-01-05T10%3A00%3A00Z&sr=b&sig=signature`,
  blobPath: exampleBlobPath,
  expiresAt: '2026-01-05T10:00:00.000Z',
};

export const uploadRoutes = {
  createUploadUrl: {
    method: 'POST',
    path: '/uploads/url',
    bucket: 'upload',
    tag: 'Uploads',
    summary: 'Get a URL to upload one file',
    description:
      'Returns a URL that accepts one file for one hour. PUT the file there with the header `x-ms-blob-type: BlockBlob` and without the API key. Files over 5,000 MiB must be uploaded in blocks.',
    body: UploadUrlRequest,
    success: { status: 200, description: 'The upload URL.', body: UploadUrl },
    refusals: ['invalid_filename', 'content_type_not_allowed', 'content_type_mismatch'],
    examples: { request: { filename: 'spring-ad.mp4', contentType: 'video/mp4' }, response: exampleUploadUrl },
    links: { renewUploadUrl: { body: { blobPath: '$response.body#/blobPath' } } },
  },
  renewUploadUrl: {
    method: 'POST',
    path: '/uploads/renew',
    bucket: 'upload',
    tag: 'Uploads',
    summary: 'Get a new URL for the same blob path',
    description:
      'For an upload that did not finish within one hour: returns a URL for the same blob path, valid for another hour.',
    body: UploadRenewRequest,
    success: { status: 200, description: 'The upload URL.', body: UploadUrl },
    refusals: ['invalid_blob_path', 'live_upload', 'storage_unavailable'],
    examples: { request: { blobPath: exampleBlobPath }, response: exampleUploadUrl },
  },
  uploadDirect: {
    method: 'POST',
    path: '/uploads/direct',
    bucket: 'upload',
    tag: 'Uploads',
    summary: 'Upload a file of up to 10 MB',
    description:
      'Accepts multipart/form-data with one file part named `file`. A part without a content type, or with `application/octet-stream`, gets the content type of its file extension.',
    body: oneFile,
    success: { status: 201, description: 'The file is stored.', body: DirectUpload },
    refusals: [
      'invalid_filename',
      'direct_upload_too_large',
      'content_type_not_allowed',
      'content_type_mismatch',
      'storage_unavailable',
    ],
    examples: {
      response: { blobPath: exampleBlobPath, sizeBytes: 7340032, contentType: 'video/mp4' },
    },
    links: {
      renewUploadUrl: { body: { blobPath: '$response.body#/blobPath' } },
      createSubmission: { body: { assets: [{ blobPath: '$response.body#/blobPath' }] } },
    },
  },
} as const satisfies Record<string, Route>;
