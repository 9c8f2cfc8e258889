import type { DeliverySpecLimits } from '@assay/contract/schemas/profiles/delivery-spec.ts';
import { DeliverySpecLimits as schema } from '@assay/contract/schemas/profiles/delivery-spec.ts';
import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { describe, expect, test } from 'vitest';
import { linearLightBy, referenceLuminance } from '#evidence/media/decode/signal/light.ts';
import { readMediaInfoReport } from '#evidence/media/media-info/media-info-report.ts';
import { readPacketList } from '#evidence/media/packets/packet-list.ts';
import { readProbeReport } from '#evidence/media/probe/probe-report.ts';
import { builtInProfile } from '#profiles/built-in-profiles.ts';
import { validateProfile } from '#profiles/validate-profile.ts';
import { extendProfile } from '#sidekick/profile.ts';
import { expectations } from './expectations.ts';
import { isSameFraction } from './fraction.ts';
import { isSameLanguage } from './language.ts';
import { chromaOf, depthOf } from './pixel-format.ts';
import { rules } from './rules.ts';
import { sidekick } from './sidekick.ts';

type Spec = Partial<DeliverySpecLimits>;
type ProbeFields = Record<string, unknown>;

const h264: ProbeFields = { codec_type: 'video', codec_name: 'h264', width: 1920, height: 1080, pix_fmt: 'yuv420p' };
const profileWith = (deliverySpec: Spec, rules: { ruleCode: string; severity: 'OFF' }[] = []) =>
  extendProfile(builtInProfile('general'), { limits: { deliverySpec }, rules });

function check(spec: Spec, streams: ProbeFields[], format: ProbeFields = {}) {
  const probe = readProbeReport(JSON.stringify({ format, streams }));
  const evidence = { probe, recognition: 'video/mp4' } as unknown as Parameters<typeof sidekick.check>[0];
  return sidekick.check(evidence, { ...declarationFor('a.mp4'), profile: profileWith(spec) });
}
const summaries = (...args: Parameters<typeof check>) => check(...args).map(({ summary }) => summary);

describe('the delivery-spec check', () => {
  test('has one expectation for every rule and for every member of the delivery specification', () => {
    expect(expectations.map(({ ruleCode }) => ruleCode).toSorted()).toEqual(Object.keys(rules).toSorted());
    expect(expectations.map(({ member }) => member).toSorted()).toEqual(Object.keys(schema.shape).toSorted());
  });

  test('needs no evidence and reports nothing if the profile expects nothing', () => {
    expect(sidekick.needsFor?.(builtInProfile('general'))).toEqual([]);
    expect(check({}, [h264])).toEqual([]);
  });

  test('applies only to video and audio files, and only if the profile expects something', () => {
    const applies = (evidence: object) => sidekick.applies?.(evidence as never, declarationFor('a.mp4'));
    expect(applies({})).toBe(false);
    expect(applies({ probe: null })).toBe(false);
    expect(applies({ probe: readProbeReport('{"format": {}}') })).toBe(true);
  });

  test('needs only the evidence that the expectations of the profile use', () => {
    const needs = (spec: Spec) => sidekick.needsFor?.(profileWith(spec));
    expect(needs({ videoCodecs: ['h264'] })).toEqual(['recognition', 'probe']);
    expect(needs({ scans: ['progressive'] })).toEqual(['recognition', 'probe', 'mediaInfo']);
    expect(needs({ requireClosedGop: true })).toEqual(['recognition', 'probe', 'packets']);
    expect(needs({ requireClosedGop: false })).toEqual([]);
  });

  test('needs no evidence for a rule that is switched off', () => {
    const profile = profileWith({ scans: ['progressive'] }, [{ ruleCode: 'SPEC-SCAN', severity: 'OFF' }]);
    expect(sidekick.needsFor?.(profile)).toEqual([]);
  });
});

describe('a delivery-spec finding', () => {
  test('states what the file has, what is expected, and what to do', () => {
    expect(summaries({ videoCodecs: ['prores', 'dnxhd'] }, [h264])).toEqual([
      'Video codec is h264; the profile expects prores or dnxhd. Export the video with an accepted codec.',
    ]);
    expect(summaries({ colourPrimaries: ['bt709'] }, [h264])[0]).toMatch(
      /^Colour primaries are not declared; the profile expects bt709\./,
    );
    expect(summaries({ durationSeconds: { min: 10 } }, [h264], { duration: '5' })[0]).toMatch(
      /^Duration is 5.00 s; the profile expects at least 10.00 s\./,
    );
  });

  test('names the audio tracks, and each wrong value once', () => {
    const track = (codec: string) => ({ codec_type: 'audio', codec_name: codec });
    const tracks = ['aac', 'mp3', 'mp3', 'ac3'].map(track);
    expect(summaries({ audioCodecs: ['aac'] }, tracks)).toEqual([
      'Codec of audio tracks 2, 3 and 4 is mp3 and ac3; the profile expects aac. Export the audio with an accepted codec.',
    ]);
  });

  test('has a short summary, even for a hostile codec name and a long list of accepted codecs', () => {
    const hostile = { ...h264, codec_name: `\u202e${'x'.repeat(4000)}` };
    const [summary = ''] = summaries({ videoCodecs: Array.from({ length: 50 }, (_, i) => `codec-${i}`) }, [hostile]);
    expect(summary.length).toBeLessThan(300);
    expect(summary).not.toContain('\u202e');
  });

  test('has the measured value and its limit', () => {
    expect(check({ bitsPerSecond: { max: 1000 } }, [h264], { bit_rate: '2000' })).toMatchObject([
      { ruleCode: 'SPEC-BIT-RATE', measured: 2000, limit: 1000, unit: 'bit/s' },
    ]);
  });
});

describe('a delivery specification', () => {
  const errors = (spec: Spec) => validateProfile(profileWith(spec)).map(({ pointer }) => pointer);
  test.each([
    ['a min above its max', { durationSeconds: { min: 2, max: 1 } }, '/limits/deliverySpec/durationSeconds/min'],
    ['neither min nor max', { audioTracks: {} }, '/limits/deliverySpec/audioTracks'],
    ['the same value twice', { videoCodecs: ['h264', 'h264'] }, '/limits/deliverySpec/videoCodecs'],
  ] satisfies [string, Spec, string][])('that cannot be met is refused because of %s', (_, spec, pointer) => {
    expect(errors(spec)).toEqual([pointer]);
  });

  test('that can be met is accepted', () => {
    expect(errors({ durationSeconds: { min: 1, max: 1 }, exactDuration: { seconds: 1, toleranceSeconds: 0 } })).toEqual(
      [],
    );
  });
});

describe('delivery-spec helpers', () => {
  test('isSameFraction compares frame rates exactly', () => {
    expect(isSameFraction('30000/1001', '30000/1001')).toBe(true);
    expect(isSameFraction('12800/512', '25')).toBe(true);
    expect(isSameFraction('2997/100', '30000/1001')).toBe(false);
    expect(isSameFraction('30', '30000/1001')).toBe(false);
    expect(isSameFraction('25/0', '25')).toBe(false);
  });

  test('isSameLanguage treats all codes of a language as equal', () => {
    expect(isSameLanguage('ger', 'deu')).toBe(true);
    expect(isSameLanguage('en-GB', 'eng')).toBe(true);
    expect(isSameLanguage('fra', 'eng')).toBe(false);
    expect(isSameLanguage('not a tag', 'eng')).toBe(false);
  });

  test.each([
    ['yuv420p', '4:2:0', 8],
    ['yuvj422p', '4:2:2', 8],
    ['yuv422p10le', '4:2:2', 10],
    ['yuv444p12be', '4:4:4', 12],
    ['yuva444p16le', '4:4:4', 16],
    ['p010le', '4:2:0', 10],
    ['gbrp10le', '4:4:4', 10],
    ['rgb48le', '4:4:4', 16],
    ['gray', '4:0:0', 8],
    ['gray12le', '4:0:0', 12],
    ['yuv411p', '4:1:1', 8],
  ])('chromaOf and depthOf recognise the pixel format %s as %s with %i bits', (pixelFormat, chroma, depth) => {
    expect(chromaOf(pixelFormat)).toBe(chroma);
    expect(depthOf(pixelFormat)).toBe(depth);
  });

  test('linearLightBy.pq converts code 1 to 10,000 cd/m² and code 0.508 to 100 cd/m²', () => {
    expect(linearLightBy.pq(1) * referenceLuminance).toBeCloseTo(10_000, 3);
    expect(linearLightBy.pq(0.508) * referenceLuminance).toBeCloseTo(100, 0);
  });

  test('linearLightBy.pq is convex: the luminance of a mean code is at most the mean luminance', () => {
    const luminance = linearLightBy.pq;
    const step = 1 / 1000;
    for (let code = step; code < 1 - step; code += step) {
      const mean = (luminance(code - step) + luminance(code + step)) / 2;
      expect(mean).toBeGreaterThanOrEqual(luminance(code) - 1e-9);
    }
  });
});

describe('the parsers of tool output', () => {
  test('readPacketList reports an open GOP if frames are shown before their key frame', () => {
    expect(readPacketList('0,9,K_\n2,3,__\n1,3,__\n5,9,K_\n6,3,__\n')).toEqual({
      ...{ count: 5, sizeBytes: 27, groupFramesMax: 3, hasOpenGroup: false },
    });
    expect(readPacketList('0,9,K_\n3,9,K_\n1,3,__\n2,3,__\n')?.hasOpenGroup).toBe(true);
    expect(readPacketList('N/A,9,K_\nN/A,3,__\n')).toMatchObject({ hasOpenGroup: null, groupFramesMax: 2 });
    expect(readPacketList('nothing\n')).toBeNull();
  });

  test('readMediaInfoReport ignores invalid and empty reports, and limits the tracks of a hostile one', () => {
    expect(readMediaInfoReport('{"media": {"track": [')).toBeNull();
    expect(readMediaInfoReport('{"media": null}')).toBeNull();
    expect(readMediaInfoReport('[]')).toBeNull();
    const track = (digits: number) => ({ '@type': 'Audio', BitDepth: '9'.repeat(digits), BitRate: { a: 1 } });
    const tracks = [{ '@type': 'Video', colour_primaries: 'constructor' }, track(100_000)];
    const report = { media: { track: [...tracks, ...Array(5000).fill(track(1000))] } };
    const read = readMediaInfoReport(JSON.stringify(report));
    expect(read?.video?.colourPrimaries).toBeNull();
    expect(read?.audio.length).toBeLessThan(200);
  });
});
