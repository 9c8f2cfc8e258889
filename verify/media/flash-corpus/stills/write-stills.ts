import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mediaTypeOfFilename } from '@assay/contract/media-types.ts';
import { sidekick } from '@assay/sidekicks/checks/photosensitivity/sidekick.ts';
import { builtInProfile, originOfBuiltIn } from '@assay/sidekicks/profiles/built-in-profiles.ts';
import { runSidekicks } from '@assay/sidekicks/run/run.ts';
import { extendProfile } from '@assay/sidekicks/sidekick/profile.ts';
import { createRandom } from '@assay/testing/run/random.ts';
import { chooseFailingClips, makeLabelledClip } from './labelled-clips.ts';
import { makeOverlaidClip, overlaidClips } from './overlaid-clips.ts';

/** The labelled clips: as many as the acceptance of stills requires. */
const labelledCount = 40;
const shuffleSeed = 826;

/**
 * Examines failing clips and writes only their stills, under numbers that say nothing about the clips. The key is for
 * those who compare what a reader sees in the stills with what flashes: `--stills <folder> --key <file>`.
 */
async function writeStills(): Promise<void> {
  const { values } = parseArgs({
    options: { stills: { type: 'string' }, key: { type: 'string' }, only: { type: 'string' } },
  });
  if (!values.stills || !values.key)
    throw new Error('usage: pnpm flash-stills --stills <folder> --key <file> [--only <number>,…]');
  const clips = [
    ...chooseFailingClips(labelledCount).map((clip) => (path: string) => makeLabelledClip(clip, path)),
    ...overlaidClips.map((clip) => (path: string) => makeOverlaidClip(clip, path)),
  ];
  const only = values.only?.split(',').map(Number);
  mkdirSync(values.stills, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'assay-stills-'));
  const key: Record<string, unknown> = {};
  try {
    for (const [i, make] of createRandom(shuffleSeed).shuffle(clips).entries()) {
      const number = String(i + 1).padStart(2, '0');
      if (only && !only.includes(i + 1)) continue;
      const path = join(folder, `${number}.mp4`);
      const { path: _, ...truth } = await make(path);
      const findings = await examine(path);
      const stills = findings.flatMap((finding) => finding.stills.map((still) => ({ still, finding })));
      const files = stills.map(({ still, finding }, n) => {
        const file = `${number}${n === 0 ? '' : String.fromCharCode(97 + n)}.jpg`;
        writeFileSync(join(values.stills as string, file), still.jpeg);
        return { file, ruleCode: finding.ruleCode, frames: still.frames, summary: finding.summary };
      });
      key[number] = { ...truth, stills: files };
      console.error(number, truth.name, files.length, findings.map(({ ruleCode }) => ruleCode).join(' '));
      rmSync(path);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  writeFileSync(values.key, JSON.stringify(key, null, 2));
}

/** Judged by every area, because each labelled set is made for one of them. */
async function examine(path: string) {
  const limits = { photosensitivity: { areas: ['screen' as const, '341x256' as const, '416x416' as const] } };
  const declared = {
    media: mediaTypeOfFilename(path) as NonNullable<ReturnType<typeof mediaTypeOfFilename>>,
    filename: 'clip.mp4',
    profile: extendProfile(builtInProfile('general'), { limits }),
    origin: originOfBuiltIn('general'),
  };
  const file = await open(path);
  try {
    const { size: sizeBytes } = await file.stat();
    const read = async (target: Uint8Array, offset: number) =>
      (await file.read(target, 0, target.length, offset)).bytesRead;
    const signal = new AbortController().signal;
    const source = { bytes: { sizeBytes, read }, fd: file.fd, signal, jail: 'bubblewrap' as const };
    return (await runSidekicks([sidekick], source, declared)).findings;
  } finally {
    await file.close();
  }
}

await writeStills();
