import { examineFile } from '@assay/testing/media/examine.ts';
import { openMediaFolder } from '@assay/testing/media/video-source.ts';
import { expect, test } from 'vitest';
import { sidekick } from './sidekick.ts';

const mediaFolder = openMediaFolder('patterns');

/** Returns the findings for a 1.6 s video whose luma is given by an expression of ffmpeg's geq filter. */
async function check(filename: string, luma: string, ...coding: string[]) {
  const source = `nullsrc=s=640x360:r=25:d=1.6,geq=lum='${luma}':cb=128:cr=128`;
  const path = await mediaFolder.make(filename, '-f', 'lavfi', '-i', source, ...coding);
  return examineFile(sidekick, path);
}

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const stripes = 'if(lt(mod(X+Y\\,40)\\,20)\\,220\\,30)';

test.each([
  ['stripes.mp4', h264],
  ['stripes-large.mp4', ['-vf', 'scale=2560:1440:flags=neighbor', ...h264]],
  ['stripes.gif', []],
])('diagonal stripes in %s are reported as one finding that needs review', async (filename, coding) => {
  const findings = await check(filename, stripes, ...coding);
  expect(findings).toMatchObject([{ ruleCode: 'PSE-PATTERN', severity: 'MAJOR', isCertain: false, limit: 40 }]);
  expect(findings[0]?.measured).toBeGreaterThan(90);
  expect(findings[0]?.locations[0]?.startMs).toBe(0);
});

test('stripes over 30 % of the screen are reported only if they change', async () => {
  const over30 = (phase: string) => `if(lt(X\\,192)\\,if(lt(mod(Y+${phase}\\,32)\\,16)\\,220\\,30)\\,30)`;
  expect(await check('stationary.mp4', over30('0'), ...h264)).toEqual([]);
  expect(await check('oscillating.mp4', over30('100+8*sin(4*PI*T)'), ...h264)).toMatchObject([
    { ruleCode: 'PSE-PATTERN', limit: 25 },
  ]);
});

test('the photosensitivity check reports nothing for colour bars and gradients', async () => {
  const path = await mediaFolder.make('bars.mp4', '-f', 'lavfi', '-i', 'smptehdbars=s=640x360:r=25:d=1.6', ...h264);
  expect(await examineFile(sidekick, path)).toEqual([]);
});
