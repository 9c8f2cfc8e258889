import { z } from 'zod';
import { blobPathBytesMax, filenameBytesMax, partBytesMin, partCountMax, sentFilenameBytesMax } from '../limits.ts';
import { exampleContentSha256 } from './examples.ts';
import { optional } from './member.ts';

const blobPath = z.string().meta({
  description: 'Storage path of the file: `<workspace_id>/<uuid>-<filename>`. Use it unchanged.',
});
// Handlers check the length of names and paths: one that is too long is refused with 403, like any other that is not
// accepted (§4.1, §4.3), and a schema would count characters instead of bytes.
const requestBlobPath = blobPath.meta({
  description: `The \`blobPath\` that the upload returned, unchanged; up to ${blobPathBytesMax} bytes in UTF-8.`,
});

const declaredBytes = optional(z.int().min(0)).meta({
  description:
    'Exact size of the file in bytes. The upload counts against the storage quota with this size, and without it with the largest of its category until the file is stored. A larger file than the category allows is refused at once. A submission is refused if the stored file has another size (`size_mismatch`); with storage in S3, the URL accepts only a file of this size.',
  examples: [7340032],
});

const declaredSha256 = optional(z.string().regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits.')).meta({
  description:
    'SHA-256 of the file, as 64 hexadecimal digits. If the stored file has another hash, its asset fails with `content_mismatch` and is not checked.',
  examples: [exampleContentSha256],
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
    filename: z
      .string()
      .min(1)
      .meta({
        description: `Original file name, up to ${filenameBytesMax} bytes in UTF-8 after normalisation to NFC, and ${sentFilenameBytesMax} as sent.`,
      }),
    contentType: z.string().meta({ description: 'MIME type of the file; parameters and case are ignored.' }),
    sizeBytes: declaredBytes,
    contentSha256: declaredSha256,
  })
  .meta({ id: 'UploadUrlRequest' });

export const UploadRenewRequest = z
  .strictObject({ blobPath: requestBlobPath, sizeBytes: declaredBytes, contentSha256: declaredSha256 })
  .meta({ id: 'UploadRenewRequest' });

export const UploadPartsRequest = z
  .strictObject({ blobPath: requestBlobPath, partCount, contentSha256: declaredSha256 })
  .meta({ id: 'UploadPartsRequest' });

export const UploadCompleteRequest = z
  .strictObject({ blobPath: requestBlobPath, partCount })
  .meta({ id: 'UploadCompleteRequest' });

const expiresAt = z.iso.datetime();
const method = z.literal('PUT').meta({ description: 'Method of the request to object storage.' });
// A list, because every JSON field name is in camelCase (§2) and header names are not.
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

const storedFileMembers = {
  blobPath,
  sizeBytes: z.int().min(0).meta({ description: 'Size of the stored file in bytes.' }),
  contentType: z.string().meta({
    description: 'Content type of the file in its usual spelling, even if the upload used an alias.',
  }),
};

export const CompletedUpload = z.object(storedFileMembers).meta({ id: 'CompletedUpload' });

export const DirectUpload = z
  .object({
    ...storedFileMembers,
    contentSha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({
        description: 'SHA-256 of the stored file, in lower-case hexadecimal.',
        examples: [exampleContentSha256],
      }),
  })
  .meta({ id: 'DirectUpload' });
