import { mediaTypes } from '@assay/contract/media-types.ts';
import { makeOffice, makePdf, sample, sampleNames } from '@assay/testing/media/samples.ts';
import { expect, test } from 'vitest';
import { checkFile } from './check-file.ts';

const officeDocument = 'application/vnd.openxmlformats-officedocument';
const docx = makeOffice('word/document.xml', `${officeDocument}.wordprocessingml.document.main+xml`);
const id3 = Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1');
const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1');
const checkBytes = (name: string, bytes: Uint8Array | string) => checkFile(name, new Blob([Buffer.from(bytes)]));

test.each([
  ...sampleNames.map((name): [string, Uint8Array | string] => [name, sample(name)]),
  ['leaflet.pdf', makePdf()],
  ['letter.docx', docx],
  ['photo.heic', heic],
  ['tagged.mp3', Buffer.concat([id3, sample('tone.mp3')])],
  ['tagged.flac', Buffer.concat([id3, sample('tone.flac')])],
  ['words.txt', 'BM is no bitmap, GIF89a no image, OggS no sound.'],
  ['GIF.txt', 'GIF89a is how some images begin.'],
  ['RIFF.txt', 'RIFFs of WAVEs'],
  ['captions.vtt', 'WEBVTT\n'],
  ['captions.srt', Buffer.from('\ufeff1\n00:00:01,000 --> 00:00:02,000\nÜber', 'utf16le')],
  ['unknown.mp4', new Uint8Array(5000)],
])('checkFile accepts the file %s', async (name, bytes) => {
  expect(await checkBytes(name, bytes)).toEqual({ contentType: expect.stringMatching(/^\w+\/./) });
});

test.each([
  ['a.mp4', 'still.png', 'PNG'],
  ['a.png', 'still.jpg', 'JPEG'],
  ['a.heic', 'still.jpg', 'JPEG'],
  ['a.jpg', 'still.webp', 'WebP'],
  ['a.jpg', 'still.gif', 'GIF'],
  ['a.jpg', 'still.tiff', 'TIFF'],
  ['a.mp4', 'still.avif', 'HEIC or AVIF'],
  ['a.wav', 'clip.avi', 'AVI'],
  ['a.mp4', 'clip.mkv', 'Matroska or WebM'],
  ['a.mp4', 'clip.mxf', 'MXF'],
  ['a.mkv', 'clip.mp4', 'MP4 or QuickTime'],
  ['a.mp3', 'tone.wav', 'WAV'],
  ['a.mp3', 'tone.flac', 'FLAC'],
  ['a.mp3', 'tone.ogg', 'Ogg'],
  ['a.mp3', 'tone.aiff', 'AIFF'],
  ['a.txt', 'still.png', 'PNG'],
])('checkFile rejects %s with the bytes of %s, and the error names the format %s', async (name, source, format) => {
  const extension = name.split('.')[1];
  await expect(checkBytes(name, sample(source))).rejects.toMatchObject({
    name: 'InvalidFileError',
    code: 'content_type_mismatch',
    message: `${name} is named .${extension}, but its content is ${format}.`,
  });
});

test.each([
  ['a.txt', makePdf(), 'PDF'],
  ['a.pdf', docx, 'ZIP or Office'],
  ['a.mp4', Buffer.concat([id3, sample('tone.mp3')]), 'audio with an ID3 tag'],
  ['a.docx', 'Dear Sir or Madam', 'plain text'],
  ['a.mp3', `${'ü'.repeat(5000)}`, 'plain text'],
])(
  'checkFile rejects %s with the bytes of a different format, and the error names that format',
  async (name, bytes, format) => {
    await expect(checkBytes(name, bytes)).rejects.toThrow(`but its content is ${format}.`);
  },
);

test('checkFile rejects a file that exceeds the size limit of its category', async () => {
  const sized = (size: number) => ({ size, slice: () => new Blob([new Uint8Array(10)]) }) as unknown as Blob;
  const GiB = 1024 ** 3;
  await expect(checkFile('a.mxf', sized(5 * GiB))).resolves.toMatchObject({ contentType: 'application/mxf' });
  await expect(checkFile('a.mxf', sized(6.15 * GiB))).rejects.toThrow('a.mxf is 6.2 GiB; a video can be up to 5 GiB.');
  await expect(checkFile('a.wav', sized(501 * 1024 ** 2))).rejects.toThrow('audio can be up to 500 MiB.');
  await expect(checkFile('a.srt', sized(100 * 1024 ** 2 + 1))).rejects.toThrow(
    'a.srt is 100.1 MiB; a document can be up to 100 MiB.',
  );
});

test('checkFile accepts every extension that the service accepts', async () => {
  for (const { extensions, type } of mediaTypes) {
    for (const extension of extensions) {
      expect(await checkBytes(`a.${extension}`, new Uint8Array(1))).toEqual({ contentType: type });
    }
  }
});
