import { join } from 'node:path';
import { judgeFlashes } from '@assay/sidekicks/checks/photosensitivity/judge.ts';
import { sidekick } from '@assay/sidekicks/checks/photosensitivity/sidekick.ts';
import type { Flashes } from '@assay/sidekicks/evidence/media/decode/flashes/flashes.ts';
import { runSidekicks } from '@assay/sidekicks/run/run.ts';
import { formatClock } from '@assay/sidekicks/sidekick/format-values.ts';
import { extendProfile } from '@assay/sidekicks/sidekick/profile.ts';
import type { Finding } from '@assay/sidekicks/sidekick/sidekick.ts';
import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { openMediaFolder, withSource } from '@assay/testing/media/video-source.ts';
import { testSeed } from '@assay/testing/run/test-seed.ts';
import { describe, expect, test } from 'vitest';
import { cachedClip, readFrames, timesOf, writeClip } from './clip-file.ts';
import { type ClipFormat, smallSizes, toEightBits, usualSizes } from './clip-format.ts';
import { createNearClips, fineKind, kindNames, type NearClip } from './near-limit-clips.ts';
import { judgeByReference } from './plain-judge.ts';

/**
 * `CLIPS=200` for a full run. The default is the minimum, in small frames: one clip of each kind over its limit and one
 * under it.
 */
const { CLIPS } = process.env;
const count = Number(CLIPS ?? 2 * kindNames.length);
const sizes = CLIPS ? usualSizes : smallSizes;
const mediaFolder = openMediaFolder('near-limit');
const series = { stepSeconds: 1, values: [] };

/** The violated rules, and the times at which they are violated. */
type Verdict = { ruleCode: string; startMs: number | undefined; endMs: number | undefined }[];

const limitsOf = ({ area }: NearClip) => ({ areas: [area], areaShareMax: 0.25 });
const verdictOf = (findings: readonly Pick<Finding, 'ruleCode' | 'locations'>[]): Verdict =>
  findings.map(({ ruleCode, locations }) => ({
    ruleCode,
    startMs: locations[0]?.startMs,
    endMs: locations[0]?.endMs,
  }));

/** The clips of a short run are the same every time; a full run has a new seed every night. */
function makeClip(clip: NearClip): string {
  if (!CLIPS) return cachedClip(clip);
  const path = join(mediaFolder.folder, `${clip.name.split(':')[0]}.${clip.format.extension}`);
  writeClip(clip, path);
  return path;
}

/** Examines a file as the service examines an upload. */
async function examine(clip: NearClip, path: string): Promise<Verdict> {
  const declared = declarationFor(path);
  const profile = extendProfile(declared.profile, { limits: { photosensitivity: limitsOf(clip) } });
  const { findings } = await withSource(path, (source) => runSidekicks([sidekick], source, { ...declared, profile }));
  return verdictOf(findings);
}

/** Rounds the sample values of 10-bit frames to 8 bits. */
function roundToEightBits(clip: NearClip, frames: readonly Uint8Array[]): Uint8Array[] {
  return frames.map((frame) =>
    Uint8Array.from({ length: frame.length / 2 }, (_, i) =>
      toEightBits(clip.format, (frame[2 * i] as number) + 256 * (frame[2 * i + 1] as number)),
    ),
  );
}

/** Judges frames with the simple reference implementation. */
function judgeFrames(clip: NearClip, format: ClipFormat, frames: readonly Uint8Array[]): Verdict {
  const { area } = clip;
  const runs = judgeByReference(format, area, frames, timesOf(clip));
  const flashes: Flashes = {
    ...{ runs, extended: [], isWhole: true, undecodedShare: 0, lookedAt: format },
    ...{ frameCount: frames.length, isByField: false, isTooFast: false },
    series: { transitions: series, meanLuminance: series },
  };
  return verdictOf(judgeFlashes(flashes, limitsOf(clip), formatClock));
}

describe(`the flash analysis of ${count} clips near a limit`, () => {
  const clips = createNearClips(count, testSeed(1000), sizes);
  const failed = new Map<NearClip, boolean>();

  test.each(clips.map((clip) => [clip.name, clip] as const))(
    'agrees with the reference implementation on clip %s',
    async (_, clip) => {
      const path = makeClip(clip);
      const verdict = await examine(clip, path);
      failed.set(clip, verdict.length > 0);
      const frames = readFrames(path, clip.format);
      expect(frames).toHaveLength(clip.frameCount);
      expect(verdict).toEqual(judgeFrames(clip, clip.format, frames));
      expect([...new Set(verdict.map(({ ruleCode }) => ruleCode))], 'the rule that the clip was made for').toEqual(
        clip.isOver ? [clip.ruleCode] : [],
      );
      if (clip.kind === fineKind) {
        const coarse = judgeFrames(clip, { ...clip.format, bits: 8 }, roundToEightBits(clip, frames));
        expect(coarse.length > 0, '8 bits would reverse the verdict').toBe(!clip.isOver);
      }
    },
  );

  test.each(kindNames)('fails some clips of the kind "%s" and passes others', (kind) => {
    const ofKind = clips.filter((clip) => clip.kind === kind).map((clip) => failed.get(clip));
    expect(new Set(ofKind)).toEqual(new Set([true, false]));
  });
});
