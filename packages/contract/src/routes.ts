import { Me } from './me.ts';
import { oneFile, type Route } from './route.ts';
import { DirectUpload, UploadRenewRequest, UploadUrl, UploadUrlRequest } from './upload.ts';

const exampleWorkspace = '0190a5c2-7b1e-7cc3-98c4-dc0c0c07398f';
const exampleBlobPath = `${exampleWorkspace}/0190a5c3-1d2f-7a55-b0b4-2f1d5a0e9c11-spring-ad.mp4`;
const exampleUploadUrl = {
  uploadUrl: `https://media.example.com/media/${exampleBlobPath}?sp=cw&se=2026-01-05T10%3A00%3A00Z&sr=b&sig=…`,
  blobPath: exampleBlobPath,
  expiresAt: '2026-01-05T10:00:00.000Z',
};

/** The one list of endpoints: validation, serialising, handler types, the document and the tests come from it. */
export const routes = {
  createUploadUrl: {
    method: 'POST',
    path: '/uploads/url',
    bucket: 'upload',
    tag: 'Uploads',
    summary: 'Get a URL to upload one file',
    description:
      'Returns a URL that takes the bytes of one file for one hour. PUT them there with the header `x-ms-blob-type: BlockBlob` and without the API key; files over 5000 MiB go up in blocks.',
    body: UploadUrlRequest,
    success: { status: 200, description: 'Where to put the bytes.', body: UploadUrl },
    refusals: ['invalid_filename', 'content_type_not_allowed', 'content_type_mismatch', 'validation_failed'],
    examples: { request: { filename: 'spring-ad.mp4', contentType: 'video/mp4' }, response: exampleUploadUrl },
    links: { renewUploadUrl: { blobPath: '$response.body#/blobPath' } },
  },
  renewUploadUrl: {
    method: 'POST',
    path: '/uploads/renew',
    bucket: 'upload',
    tag: 'Uploads',
    summary: 'Get a fresh URL for the same blob path',
    description: 'For an upload that did not begin or end within its hour: same path, another hour.',
    body: UploadRenewRequest,
    success: { status: 200, description: 'Where to put the bytes.', body: UploadUrl },
    refusals: ['invalid_blob_path', 'validation_failed'],
    examples: { request: { blobPath: exampleBlobPath }, response: exampleUploadUrl },
  },
  uploadDirect: {
    method: 'POST',
    path: '/uploads/direct',
    bucket: 'upload',
    tag: 'Uploads',
    summary: 'Upload a file of at most 10 MB',
    description:
      'Takes multipart/form-data with one file part named `file`. A part without a type, or with `application/octet-stream`, takes the type of its extension.',
    body: oneFile,
    success: { status: 201, description: 'The file is stored.', body: DirectUpload },
    refusals: [
      'invalid_filename',
      'direct_upload_too_large',
      'content_type_not_allowed',
      'content_type_mismatch',
      'validation_failed',
      'storage_unavailable',
    ],
    examples: {
      response: { blobPath: exampleBlobPath, sizeBytes: 7340032, contentType: 'video/mp4' },
    },
    links: { renewUploadUrl: { blobPath: '$response.body#/blobPath' } },
  },
  getMe: {
    method: 'GET',
    path: '/me',
    bucket: 'submission_read',
    tag: 'Account',
    summary: 'See which workspace and key you use',
    description: 'The workspace, mode and tier behind the API key, and the credits spent.',
    success: { status: 200, description: 'Who you are here.', body: Me },
    refusals: [],
    examples: {
      response: {
        workspaceId: exampleWorkspace,
        mode: 'live',
        tier: 'pro',
        keyPrefix: 'sk_live_3f9c',
        credits: { used: 128 },
      },
    },
  },
} as const satisfies Record<string, Route>;

export type Routes = typeof routes;
export type RouteName = keyof Routes;
export const routeNames = Object.keys(routes) as RouteName[];
