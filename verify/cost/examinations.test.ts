import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { BuiltInProfile } from '@assay/contract/schemas/profiles/built-in.ts';
import { runSidekicks } from '@assay/sidekicks/run/run.ts';
import { chooseSidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { makeWithFfmpeg } from '@assay/testing/media/made-by-ffmpeg.ts';
import { makePdf, samplePath } from '@assay/testing/media/samples.ts';
import { withSource } from '@assay/testing/media/video-source.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { expectNumbers } from './expect-cost.ts';

// What examining a file costs. The bench `evidence` measures how long that takes.

const folder = mkdtempSync(join(tmpdir(), 'assay-cost-'));
afterAll(() => rmSync(folder, { recursive: true }));
function writeSampleFile(name: string, bytes: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

const audioInput = ['-f', 'lavfi', '-i', 'anoisesrc=c=pink:r=48000:a=0.2:seed=1'];
const encodingOptions = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-ac', '2'];
const makeVideo = (size: string, filter = 'null') => {
  const picture = `testsrc2=s=${size}:r=25,noise=alls=10:allf=t+u:all_seed=1,${filter}`;
  return makeWithFfmpeg('.mp4', ['-f', 'lavfi', '-i', picture, ...audioInput, '-t', '2', ...encodingOptions]);
};
const plainVideo = await makeVideo('320x180');
const flashingVideo = await makeVideo('320x180', "lutyuv=y=val*0.5+110:enable='lt(mod(t,0.2),0.1)'");

const toolNames = ['ffmpeg', 'ffprobe', 'mediainfo', 'exiftool'];
/** Maps the purpose of an ffmpeg run to the argument that reveals it. */
const purposes: Record<string, RegExp> = {
  flash: /-f rawvideo pipe:1/,
  decode: /-filter_complex/,
  poster: /min\(480,iw\)/,
  still: /image2pipe/,
};

/** The commands that an examination runs, grouped by tool; those of ffmpeg are grouped by purpose. */
async function toolsFor(path: string, profile: BuiltInProfile = 'general'): Promise<Map<string, string[]>> {
  const children: ChildProcess[] = [];
  const take = (message: unknown) => void children.push((message as { process: ChildProcess }).process);
  subscribe('child_process', take);
  try {
    await withSource(path, (source) =>
      runSidekicks(chooseSidekicks(null), source, declarationFor(basename(path), profile)),
    );
  } finally {
    unsubscribe('child_process', take);
  }
  const commands = children.map(({ spawnargs }) => spawnargs.join(' ').replace(/.* \/usr\/bin\/prlimit /s, ''));
  return Map.groupBy(commands, (command) => {
    const tool = toolNames.find((name) => command.includes(`/${name} `)) ?? command;
    return Object.keys(purposes).find((purpose) => tool === 'ffmpeg' && purposes[purpose]?.test(command)) ?? tool;
  });
}

type ExaminedFile = [what: string, path: string, tools: Record<string, number>, profile?: BuiltInProfile];
const files: ExaminedFile[] = [
  // One still shows two frames of a flash, which are decoded in one run; the other shows a different issue.
  ['a video with issues', flashingVideo, { decode: 1, ffprobe: 2, exiftool: 1, flash: 1, still: 2, poster: 1 }],
  ['a video for broadcast', plainVideo, { decode: 1, ffprobe: 3, exiftool: 1, mediainfo: 1, poster: 1 }, 'uk-dpp-as11'],
  ['audio', samplePath('tone.wav'), { decode: 1, ffprobe: 1, exiftool: 1 }],
  ['an animated image', samplePath('still.gif'), { decode: 1, ffprobe: 1, exiftool: 1, poster: 1 }],
  ['an image', samplePath('still.jpg'), { exiftool: 1, poster: 1 }],
  ['a PDF', writeSampleFile('a.pdf', makePdf()), { exiftool: 1 }],
  ['text', writeSampleFile('a.txt', 'hello'), {}],
];

function expectTools(what: string, commands: Map<string, string[]>, tools: Record<string, number>): void {
  const actual = Object.fromEntries([...commands].map(([tool, runs]) => [tool, runs.length]));
  expectNumbers(`tools for ${what}`, actual, tools, [...commands.values()].flat());
}

describe('an examination', () => {
  test.each(files)('of %s runs each tool as often as expected', async (what, path, tools, profile) => {
    expectTools(what, await toolsFor(path, profile), tools);
  });

  test('of a video decodes the frames once, at their original size and in 4:2:0', async () => {
    const commands = await toolsFor(plainVideo);
    expectTools('a video', commands, { decode: 1, ffprobe: 2, exiftool: 1, poster: 1 });
    const [command = ''] = commands.get('decode') ?? [];
    const outputs = [...command.matchAll(/-map \[(\w+)\]/g)].map(([, name]) => name);
    expect(outputs).toEqual(['frames', 'loudness0', 'samples0']);
    expect(command).toMatch(/\[to-frames\][^;]*scale=320:180:flags=area,format=yuv420p\|yuvj420p\[frames\]/);
    expect(command).toContain('[to-fields]crop=min(iw\\,120):ih,'); // a strip is enough to analyse the fields
  });
});
