import { AssayError, InvalidFileError, UploadError, type UploadOptions } from '@assay/sdk';
import { equal, expectRejection, ok, rejectionOf } from './assert.ts';
import { type ClientTests, type Context, liveClient, openConnection, type StoredFile } from './connection.ts';

const MiB = 1024 * 1024;

/** The first bytes of an MP4 video: the service checks the format of an upload. */
const mp4Head = [
  0,
  0,
  0,
  24,
  ...new TextEncoder().encode('ftypisom'),
  0,
  0,
  2,
  0,
  ...new TextEncoder().encode('isommp41'),
];

/** A file that begins like a video. The rest differs at every offset, so that misplaced parts are detected. */
function makeBytes(length: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(length / 4);
  for (let i = 0; i < words.length; i += 1) words[i] = Math.imul(i + 1, 2_654_435_761);
  const bytes = new Uint8Array(words.buffer);
  bytes.set(mp4Head);
  return bytes;
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function uploadBytes(
  connection: ReturnType<typeof openConnection>,
  length: number,
  options: Pick<UploadOptions, 'partBytes' | 'concurrency'> = {},
): Promise<{ stored: StoredFile; paths: string[]; steps: number[] }> {
  const bytes = makeBytes(length);
  const steps: number[] = [];
  const onProgress = (sent: number, total: number) => {
    equal(total, length, 'the total that is told');
    steps.push(sent);
  };
  const file = new File([bytes], 'video.mp4');
  const uploaded = await connection.assay().uploads.upload(file, { onProgress, ...options });
  equal([uploaded.sizeBytes, uploaded.contentType], [length, 'video/mp4'], 'size and type');
  ok(
    steps.every((sent, i) => sent >= (steps[i - 1] ?? 0)),
    `progress never falls: ${steps}`,
  );
  equal([steps[0], steps.at(-1)], [0, length], 'how progress begins and ends');
  const paths = (await connection.seen()).map(({ path }) => path.split('/').slice(3).join('/'));
  return { stored: { ...uploaded, sha256: await sha256(bytes) }, paths, steps };
}

/** Uploads several files, each in one PUT: enough requests for some to fail. */
async function uploadMany(context: Context, count: number): Promise<StoredFile[]> {
  const each = Array.from({ length: count }, () => uploadBytes(openConnection(context, 'calm', 'shaky'), 2 * MiB));
  return (await Promise.all(each)).map(({ stored }) => stored);
}

/** Each test returns the files that must be in storage afterwards. */
export const uploadTests: ClientTests = {
  'a small file is uploaded through the service in one request': async (context) => {
    const { stored, paths } = await uploadBytes(openConnection(context), 300_000);
    equal(paths, ['uploads/direct'], 'what was asked of the service');
    return [stored];
  },
  'a file of 3 MB is uploaded to storage in one PUT': async (context) => {
    const { stored, paths } = await uploadBytes(openConnection(context), 3 * MiB);
    equal(paths, ['uploads/url'], 'what was asked of the service');
    return [stored];
  },
  'a file of 70 MB is uploaded to storage in parts': async (context) => {
    const { stored, paths } = await uploadBytes(openConnection(context), 70 * MiB);
    equal(paths, ['uploads/url', 'uploads/parts', 'uploads/parts/complete'], 'what was asked of the service');
    return [stored];
  },
  'a file in parts of a custom size arrives intact although every fifth request to storage fails': async (context) => {
    const options = { partBytes: 6 * MiB, concurrency: 2 };
    const { stored, steps } = await uploadBytes(openConnection(context, 'calm', 'shaky'), 66 * MiB, options);
    equal(steps.length, 1 + 11, 'how often progress was told: at the beginning, and after each part');
    return [stored];
  },
  'files sent in one PUT arrive intact although every fifth request to storage fails': (context) =>
    uploadMany(context, 6),
  'an upload succeeds although responses of the service are lost': async (context) => {
    const { stored, paths } = await uploadBytes(openConnection(context, 'lost-2'), 2 * MiB);
    equal(paths, ['uploads/url', 'uploads/url', 'uploads/url'], 'what was asked of the service');
    return [stored, (await uploadBytes(openConnection(context, 'lost-1'), 1000)).stored];
  },
  'an upload can be given a file name and a content type': async (context) => {
    const blob = new Blob(['1\n00:00:01,000 --> 00:00:02,000\nsome words\n']);
    const { blobPath, contentType } = await liveClient(context).uploads.upload(blob, { filename: 'Größe 1.srt' });
    ok(blobPath.endsWith('-Größe 1.srt'), blobPath);
    equal(contentType, 'application/x-subrip', 'the type by the extension');
    const other = await liveClient(context).uploads.upload(blob, {
      filename: 'a.txt',
      contentType: 'text/plain; charset=utf-8',
    });
    equal(other.contentType, 'text/plain', 'the type that was given');
  },
  'a file without a name is rejected before anything is sent': async (context) => {
    const connection = openConnection(context);
    await expectRejection(connection.assay().uploads.upload(new Blob(['x'])), AssayError);
    equal(await connection.seen(), [], 'what was sent');
  },
  'a file that is empty, too large or of the wrong type is rejected before anything is sent': async (context) => {
    const connection = openConnection(context);
    const refusalOf = async (filename: string, parts: (string | Uint8Array<ArrayBuffer>)[]) => {
      const { code, message } = await expectRejection(
        connection.assay().uploads.upload(new File(parts, filename)),
        InvalidFileError,
      );
      return [code, message];
    };
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
    equal(
      [
        await refusalOf('a.txt', []),
        await refusalOf('a.png', [png, new Uint8Array(50 * MiB)]),
        await refusalOf('a.unheard', ['x']),
        await refusalOf('Clip.MP4', [png]),
        await refusalOf('clip.mp4', ['These are words.']),
      ],
      [
        ['file_empty', 'a.txt is empty.'],
        ['asset_too_large', 'a.png is 50.1 MiB; an image can be up to 50 MiB.'],
        ['content_type_not_allowed', 'a.unheard: .unheard files are not supported.'],
        ['content_type_mismatch', 'Clip.MP4 is named .mp4, but its content is PNG.'],
        ['content_type_mismatch', 'clip.mp4 is named .mp4, but its content is plain text.'],
      ],
      'what is said',
    );
    equal(await connection.seen(), [], 'what was sent');
  },
  'an abort ends an upload in parts with the signal’s reason': async (context) => {
    const controller = new AbortController();
    const reason = new Error('The caller went home.');
    const onProgress = (sent: number) => sent > 0 && controller.abort(reason);
    const file = new File([new Uint8Array(65 * MiB)], 'video.mp4');
    const failed = await rejectionOf(
      liveClient(context).uploads.upload(file, { onProgress, signal: controller.signal }),
    );
    ok(failed === reason, `the reason is the caller’s: ${failed}`);
  },
  'an upload that storage rejects renews its URL, then rejects with an UploadError': async (context) => {
    const connection = openConnection(context, 'calm', 'closed');
    const file = new File([makeBytes(2 * MiB)], 'video.mp4');
    const error = await expectRejection(connection.assay().uploads.upload(file, { maxRetries: 1 }), UploadError);
    equal(error.status, 403, 'its status');
    const paths = (await connection.seen()).map(({ path }) => path.split('/').at(-1));
    equal(paths, ['url', 'renew'], 'what was asked of the service');
  },
};
