import { examineFile } from '@assay/testing/media/examine.ts';
import { openMediaFolder } from '@assay/testing/media/video-source.ts';
import { describe, expect, test } from 'vitest';
import { sidekick } from './sidekick.ts';

const mediaFolder = openMediaFolder('levels');
const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-pix_fmt', 'yuv420p'];

/** The shares of the frame that are said to be outside the limits, of a grey video of this luma. */
async function sharesOf(name: string, size: string, luma: string) {
  const source = `nullsrc=s=${size}:r=10:d=0.5,geq=lum='${luma}':cb=128:cr=128`;
  const path = await mediaFolder.make(`${name}-${size}.mp4`, '-f', 'lavfi', '-i', source, ...coding);
  const findings = await examineFile(sidekick, path);
  return findings.filter(({ ruleCode }) => ruleCode === 'QC-LEVELS').map(({ measured }) => measured);
}

describe.each([
  ['of the size at which flashes are searched for', '960x128'],
  ['of a larger size, which ffmpeg samples', '1936x128'],
])('levels outside the limits in frames %s', (_, size) => {
  test('are found in stripes of 8 pixels as in a block', async () => {
    const [stripes = 0, ...more] = await sharesOf('stripes', size, 'if(lt(mod(X\\,32)\\,8)\\,254\\,128)');
    expect(more).toEqual([]);
    // Their edges are averaged with what is next to them: 6 to 8 of 32 pixels.
    expect(stripes).toBeGreaterThan(17);
    expect(stripes).toBeLessThan(26);
    expect(await sharesOf('block', size, 'if(lt(X\\,W/4)\\,254\\,128)')).toEqual([expect.closeTo(25, -0.5)]);
  });

  test('are not found in single lines, which are averaged with the lines next to them', async () => {
    expect(await sharesOf('lines', size, 'if(eq(mod(X\\,8)\\,3)\\,250\\,128)')).toEqual([]);
  });
});
