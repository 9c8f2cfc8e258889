import { execFile } from 'node:child_process';
import { fstatSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Jail } from '@assay/jail/source/source.ts';
import { openMediaFolder, withSource } from '@assay/testing/media/video-source.ts';
import { expect, test } from 'vitest';
import { openPlayable } from './animated-webp.ts';

const mediaFolder = openMediaFolder('animated-webp');
/** A box that moves, so that an encoder stores only a part of most frames; the background is half transparent. */
const inBox = 'between(mod(X-7*N\\,64)\\,0\\,9)*between(Y\\,8\\,17)';
const colours = ['r', 'g', 'b'].map((colour, i) => `${colour}='if(${inBox}\\,255\\,${90 + i})'`).join(':');
const graph = `nullsrc=s=64x48:r=10:d=1,format=rgba,geq=${colours}:a='if(${inBox}\\,255\\,128)',format=bgra`;
const moving = ['-f', 'lavfi', '-i', graph];
const lossless = ['-c:v', 'libwebp_anim', '-lossless', '1'];

/** The time and the hash of each frame, as ffmpeg decodes the file. */
async function framesOf(...input: string[]): Promise<string[]> {
  const args = ['-v', 'error', ...input, '-pix_fmt', 'rgba', '-f', 'framemd5', '-'];
  const { stdout } = await promisify(execFile)('ffmpeg', args);
  return stdout.split('\n').filter((line) => !line.startsWith('#'));
}

test.each<Jail>(['bubblewrap', 'landlock'])(
  'an animated WebP is decoded to the pixels and times of its frames (%s)',
  async (jail) => {
    const apng = join(mediaFolder.folder, `${jail}.png`);
    await withSource(
      await mediaFolder.make('moving.webp', ...moving, ...lossless),
      async (source) => {
        using playable = await openPlayable(source);
        const bytes = Buffer.alloc(playable.source.bytes.sizeBytes);
        await playable.source.bytes.read(bytes, 0);
        await writeFile(apng, bytes);
      },
      { jail },
    );
    const frames = await framesOf('-f', 'apng', '-i', apng);
    expect(frames.length).toBeGreaterThan(10);
    expect(frames).toEqual(await framesOf(...moving));
  },
);

test('what is decoded of an animated WebP is gone after the examination', async () => {
  const path = await mediaFolder.make('moving.webp', ...moving, ...lossless);
  const fd = await withSource(path, async (source) => {
    using playable = await openPlayable(source);
    expect(playable.source.fd).not.toBe(source.fd);
    return playable.source.fd;
  });
  expect(() => fstatSync(fd)).toThrow('EBADF');
});

test.each([
  ['a WebP with one image', 'still.webp', ['-frames:v', '1', '-c:v', 'libwebp']],
  ['a GIF', 'moving.gif', []],
])('%s is examined as it is', async (_, filename, coding) => {
  await withSource(await mediaFolder.make(filename, ...moving, ...coding), async (source) => {
    using playable = await openPlayable(source);
    expect(playable.source).toBe(source);
  });
});
