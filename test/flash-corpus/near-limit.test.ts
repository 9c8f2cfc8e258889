import { join } from 'node:path';
import { judgeFlashes } from '@assay/sidekicks/checks/photosensitivity/judge.ts';
import { sidekick } from '@assay/sidekicks/checks/photosensitivity/sidekick.ts';
import type { Flashes } from '@assay/sidekicks/evidence/pass/flashes/flashes.ts';
import { runSidekicks } from '@assay/sidekicks/run.ts';
import type { Finding } from '@assay/sidekicks/sidekick.ts';
import { describe, expect, test } from 'vitest';
import { declaredAs } from '../support/declared-as.ts';
import { openStudio, withSource } from '../support/film-source.ts';
import { readFrames, timesOf, writeClip } from './clip-file.ts';
import { createNearClips, kindNames, type NearClip } from './near-limit-clips.ts';
import { judgePlainly } from './plain-judge.ts';

/** `CLIPS=200` in full; two of each kind, one over its limit and one under it, are the least that says something. */
const count = Number(process.env.CLIPS ?? 2 * kindNames.length);
const studio = openStudio('near-limit');
const series = { stepSeconds: 1, values: [] };

/** The rules that were raised, and when. */
type Verdict = { ruleCode: string; startMs: number | undefined; endMs: number | undefined }[];

const limitsOf = ({ area }: NearClip) => ({ areas: [area], areaShareMax: 0.25 });
const verdictOf = (findings: readonly Pick<Finding, 'ruleCode' | 'locations'>[]): Verdict =>
  findings.map(({ ruleCode, locations }) => ({
    ruleCode,
    startMs: locations[0]?.startMs,
    endMs: locations[0]?.endMs,
  }));

/** As the service examines an upload. */
async function examine(clip: NearClip, path: string): Promise<Verdict> {
  const declared = declaredAs(path);
  const profile = { ...declared.profile, photosensitivity: limitsOf(clip) };
  const { findings } = await withSource(path, (source) => runSidekicks([sidekick], source, { ...declared, profile }));
  return verdictOf(findings);
}

/** The same frames, every pixel of them judged one after the other. */
function examinePlainly(clip: NearClip, path: string): Verdict {
  const { format, area, frameCount } = clip;
  const frames = readFrames(path, format);
  expect(frames).toHaveLength(frameCount);
  const runs = judgePlainly(format, area, frames, timesOf(clip));
  const flashes: Flashes = {
    ...{ runs, extended: [], isWhole: true, lookedAt: format },
    series: { transitions: series, meanLuminance: series },
  };
  return verdictOf(judgeFlashes(flashes, limitsOf(clip)));
}

describe(`${count} clips near a limit are judged as by a plain implementation`, () => {
  const clips = createNearClips(count);
  const failed = new Map<NearClip, boolean>();

  test.each(clips.map((clip) => [clip.name, clip] as const))('%s', async (_, clip) => {
    const path = join(studio.folder, `${clip.name.split(':')[0]}.${clip.format.extension}`);
    writeClip(clip, path);
    const verdict = await examine(clip, path);
    failed.set(clip, verdict.length > 0);
    expect(verdict).toEqual(examinePlainly(clip, path));
    expect([...new Set(verdict.map(({ ruleCode }) => ruleCode))], 'as it was made').toEqual(
      clip.isOver ? [clip.ruleCode] : [],
    );
  });

  test.each(kindNames)('%s: some fail and some pass', (kind) => {
    const ofKind = clips.filter((clip) => clip.kind === kind).map((clip) => failed.get(clip));
    expect(new Set(ofKind)).toEqual(new Set([true, false]));
  });
});
