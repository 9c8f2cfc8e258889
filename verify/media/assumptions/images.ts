import { apng, pngChunk } from '#verify/security/poison/files/animation.ts';
import { be, latin, le } from '#verify/security/poison/formats/bytes.ts';
import { type Assumption, made } from './assumption.ts';
import { exif, withExif, withoutDelays, withSecondPage } from './image-variants.ts';
import { lavfi, still, strobe } from './sources.ts';

const position = { 'META-POSITION': {} };

const jpeg = (size = '64x48') => made('.jpg', `${lavfi(`testsrc=s=${size}`)} -frames:v 1`);
const png = () => made('.png', `${lavfi('testsrc=s=64x48')} -frames:v 1`);

const places: Assumption[] = [
  {
    promise: 'reads the position of a photo that is stored behind another without an index',
    filename: 'a.jpg',
    make: async () => Buffer.concat([await jpeg(), withExif(await jpeg('32x24'))]),
    issues: position,
  },
  {
    promise: 'reads the position of the video in a motion photo',
    filename: 'a.jpg',
    make: async () =>
      Buffer.concat([await jpeg(), await made('.mp4', `${lavfi(still())} -metadata location=+51.5005-000.1205/`)]),
    issues: position,
  },
  {
    promise: 'reads EXIF after the pixels of a PNG',
    filename: 'a.png',
    make: async () => {
      const image = await png();
      return Buffer.concat([image.subarray(0, -12), pngChunk('eXIf', exif()), image.subarray(-12)]);
    },
    issues: position,
  },
  {
    promise: 'reads EXIF of a WebP image whose head does not announce it',
    filename: 'a.webp',
    make: async () => {
      const image = await made('.webp', `${lavfi('testsrc=s=64x48')} -frames:v 1`);
      const chunk = Buffer.concat([latin('EXIF'), le.u32(exif().length), exif()]);
      const whole = Buffer.concat([image, chunk]);
      whole.writeUInt32LE(whole.length - 8, 4);
      return whole;
    },
    issues: position,
  },
  {
    promise: 'reads the position of the second page of a TIFF',
    filename: 'a.tiff',
    make: async () =>
      withSecondPage(await made('.tiff', `${lavfi('testsrc=s=64x48')} -frames:v 1 -compression_algo raw`)),
    issues: position,
  },
].map((row) => ({ check: 'metadata-privacy', ...row }));

const wholeOrNot: Assumption[] = (
  [
    ['bmp', ''],
    ['avif', '-c:v libaom-av1 -cpu-used 8'],
  ] as const
).flatMap(([extension, args]) => {
  const image = () => made(`.${extension}`, `${lavfi('testsrc=s=64x48')} -frames:v 1 ${args}`);
  const filename = `a.${extension}`;
  return [
    {
      promise: `does not pass half of an image of the format ${extension}`,
      check: 'file-safety',
      filename,
      make: async () => (await image()).subarray(0, -200),
      issues: { 'SAFE-IMAGE-INCOMPLETE': {} },
    },
    {
      promise: `finds a program behind an image of the format ${extension}`,
      check: 'file-safety',
      filename,
      make: async () => Buffer.concat([await image(), latin('\x7fELF\x02\x01\x01'), Buffer.alloc(4000, 'program')]),
      issues: { 'SAFE-POLYGLOT': {} },
    },
  ];
});

const flashes = { 'PSE-LUMINANCE': {} };

const animations: Assumption[] = [
  {
    promise: 'shows a frame of a GIF without a duration for 0.1 s, as players do: five changes a second',
    filename: 'a.gif',
    make: async () => withoutDelays(await made('.gif', `${lavfi(strobe('64x48', 5, 25))}`)),
    issues: { 'PSE-EXTENDED': {} },
  },
  {
    promise: 'finds flashes in a GIF that is played once',
    filename: 'a.gif',
    make: () => made('.gif', `${lavfi(strobe('64x48', 2, 25))} -loop -1`),
    issues: flashes,
  },
  {
    promise: 'finds flashes in an animated PNG of 16 bits',
    filename: 'a.png',
    make: () => made('.apng', `${lavfi(strobe())} -f apng -pix_fmt rgb48be`),
    issues: flashes,
  },
  {
    promise: 'is complete for an animated PNG with a single frame',
    filename: 'a.png',
    make: () => apng(8, 8, [{ width: 8, height: 8, delay: [1, 10] }]),
  },
  {
    promise: 'has nothing to examine in a PNG that announces an animation after its pixels, which viewers ignore',
    filename: 'a.png',
    make: async () => {
      const image = await png();
      return Buffer.concat([image.subarray(0, -12), pngChunk('acTL', be.u32(9, 0)), image.subarray(-12)]);
    },
    outcome: 'not_applicable' as const,
  },
  {
    promise: 'names the video of a motion photo as not examined',
    filename: 'a.jpg',
    make: async () => Buffer.concat([await jpeg(), await made('.mp4', lavfi(strobe()))]),
    outcome: 'incomplete' as const,
  },
].map((row) => ({ check: 'photosensitivity', ...row }));

export const images: Assumption[] = [...places, ...wholeOrNot, ...animations];
