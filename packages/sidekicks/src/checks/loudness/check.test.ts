import { mediaTypeOfFilename } from '@assay/contract/media-types.ts';
import { describe, expect, test } from 'vitest';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Loudness } from '../../evidence/pass/sound/observe-loudness.ts';
import { type Profile, profiles } from '../../profile.ts';
import { sidekick } from './sidekick.ts';

const media = mediaTypeOfFilename('a.wav');
if (!media) throw new Error('sounds may be uploaded');
const [ebu, atsc] = [profiles['ebu-r128'], profiles['atsc-a85']];
const series = { stepSeconds: 0.1, values: [] };
const onTarget: Loudness = {
  integratedLufs: -23,
  rangeLu: 5,
  truePeakDb: -3,
  truePeakChannel: 1,
  truePeakAtSeconds: 12.4,
  maxShortTerm: { lufs: -20, seconds: 65 },
  maxMomentary: { lufs: -18, seconds: 64 },
  durationSeconds: 100,
  momentary: series,
  shortTerm: series,
};
const probe = { reader: 'ffprobe 5.1.9', streams: [{ kind: 'audio', channels: 2, channelLayout: 'stereo' }] };

function check(more: Partial<Loudness> | null, profile: Profile = ebu) {
  const evidence = { probe, loudness: more && { ...onTarget, ...more } } as unknown as Evidence;
  return sidekick.check(evidence, { media: media as NonNullable<typeof media>, filename: 'a.wav', profile });
}
const codes = (found: ReturnType<typeof check>) => found.map(({ ruleCode }) => ruleCode);

describe('programme loudness', () => {
  test.each([
    ['on target', -23, []],
    ['at the edge, with what meters may differ', -21.8, []],
    ['beyond it', -21.79, ['LOUD-INTEGRATED-HIGH']],
    ['at the lower edge', -24.2, []],
    ['below it', -24.21, ['LOUD-INTEGRATED-LOW']],
  ])('EBU R 128: %s (%d LUFS)', (_, integratedLufs, expected) => {
    expect(codes(check({ integratedLufs }))).toEqual(expected);
  });

  test.each([
    ['inside', -22, []],
    ['too loud', -21.9, ['LOUD-INTEGRATED-HIGH']],
    ['inside', -26, []],
    ['too quiet', -26.1, ['LOUD-INTEGRATED-LOW']],
  ])('ATSC A/85: %s (%d LKFS)', (_, integratedLufs, expected) => {
    expect(codes(check({ integratedLufs }, atsc))).toEqual(expected);
  });

  test('too loud has the loudest three seconds as its place, and says what to do', () => {
    const [found] = check({ integratedLufs: -18.04 });
    expect(found).toMatchObject({
      measured: -18.04,
      limit: -22,
      unit: 'LUFS',
      locations: [{ kind: 'timeRange', startMs: 62_000, endMs: 65_000 }],
    });
    expect(found?.summary).toBe(
      'The programme is 5.0 LU too loud: −18.0 LUFS instead of −23.0, loudest around 1:03.5. A gain of −5.0 dB puts it on target.',
    );
    expect(found?.severityReasoning).toContain('EBU R 128 (version 4.0, 2020)');
    expect(found?.severityReasoning).toContain('(ffmpeg 5.1.9 ebur128; loudness ');
  });

  test('too quiet is so everywhere', () => {
    expect(check({ integratedLufs: -30 })[0]).toMatchObject({ limit: -24, locations: [] });
  });
});

describe('true peak', () => {
  test.each([
    ['EBU R 128', ebu, -0.8, []],
    ['EBU R 128', ebu, -0.79, ['LOUD-TRUE-PEAK']],
    ['ATSC A/85', atsc, -1.8, []],
    ['ATSC A/85', atsc, -1.79, ['LOUD-TRUE-PEAK']],
  ])('%s: %o at %d dBTP', (_, profile, truePeakDb, expected) => {
    expect(codes(check({ truePeakDb, integratedLufs: -23 }, profile))).toEqual(expected);
  });

  test('has its tenth of a second and its channel', () => {
    const [found] = check({ truePeakDb: 1.25 });
    expect(found).toMatchObject({ measured: 1.25, limit: -1, locations: [{ startMs: 12_300, endMs: 12_400 }] });
    expect(found?.summary).toContain('1.3 dBTP on right at 0:12.3');
  });
});

describe('short form', () => {
  const loud = { maxShortTerm: { lufs: -17, seconds: 9 } };
  test('a loud passage counts only in what is short', () => {
    expect(codes(check({ ...loud, durationSeconds: 20 }))).toEqual(['LOUD-SHORT-TERM']);
    expect(codes(check({ ...loud, durationSeconds: 31 }))).toEqual([]);
  });
  test('and only where the house says so', () => {
    expect(codes(check({ ...loud, durationSeconds: 20, integratedLufs: -24 }, atsc))).toEqual([]);
  });
});

describe('what cannot be measured', () => {
  test('a film without sound is silent here', () => expect(check(null)).toEqual([]));
  test('silence and what is too short are said, with different words', () => {
    const nothing = { integratedLufs: null, truePeakDb: null, maxShortTerm: null };
    const [silent, short] = [check(nothing), check({ ...nothing, durationSeconds: 0.3 })];
    expect([codes(silent), codes(short)]).toEqual([['LOUD-NOT-MEASURED'], ['LOUD-NOT-MEASURED']]);
    expect(silent[0]?.summary).not.toBe(short[0]?.summary);
  });
  test('a click in silence still has its peak', () => {
    expect(codes(check({ integratedLufs: null, maxShortTerm: null, truePeakDb: 0 }))).toEqual([
      'LOUD-NOT-MEASURED',
      'LOUD-TRUE-PEAK',
    ]);
  });
});
