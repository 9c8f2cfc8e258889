import { AssetFailure } from '@assay/contract/asset-failures.ts';
import type { DeliverySpecLimits } from '@assay/contract/schemas/profiles/delivery-spec.ts';
import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { openMediaFolder, withSource } from '@assay/testing/media/video-source.ts';
import { describe, expect, test } from 'vitest';
import { readActivePicture } from '#evidence/media/active-picture/active-picture.ts';
import { readPackets } from '#evidence/media/packets/packets.ts';
import { readProbe } from '#evidence/media/probe/probe.ts';
import { builtInProfile } from '#profiles/built-in-profiles.ts';
import { runSidekicks } from '#run/run.ts';
import { sidekicks } from '#sidekick/catalogue.ts';
import { extendProfile } from '#sidekick/profile.ts';
import { sidekick } from './sidekick.ts';

const mediaFolder = openMediaFolder('unmeasured');
const videoInput = (source = 'testsrc2=s=64x48:r=25:d=1') => ['-f', 'lavfi', '-i', source];
const audioInput = ['-f', 'lavfi', '-i', 'sine=r=48000:d=1'];

/** Returns the check and the severities of its findings. */
async function examine(path: string, deliverySpec: Partial<DeliverySpecLimits>) {
  const profile = extendProfile(builtInProfile('general'), { limits: { deliverySpec } });
  const declared = { ...declarationFor(path.replace(/.*\//, '')), profile };
  const { checks, findings } = await withSource(path, (source) => runSidekicks([sidekick], source, declared));
  return { check: checks[0], found: findings.map(({ ruleCode, severity }) => `${ruleCode} ${severity}`) };
}

describe('an expectation that cannot be measured makes the check incomplete', () => {
  test.each<[string, string, string[], Partial<DeliverySpecLimits>, object]>([
    [
      'groups of packets without timestamps',
      'groups.avi',
      [...videoInput(), '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-g', '12'],
      { requireClosedGop: true },
      { kind: 'video_stream', label: 'groups of pictures', reason: 'not_measurable', share: null },
    ],
    [
      'bars in a picture that is black',
      'black.mp4',
      videoInput('color=black:s=64x48:r=25:d=1'),
      { activePicture: ['full'] },
      { kind: 'video_stream', label: 'active picture', reason: 'not_measurable', share: null },
    ],
    [
      'the second of two video tracks',
      'two.mp4',
      [...videoInput(), '-map', '0', '-map', '0'],
      { videoCodecs: ['h264'] },
      expect.objectContaining({ kind: 'video_stream', label: 'video track 2' }),
    ],
  ])('%s', async (_, filename, args, spec, part) => {
    const { check, found } = await examine(await mediaFolder.make(filename, ...args), spec);
    expect(check).toMatchObject({ outcome: 'incomplete', reason: null, coverage: { notExamined: [part] } });
    expect(found).toEqual(['SPEC-NOT-VERIFIED MAJOR']);
  });

  test('and measuring it makes the check run', async () => {
    const path = await mediaFolder.make('groups.mp4', ...videoInput(), ...audioInput);
    const { check, found } = await examine(path, { requireClosedGop: true, activePicture: ['full'] });
    expect(found).toEqual([]);
    expect(check).toMatchObject({
      outcome: 'ran',
      coverage: {
        examined: [{ label: 'container' }, { label: 'video track 1' }, { label: 'audio track 1' }],
        notExamined: [],
      },
    });
  });
});

test('a profile without expectations has nothing to compare the file with', async () => {
  const { check, found } = await examine(await mediaFolder.make('any.mp4', ...videoInput()), {});
  expect(check).toMatchObject({ outcome: 'not_applicable', reason: 'nothing_in_profile' });
  expect(found).toEqual([]);
});

test('a video without a picture gets an issue of MAJOR from both checks under a broadcast profile', async () => {
  const path = await mediaFolder.make('sound.mp4', ...audioInput);
  const declared = declarationFor('sound.mp4', 'us-broadcast-ad');
  const qualityCheck = sidekicks.filter(({ shortName }) => shortName === 'qc-picture-sound');
  const { checks, findings } = await withSource(path, (source) =>
    runSidekicks([...qualityCheck, sidekick], source, declared),
  );
  expect(checks.map(({ outcome }) => outcome)).toEqual(['ran', 'ran']);
  const severe = findings.filter(({ severity }) => severity === 'MAJOR');
  expect(severe.map(({ ruleCode, subject }) => [ruleCode, subject])).toEqual([
    ['QC-NO-VIDEO', 'no picture'],
    ['SPEC-VIDEO-TRACKS', 'no picture'],
  ]);
});

describe('readActivePicture', () => {
  const limits = { secondsMax: 60, cpuSecondsMax: 30, memoryBytesMax: 4 * 1024 ** 3, outputBytesMax: 1024 ** 2 };
  const read = async (more: Partial<typeof limits>) => {
    const path = await mediaFolder.make('limits.mp4', ...videoInput());
    return withSource(path, async (source) =>
      readActivePicture(source, await readProbe(source), { ...limits, ...more }),
    );
  };

  test('rejects with a failure that can be retried if it runs out of time', async () => {
    const failure = await read({ secondsMax: 0.001 }).catch((error) => error);
    expect(failure).toBeInstanceOf(AssetFailure);
    expect(failure.errorType).toBe('analysis_timeout');
  });

  test('says that a limit was reached if every frame exceeds it', async () => {
    expect(await read({ outputBytesMax: 1 })).toEqual({ notMeasured: 'limit_reached' });
  });

  test('says that the file is damaged if none of the frames can be decoded', async () => {
    const path = await mediaFolder.make('damaged.avi', ...videoInput(), '-c:v', 'mpeg4');
    const probe = await withSource(path, readProbe);
    const empty = await mediaFolder.make('other.avi', ...audioInput);
    expect(await withSource(empty, (source) => readActivePicture(source, probe))).toEqual({ notMeasured: 'damaged' });
  });

  test('returns null only for a file without video', async () => {
    const path = await mediaFolder.make('only-sound.mp4', ...audioInput);
    const nothing = await withSource(path, async (source) => {
      const probe = await readProbe(source);
      return [await readActivePicture(source, probe), await readPackets(source, probe)];
    });
    expect(nothing).toEqual([null, null]);
  });
});
