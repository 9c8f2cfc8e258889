import { makeBigTiff, makePng, makeTiff, patchBytes, resizeJpeg } from '#evidence/file/samples/make-image.ts';
import type { HostileFile } from './hostile-file.ts';

/** Images that declare too many pixels or are incomplete. */
export function hostileImages(sample: (name: string) => Uint8Array): HostileFile[] {
  const image = (name: string, bytes: Uint8Array): HostileFile => [`a huge ${name}`, name, bytes, ['SAFE-IMAGE-BOMB']];
  const ispe = Buffer.from(sample('still.avif')).indexOf('ispe');
  return [
    image('a.png', makePng(30_000, 30_000)),
    image('thin.png', makePng(2_000_000_000, 1)),
    image('animated.png', makePng(10_000, 10_000, 1_000_000)),
    image('a.jpg', resizeJpeg(sample('still.jpg'), 65_000, 65_000)),
    image('a.gif', patchBytes(sample('still.gif'), 6, [0xff, 0xff, 0xff, 0xff])),
    image('a.bmp', patchBytes(sample('still.bmp'), 18, [0x30, 0x75, 0, 0, 0x30, 0x75, 0, 0])),
    image('upside-down.bmp', patchBytes(sample('still.bmp'), 18, [0x30, 0x75, 0, 0, 0xd0, 0x8a, 0xff, 0xff])),
    image('little.tiff', makeTiff(40_000, 40_000)),
    image('big.tiff', makeTiff(40_000, 40_000, false)),
    image('wide.tiff', makeBigTiff(40_000, 40_000)),
    image('circular.tiff', makeTiff(40_000, 40_000, true, true)),
    image(
      'a.webp',
      Buffer.concat([
        Buffer.from('RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0', 'latin1'),
        Buffer.from([0, 0, 0, 0, 0xff, 0xff, 0x7f, 0xff, 0xff, 0x7f]),
      ]),
    ),
    image('a.avif', patchBytes(sample('still.avif'), ispe + 8, [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30])),
    ...['still.png', 'still.jpg', 'still.gif', 'still.webp'].map((name): HostileFile => {
      const whole = sample(name);
      return [
        `the first part of ${name}`,
        name,
        whole.subarray(0, Math.ceil(whole.length * 0.8)),
        ['SAFE-IMAGE-INCOMPLETE'],
      ];
    }),
    ['an image without a size', 'a.png', makePng(0, 0), ['SAFE-NOT-VERIFIED']],
  ];
}
