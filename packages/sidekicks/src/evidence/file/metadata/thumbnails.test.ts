import { withBytes } from '@assay/testing/media/examine.ts';
import { sample } from '@assay/testing/media/samples.ts';
import { expect, test } from 'vitest';
import { defaultLimits, type Limits } from '#evidence/bounded.ts';
import { jpegWithThumbnail } from '../samples/hit-bounds.ts';
import { readMetadata } from './metadata.ts';

const thumbnailsOf = async (bytes: Uint8Array, limits: Partial<Limits> = {}) =>
  (await withBytes(bytes, (source) => readMetadata(source, { ...defaultLimits, ...limits })))?.thumbnails;
const cutJpeg = sample('still.jpg').subarray(0, 40);

test('a thumbnail is compared with its image', async () => {
  expect(await thumbnailsOf(jpegWithThumbnail())).toMatchObject([
    { name: 'ThumbnailImage', likeness: { correlation: expect.closeTo(1, 2) }, reason: null },
  ]);
});

test.each<[string, Uint8Array, Partial<Limits>, string]>([
  ['is not a JPEG', sample('still.png'), {}, 'damaged'],
  ['is a damaged JPEG', cutJpeg, {}, 'damaged'],
  ['is beyond the number of thumbnails', sample('still.jpg'), { thumbnails: 0 }, 'limit_reached'],
  ['is larger than a thumbnail may be', sample('still.jpg'), { thumbnailBytes: 1000 }, 'limit_reached'],
  ['cannot be extracted within the limits', sample('still.jpg'), { exifToolOutputBytes: 100 }, 'limit_reached'],
])('a thumbnail that %s is in the result as not compared', async (_, thumbnail, limits, reason) => {
  expect(await thumbnailsOf(jpegWithThumbnail(thumbnail), limits)).toMatchObject([{ likeness: null, reason }]);
});

test('the thumbnail of an image that cannot be decoded is in the result as not compared', async () => {
  const whole = jpegWithThumbnail();
  const scanAt = Buffer.from(whole).lastIndexOf(Buffer.from([0xff, 0xda]));
  expect(await thumbnailsOf(whole.subarray(0, scanAt))).toMatchObject([{ likeness: null, reason: 'damaged' }]);
});
