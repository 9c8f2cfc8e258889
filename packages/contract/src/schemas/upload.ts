import { z } from 'zod';

const blobPath = z.string().meta({
  description: 'Storage path of the file: `<workspace_id>/<uuid>-<filename>`. Use it unchanged.',
});

export const UploadUrlRequest = z
  .strictObject({
    filename: z.string().min(1).meta({ description: 'Original file name, up to 255 bytes in UTF-8.' }),
    contentType: z.string().meta({ description: 'MIME type of the file; parameters and case are ignored.' }),
  })
  .meta({ id: 'UploadUrlRequest' });

export const UploadRenewRequest = z.strictObject({ blobPath }).meta({ id: 'UploadRenewRequest' });

// §2.5
export const UploadUrl = z
  .object({
    uploadUrl: z.url().meta({ description: 'PUT the file here with the header `x-ms-blob-type: BlockBlob`.' }),
    blobPath,
    expiresAt: z.iso.datetime().meta({
      description: 'The URL accepts the file until this time, one hour after it was issued.',
    }),
  })
  .meta({ id: 'UploadUrl', description: 'A URL that accepts one file.' });

export const DirectUpload = z
  .object({
    blobPath,
    sizeBytes: z.int().min(0).meta({ description: 'Size of the stored file in bytes.' }),
    contentType: z.string().meta({
      description: 'Content type of the file in its usual spelling, even if the upload used an alias.',
    }),
  })
  .meta({ id: 'DirectUpload' });
