import type { Call, CallOptions, Settings } from '../call.ts';
import { type UploadOptions, upload } from '../upload.ts';
import type { UploadRenewRequest, UploadUrlRequest } from '../wire.generated.ts';

export const uploads = (call: Call, settings: Settings) => ({
  /** Brings a file of any size to the storage: the way to go unless you have reasons for another. */
  upload: (file: Blob, options?: UploadOptions) => upload(call, settings, file, options),
  createUrl: (body: UploadUrlRequest, options?: CallOptions) => call('createUploadUrl', { params: [], body }, options),
  renew: (body: UploadRenewRequest, options?: CallOptions) => call('renewUploadUrl', { params: [], body }, options),
  direct: (file: Blob, filename: string, options?: CallOptions) => {
    const body = new FormData();
    body.append('file', file, filename);
    return call('uploadDirect', { params: [], body }, options);
  },
});
