import { toUnreadableFileError } from '../call.ts';
import { InvalidFileError } from '../errors.ts';
import { acceptedFiles, contentTypes } from '../wire.generated.ts';
import { detectFormat, headBytes } from './detect-format.ts';
import { readBytes, type UploadSource } from './upload-source.ts';

const MiB = 1024 * 1024;
const GiB = 1024 * MiB;
type Category = keyof typeof acceptedFiles;

const categoryNames: Record<Category, string> = {
  video: 'a video',
  audio: 'audio',
  image: 'an image',
  document: 'a document',
};

/** Rejects files before the upload, which can take an hour, if the service would reject them after it. */
export async function checkFile(filename: string, file: UploadSource): Promise<{ contentType: string }> {
  const extension = filename.includes('.') ? filename.slice(filename.lastIndexOf('.') + 1).toLowerCase() : '';
  const category = (Object.keys(acceptedFiles) as Category[]).find((one) =>
    acceptedFiles[one].extensions.includes(extension),
  );
  if (!category) {
    const reason = extension ? `.${extension} files are not supported` : 'the file has no extension';
    throw new InvalidFileError('content_type_not_allowed', `${filename}: ${reason}.`);
  }
  if (file.size === 0) throw new InvalidFileError('file_empty', `${filename} is empty.`);
  requireAcceptedSize(filename, file.size, category);
  const format = detectFormat(await readHead(file));
  if (format && !format.extensions.includes(extension)) {
    const message = `${filename} is named .${extension}, but its content is ${format.name}.`;
    throw new InvalidFileError('content_type_mismatch', message);
  }
  return { contentType: contentTypes[extension] as string };
}

async function readHead(file: UploadSource): Promise<Uint8Array> {
  try {
    return new Uint8Array(await readBytes(file, 0, Math.min(headBytes, file.size)));
  } catch (error) {
    throw toUnreadableFileError(error) ?? error;
  }
}

function requireAcceptedSize(filename: string, sizeBytes: number, category: Category): void {
  const { bytesMax } = acceptedFiles[category];
  if (sizeBytes <= bytesMax) return;
  const [unit, unitBytes] = bytesMax >= GiB ? ['GiB', GiB] : ['MiB', MiB];
  // Rounded up: a size over the limit must not be shown as equal to it.
  const size = Math.ceil((sizeBytes / unitBytes) * 10) / 10;
  const limit = `${categoryNames[category]} can be up to ${bytesMax / unitBytes} ${unit}`;
  throw new InvalidFileError('asset_too_large', `${filename} is ${size.toFixed(1)} ${unit}; ${limit}.`);
}
