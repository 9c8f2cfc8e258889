import { basename } from 'node:path';
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob';

/** The baseline of `pnpm bench check`: the vendor's client with our block size and concurrency. */
const [url = '', account = '', key = '', container = '', ...files] = process.argv.slice(2);
const MiB = 1024 * 1024;
const client = new BlobServiceClient(url, new StorageSharedKeyCredential(account, key)).getContainerClient(container);
const filesLeft = [...files];
const uploaders = Array.from({ length: 4 }, async () => {
  for (let file = filesLeft.shift(); file !== undefined; file = filesLeft.shift()) {
    await client
      .getBlockBlobClient(`bare/${basename(file)}`)
      .uploadFile(file, { maxSingleShotSize: 64 * MiB, blockSize: 8 * MiB, concurrency: 4 });
  }
});
await Promise.all(uploaders);
