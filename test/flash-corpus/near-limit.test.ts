import { join } from 'node:path';
import { judgeFlashes } from '@assay/sidekicks/checks/photosensitivity/judge.ts';
import { sidekick } from '@assay/sidekicks/checks/photosensitivity/sidekick.ts';
import type { Flashes } from '@assay/sidekicks/evidence/pass/flashes/flashes.ts';
import { formatClock } from '@assay/sidekicks/format-values.ts';
import { extendProfile } from '@assay/sidekicks/profile.ts';
import { runSidekicks } from '@assay/sidekicks/run.ts';
import type { Finding } from '@assay/sidekicks/sidekick.ts';
import { describe, expect, test } from 'vitest';
import { declaredAs } from '../support/declared-as.ts';
import { openStudio, withSource } from '../support/video-source.ts';
import { readFrames, timesOf, writeClip } from './clip-file.ts';
import { type ClipFormat, toEightBits } from './clip-format.ts';
import { createNearClips, fineKind, kindNames, type NearClip } from './near-limit-clips.ts';
import { judgePlainly } from './plain-judge.ts';

/** `CLIPS=200` for a full run. The default is the minimum: of each kind one clip over its limit and one under it. */
const count = Number(process.env.CLIPS ?? 2 * kindNames.length);
const studio = openStudio('near-limit');
const series = { stepSeconds: 1, values: [] };

/** The violated rules with their times. */
type Verdict = { ruleCode: string; startMs: number | undefined; endMs: number | undefined }[];

const limitsOf = ({ area }: NearClip) => ({ areas: [area], areaShareMax: 0.25 });
const verdictOf = (findings: readonly Pick<Finding, 'ruleCode' | 'locations'>[]): Verdict =>
  findings.map(({ ruleCode, locations }) => ({
    ruleCode,
    startMs: locations[0]?.startMs,
    endMs: locations[0]?.endMs,
  }));

/** Examines a file as the service examines an upload. */
async function examine(clip: NearClip, path: string): Promise<Verdict> {
  const declared = declaredAs(path);
  const profile = extendProfile(declared.profile, { limits: { photosensitivity: limitsOf(clip) } });
  const { findings } = await withSource(path, (source) => runSidekicks([sidekick], source, { ...declared, profile }));
  return verdictOf(findings);
}

/** Examines the same frames with the plain implementation. */
function examinePlainly(clip: NearClip, path: string): Verdict {
  const frames = readFrames(path, clip.format);
  expect(frames).toHaveLength(clip.frameCount);
  return judgeFrames(clip, clip.format, frames);
}

/** As `examinePlainly`, with frames rounded to 8 bits. */
function examineCoarsely(clip: NearClip, path: string): Verdict {
  const rounded = readFrames(path, clip.format).map((frame) =>
    Uint8Array.from({ length: frame.length / 2 }, (_, i) =>
      toEightBits(clip.format, (frame[2 * i] as number) + 256 * (frame[2 * i + 1] as number)),
    ),
  );
  return judgeFrames(clip, { ...clip.format, bits: 8 }, rounded);
}

function judgeFrames(clip: NearClip, format: ClipFormat, frames: readonly Uint8Array[]): Verdict {
  const { area } = clip;
  const runs = judgePlainly(format, area, frames, timesOf(clip));
  const flashes: Flashes = {
    ...{ runs, extended: [], isWhole: true, lookedAt: format },
    series: { transitions: series, meanLuminance: series },
  };
  return verdictOf(judgeFlashes(flashes, limitsOf(clip), formatClock));
}

describe(`${count} clips near a limit get the verdict of the plain implementation`, () => {
  const clips = createNearClips(count);
  const failed = new Map<NearClip, boolean>();

  test.each(clips.map((clip) => [clip.name, clip] as const))('%s', async (_, clip) => {
    const path = join(studio.folder, `${clip.name.split(':')[0]}.${clip.format.extension}`);
    writeClip(clip, path);
    const verdict = await examine(clip, path);
    failed.set(clip, verdict.length > 0);
    expect(verdict).toEqual(examinePlainly(clip, path));
    expect([...new Set(verdict.map(({ ruleCode }) => ruleCode))], 'the rule that the clip was made for').toEqual(
      clip.isOver ? [clip.ruleCode] : [],
    );
    if (clip.kind === fineKind) {
      const coarse = examineCoarsely(clip, path);
      expect(coarse.length > 0, '8 bits would reverse the verdict').toBe(!clip.isOver);
    }
  });

  test.each(kindNames)('%s: some fail and some pass', (kind) => {
    const ofKind = clips.filter((clip) => clip.kind === kind).map((clip) => failed.get(clip));
    expect(new Set(ofKind)).toEqual(new Set([true, false]));
  });
});
