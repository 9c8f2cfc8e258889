import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { describe, expect, test } from 'vitest';
import type { Evidence } from '#evidence/evidence.ts';
import type { Loudness } from '#evidence/media/decode/audio/observe-loudness.ts';
import { builtInProfile } from '#profiles/built-in-profiles.ts';
import { extendProfile, type Profile } from '#sidekick/profile.ts';
import { severityOf } from '#sidekick/severity.ts';
import type { Rule } from '#sidekick/sidekick.ts';
import { sidekick } from './sidekick.ts';

const declared = declarationFor('a.wav');
const [ebu, atsc, general] = [builtInProfile('ebu-r128'), builtInProfile('atsc-a85'), builtInProfile('general')];
const emptySeries = { stepSeconds: 0.1, values: [] };
const loudnessOnTarget: Loudness = {
  integratedLufs: -23,
  rangeLu: 5,
  truePeakDb: -3,
  truePeakChannel: 1,
  truePeakAtSeconds: 12.4,
  maxShortTerm: { lufs: -20, seconds: 65 },
  maxMomentary: { lufs: -18, seconds: 64 },
  durationSeconds: 100,
  momentary: emptySeries,
  shortTerm: emptySeries,
};
const probe = { reader: 'ffprobe 5.1.9', streams: [{ kind: 'audio', channels: 2, channelLayout: 'stereo' }] };

function check(more: Partial<Loudness> | null, profile: Profile = ebu, streams: object[] = probe.streams) {
  const evidence = {
    probe: { ...probe, streams },
    loudness: more && { ...loudnessOnTarget, ...more },
  } as unknown as Evidence;
  return sidekick.check(evidence, { ...declared, profile });
}
const ruleCodesOf = (found: ReturnType<typeof check>) => found.map(({ ruleCode }) => ruleCode);

describe('programme loudness', () => {
  test.each([
    ['on target', -23, []],
    ['at the upper limit', -22.8, []],
    ['above the upper limit', -22.79, ['LOUD-INTEGRATED-HIGH']],
    ['at the lower limit', -23.2, []],
    ['below the lower limit', -23.21, ['LOUD-INTEGRATED-LOW']],
  ])('that is %s (%d LUFS) is judged as EBU R 128 requires', (_, integratedLufs, expected) => {
    expect(ruleCodesOf(check({ integratedLufs }))).toEqual(expected);
  });

  test.each([
    ['at the upper limit, meter tolerance included', -21.8, []],
    ['above the upper limit', -21.79, ['LOUD-INTEGRATED-HIGH']],
    ['at the lower limit', -24.2, []],
    ['below the lower limit', -24.21, ['LOUD-INTEGRATED-LOW']],
  ])('that is %s (%d LUFS) is judged as the first revision of ebu-r128 requires', (_, integratedLufs, expected) => {
    expect(ruleCodesOf(check({ integratedLufs }, builtInProfile('ebu-r128', 1)))).toEqual(expected);
  });

  test.each([
    ['at the limit', -22, []],
    ['too loud', -21.9, ['LOUD-INTEGRATED-HIGH']],
    ['at the limit', -26, []],
    ['too quiet', -26.1, ['LOUD-INTEGRATED-LOW']],
  ])('that is %s (%d LKFS) is judged as ATSC A/85 requires', (_, integratedLufs, expected) => {
    expect(ruleCodesOf(check({ integratedLufs }, atsc))).toEqual(expected);
  });

  test('that is too high is reported at the loudest three seconds, with the gain that corrects it', () => {
    const [found] = check({ integratedLufs: -18.04 });
    expect(found).toMatchObject({
      measured: -18.04,
      limit: -22.8,
      unit: 'LUFS',
      locations: [{ kind: 'timeRange', startMs: 62_000, endMs: 65_000 }],
    });
    expect(found?.summary).toBe(
      'Integrated loudness is −18.0 LUFS (allowed: −23.0 ±0.2 LU), loudest around 1:03.50. Apply a gain of −5.0 dB to reach the target.',
    );
    expect(found?.severityReasoning).toContain('(ffmpeg 5.1.9 ebur128; loudness ');
  });

  test('that is too low has no location', () => {
    expect(check({ integratedLufs: -30 })[0]).toMatchObject({ limit: -23.2, locations: [] });
  });

  test('that is just beyond the limit is not shown as equal to it', () => {
    const [found] = check({ integratedLufs: -22.79 });
    expect(found?.summary).toContain('is −22.79 LUFS (allowed: −23.0 ±0.2 LU)');
    expect(found).toMatchObject({ measured: -22.79, limit: -22.8 });
  });

  test('that is too high in a video is located by timecode', () => {
    const video = { kind: 'video', isAttachedPicture: false, averageFrameRate: 25 };
    const [found] = check({ integratedLufs: -18 }, ebu, [video, ...probe.streams]);
    expect(found?.summary).toContain('loudest around 00:01:03:12.');
  });
});

describe('true peak', () => {
  test.each([
    ['EBU R 128', -0.8, ebu, []],
    ['EBU R 128', -0.79, ebu, ['LOUD-TRUE-PEAK']],
    ['ATSC A/85', -1.8, atsc, []],
    ['ATSC A/85', -1.79, atsc, ['LOUD-TRUE-PEAK']],
  ])('is judged as %s requires at %d dBTP', (_, truePeakDb, profile, expected) => {
    expect(ruleCodesOf(check({ truePeakDb, integratedLufs: -23 }, profile))).toEqual(expected);
  });

  test('that is too high is reported with its channel and to a tenth of a second', () => {
    const [found] = check({ truePeakDb: 1.25 });
    expect(found).toMatchObject({ measured: 1.25, limit: -0.8, locations: [{ startMs: 12_300, endMs: 12_400 }] });
    expect(found?.summary).toBe(
      'True peak is +1.3 dBTP in the right channel at 0:12.30 (limit −1.0 dBTP, +0.2 dB meter tolerance). Limit true peaks to −1.0 dBTP.',
    );
  });
});

describe('short-form content', () => {
  const loud = { maxShortTerm: { lufs: -17, seconds: 9 } };
  test('is the only content in which a loud passage is reported', () => {
    expect(ruleCodesOf(check({ ...loud, durationSeconds: 20 }))).toEqual(['LOUD-SHORT-TERM']);
    expect(ruleCodesOf(check({ ...loud, durationSeconds: 31 }))).toEqual([]);
  });
  test('gets a summary that names the content length and the limit', () => {
    expect(check({ ...loud, durationSeconds: 20 })[0]).toMatchObject({
      limit: -18,
      summary:
        'Short-term loudness reaches −17.0 LUFS from 0:06.00 to 0:09.00. Short-form content (up to 30 s) must stay below −18.0 LUFS short-term.',
    });
  });
  test('of 30 s may have up to 30.1 s of audio, because codecs add padding', () => {
    const ofSeconds = (durationSeconds: number) => check({ ...loud, durationSeconds });
    expect([ruleCodesOf(ofSeconds(30.016)), ruleCodesOf(ofSeconds(30.1)), ruleCodesOf(ofSeconds(30.11))]).toEqual([
      ['LOUD-SHORT-TERM'],
      ['LOUD-SHORT-TERM'],
      [],
    ]);
    expect(ofSeconds(30.016)[0]?.severityReasoning).toContain(
      'for content up to 30 s (this audio: 30.02 s, 0.10 s of codec padding allowed)',
    );
  });
  test('is checked for loud passages only if the profile has a limit for them', () => {
    expect(ruleCodesOf(check({ ...loud, durationSeconds: 20, integratedLufs: -24 }, atsc))).toEqual([]);
  });
});

describe('a file with several audio programmes', () => {
  const track = (language: string | null) => ({ kind: 'audio', channels: 2, sampleRate: 48_000, language });
  const checkTwo = (second: Partial<Loudness>, languages: [string | null, string | null] = ['eng', 'fra']) => {
    const evidence = {
      probe: { ...probe, streams: languages.map(track) },
      loudness: { ...loudnessOnTarget, integratedLufs: -30 },
      furtherLoudness: [{ ...loudnessOnTarget, ...second }],
    } as unknown as Evidence;
    return { found: sidekick.check(evidence, declared), examined: sidekick.examined(evidence, declared) };
  };

  test('has a finding for each programme outside the limits, which names its track', () => {
    const { found } = checkTwo({ integratedLufs: -4 });
    expect(found.map(({ ruleCode, subject }) => [ruleCode, subject])).toEqual([
      ['LOUD-INTEGRATED-LOW', 'too quiet'], // the subject that it had before further programmes were measured
      ['LOUD-INTEGRATED-HIGH', 'too loud: audio track 2'],
    ]);
    expect(found.map(({ summary }) => summary.slice(0, 55))).toEqual([
      'Integrated loudness of audio track 1 (eng) is −30.0 LUF',
      'Integrated loudness of audio track 2 (fra) is −4.0 LUFS',
    ]);
  });

  test('lists every programme that was measured', () => {
    expect(checkTwo({}).examined.map(({ label }) => label)).toEqual(['audio track 1 (eng)', 'audio track 2 (fra)']);
  });

  test('may have a silent programme after the first, but not one that is too quiet to measure', () => {
    const nothing = { integratedLufs: null, maxShortTerm: null };
    const codesOf = (truePeakDb: number | null) => ruleCodesOf(checkTwo({ ...nothing, truePeakDb }).found);
    expect([codesOf(null), codesOf(-80), codesOf(-40)]).toEqual([
      ['LOUD-INTEGRATED-LOW'],
      ['LOUD-INTEGRATED-LOW'],
      ['LOUD-INTEGRATED-LOW', 'LOUD-NOT-MEASURED'],
    ]);
  });

  test('shows the loudness and true peak of every programme, whether or not they are an issue', () => {
    const evidence = {
      probe: { ...probe, streams: [track('eng'), track('fra')] },
      loudness: loudnessOnTarget,
      furtherLoudness: [{ ...loudnessOnTarget, integratedLufs: null, truePeakDb: null, maxShortTerm: null }],
    } as unknown as Evidence;
    expect(sidekick.check(evidence, { ...declared, profile: general })).toEqual([]);
    const label = 'audio track 1 (eng)';
    expect(sidekick.measured?.(evidence, { ...declared, profile: general })).toEqual([
      { quantity: 'integratedLoudness', label, value: -23, unit: 'LUFS' },
      { quantity: 'shortTermLoudnessMax', label, value: -20, unit: 'LUFS' },
      { quantity: 'truePeak', label, value: -3, unit: 'dBTP' },
    ]);
  });

  test('is incomplete if a programme was not measured, and names it', () => {
    const evidence = { probe: { ...probe, streams: [track('eng'), track('fra')] }, loudness: loudnessOnTarget };
    expect(sidekick.check({ ...evidence, furtherLoudness: [] } as unknown as Evidence, declared)).toMatchObject([
      { ruleCode: 'LOUD-NOT-MEASURED', notExamined: { label: 'audio track 2 (fra)', reason: 'unsupported' } },
    ]);
  });
});

describe('a profile without a loudness target', () => {
  test.each([
    [-9.99, ['LOUD-INTEGRATED-HIGH']],
    [-10, []],
    [-14, []],
    [-30, []],
    [-30.01, ['LOUD-INTEGRATED-LOW']],
  ])('reports programme loudness only outside of its range (%d LUFS)', (integratedLufs, expected) => {
    expect(ruleCodesOf(check({ integratedLufs }, general))).toEqual(expected);
  });

  test('says in an issue that there is no target, and speaks neither of a gain nor of broadcasters', () => {
    const [found] = check({ integratedLufs: -34 }, general);
    expect(found).toMatchObject({ measured: -34, limit: -30, unit: 'LUFS' });
    expect(found?.summary).toBe(
      'Integrated loudness is −34.0 LUFS, outside −30.0 to −10.0 LUFS. The delivery profile sets no target; check that the level is intended.',
    );
    expect(sidekick.rules['LOUD-INTEGRATED-LOW']?.headline).not.toMatch(/broadcast/i);
  });

  test('gives its tolerances to a profile that extends it and sets a target', () => {
    const withTarget = extendProfile(general, { limits: { loudness: { target: -16 } } });
    expect(ruleCodesOf(check({ integratedLufs: -14.8 }, withTarget))).toEqual([]);
    expect(check({ integratedLufs: -14.7 }, withTarget)).toMatchObject([{ limit: -14.8 }]);
  });

  test('is refused if its range is empty', () => {
    const { limits } = extendProfile(general, { limits: { loudness: { rangeWithoutTarget: { min: -10, max: -10 } } } });
    expect(sidekick.validateLimits?.(limits)).toMatchObject([{ pointer: '/limits/loudness/rangeWithoutTarget/max' }]);
    expect(sidekick.validateLimits?.(general.limits)).toEqual([]);
  });
});

describe('the severity of a loudness issue', () => {
  const severities = (more: Partial<Loudness>, profile: Profile = ebu) =>
    check(more, profile).map((finding) => severityOf(finding, sidekick.rules[finding.ruleCode] as Rule, profile));

  test.each([
    ['MINOR', 'a programme 0.3 LU above the target', { integratedLufs: -22.7 }],
    ['MINOR', 'a programme 0.999 LU above the target', { integratedLufs: -22.001 }],
    ['MAJOR', 'a programme 1 LU above the target', { integratedLufs: -22 }],
    ['MAJOR', 'a programme 15 LU above the target', { integratedLufs: -8 }],
    ['MINOR', 'a programme 0.9 LU below the target', { integratedLufs: -23.9 }],
    ['MAJOR', 'a programme 1 LU below the target', { integratedLufs: -24 }],
    ['MINOR', 'a true peak 0.3 dB above the limit', { truePeakDb: -0.5 }],
    ['MAJOR', 'a true peak 0.6 dB above the limit', { truePeakDb: -0.2 }],
    [
      'MINOR',
      'short-term loudness 0.7 LU above the limit',
      { durationSeconds: 20, maxShortTerm: { lufs: -17.3, seconds: 9 } },
    ],
    [
      'MAJOR',
      'short-term loudness 2 LU above the limit',
      { durationSeconds: 20, maxShortTerm: { lufs: -15.8, seconds: 9 } },
    ],
  ])('is %s for %s', (severity, _, measured) => {
    expect(severities(measured)).toEqual([severity]);
  });

  test('is INFO under the general profile, whatever the distance from the limit', () => {
    const loud = { integratedLufs: -5, truePeakDb: 3, durationSeconds: 20, maxShortTerm: { lufs: -3, seconds: 9 } };
    expect(severities(loud, builtInProfile('general', 2))).toEqual(['INFO', 'INFO', 'INFO']);
    expect(severities(loud, general)).toEqual(['INFO', null]);
  });
});

test('a loudness value that rounds to its limit is not reported, and a reported value never equals its limit', () => {
  expect(check({ integratedLufs: -22.7996, truePeakDb: -0.7996 })).toEqual([]);
  const found = check({ integratedLufs: -22.7994, truePeakDb: -0.7994 });
  expect(found.map(({ measured, limit }) => [measured, limit])).toEqual([
    [-22.799, -22.8],
    [-0.799, -0.8],
  ]);
});

describe('the loudness check', () => {
  test('reports nothing for a video without audio', () => expect(check(null, ebu, [])).toEqual([]));
  test('reports silence and audio that is too short with different summaries', () => {
    const nothing = { integratedLufs: null, truePeakDb: null, maxShortTerm: null };
    const [silent, short] = [check(nothing), check({ ...nothing, durationSeconds: 0.3 })];
    expect([ruleCodesOf(silent), ruleCodesOf(short)]).toEqual([['LOUD-NOT-MEASURED'], ['LOUD-NOT-MEASURED']]);
    expect(silent[0]?.summary).not.toBe(short[0]?.summary);
  });
  test('reports the true peak of a click in silence, although its loudness cannot be measured', () => {
    expect(ruleCodesOf(check({ integratedLufs: null, maxShortTerm: null, truePeakDb: 0 }))).toEqual([
      'LOUD-NOT-MEASURED',
      'LOUD-TRUE-PEAK',
    ]);
  });
});
