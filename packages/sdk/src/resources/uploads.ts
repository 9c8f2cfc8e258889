import type { Call, CallOptions, Settings } from '../call.ts';
import { type UploadOptions, upload } from '../upload/upload.ts';
import type { UploadSource } from '../upload/upload-source.ts';
import type {
  UploadCompleteRequest,
  UploadPartsRequest,
  UploadRenewRequest,
  UploadUrlRequest,
} from '../wire.generated.ts';

export const uploads = (call: Call, settings: Settings) => ({
  /**
   * Uploads a file of any size: a Blob, a File, or a file opened with `openFile` of `@assay/sdk/node`. Recommended; the
   * other methods are its building blocks.
   */
  upload: (file: UploadSource, options?: UploadOptions) => upload(call, settings, file, options),
  createUrl: (body: UploadUrlRequest, options?: CallOptions) => call('createUploadUrl', { params: [], body }, options),
  renew: (body: UploadRenewRequest, options?: CallOptions) => call('renewUploadUrl', { params: [], body }, options),
  createParts: (body: UploadPartsRequest, options?: CallOptions) =>
    call('createUploadParts', { params: [], body }, options),
  completeParts: (body: UploadCompleteRequest, options?: CallOptions) =>
    call('completeUploadParts', { params: [], body }, options),
  direct: (file: Blob, filename: string, options?: CallOptions) => {
    const body = new FormData();
    body.append('file', file, filename);
    return call('uploadDirect', { params: [], body }, options);
  },
});
