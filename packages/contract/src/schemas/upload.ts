import { z } from 'zod';
import { partBytesMin, partCountMax } from '../limits.ts';
import { optional } from './member.ts';

const blobPath = z.string().meta({
  description: 'Storage path of the file: `<workspace_id>/<uuid>-<filename>`. Use it unchanged.',
});

const declaredBytes = optional(z.int().min(0)).meta({
  description:
    'Exact size of the file in bytes. A larger file than the category allows is refused at once; with storage in S3, the URL accepts only a file of this size.',
  examples: [7340032],
});

const partCount = z
  .int()
  .min(1)
  .max(partCountMax)
  .meta({
    description: `Number of parts, 1 to ${partCountMax}. Every part except the last must have at least ${partBytesMin / 1024 / 1024} MiB.`,
  });

export const UploadUrlRequest = z
  .strictObject({
    filename: z.string().min(1).meta({ description: 'Original file name, up to 255 bytes in UTF-8.' }),
    contentType: z.string().meta({ description: 'MIME type of the file; parameters and case are ignored.' }),
    sizeBytes: declaredBytes,
  })
  .meta({ id: 'UploadUrlRequest' });

export const UploadRenewRequest = z
  .strictObject({ blobPath, sizeBytes: declaredBytes })
  .meta({ id: 'UploadRenewRequest' });

export const UploadPartsRequest = z.strictObject({ blobPath, partCount }).meta({ id: 'UploadPartsRequest' });

const expiresAt = z.iso.datetime();
const method = z.literal('PUT').meta({ description: 'Method of the request to object storage.' });
// A list, because every JSON field name is camelCase (§2), and names of headers are not.
const headers = z.array(
  z.object({
    name: z.string().meta({ description: 'Name of the header.', examples: ['x-ms-blob-type'] }),
    value: z.string().meta({ description: 'Value of the header.', examples: ['BlockBlob'] }),
  }),
);

// §2.5
export const UploadUrl = z
  .object({
    uploadUrl: z.url().meta({ description: 'PUT the file here with the header `x-ms-blob-type: BlockBlob`.' }),
    blobPath,
    expiresAt: expiresAt.meta({
      description: 'The URL accepts the file until this time, one hour after it was issued.',
    }),
    method,
    headers: headers.meta({
      description:
        'Headers to send with the file. Those that this storage does not need are left out; sending `x-ms-blob-type: BlockBlob` is always right.',
    }),
  })
  .meta({ id: 'UploadUrl', description: 'A URL that accepts one file.' });

export const UploadParts = z
  .object({
    blobPath,
    expiresAt: expiresAt.meta({
      description: 'The URLs accept parts until this time, one hour after they were issued.',
    }),
    method,
    headers: headers.meta({ description: 'Headers to send with each part. Often there are none.', examples: [[]] }),
    parts: z
      .array(
        z.object({
          partNumber: z.int().min(1).meta({ description: 'Position of the part in the file, from 1.' }),
          uploadUrl: z.url().meta({ description: 'Send this part here, without the API key.' }),
          sizeBytes: z
            .int()
            .min(0)
            .nullable()
            .meta({ description: 'Size of the part if it is already stored; null if it is not.' }),
        }),
      )
      .meta({ description: 'One URL for each part, in order.' }),
  })
  .meta({ id: 'UploadParts', description: 'URLs that accept the parts of one file.' });

export const DirectUpload = z
  .object({
    blobPath,
    sizeBytes: z.int().min(0).meta({ description: 'Size of the stored file in bytes.' }),
    contentType: z.string().meta({
      description: 'Content type of the file in its usual spelling, even if the upload used an alias.',
    }),
  })
  .meta({ id: 'DirectUpload' });
