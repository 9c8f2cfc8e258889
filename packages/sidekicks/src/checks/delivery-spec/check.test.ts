import type { NotExamined } from '@assay/contract/schemas/coverage.ts';
import type { DeliverySpecLimits } from '@assay/contract/schemas/profiles/delivery-spec.ts';
import { DeliverySpecLimits as schema } from '@assay/contract/schemas/profiles/delivery-spec.ts';
import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { describe, expect, test } from 'vitest';
import { linearLightBy, referenceLuminance } from '#evidence/media/decode/signal/light.ts';
import { readMediaInfoReport } from '#evidence/media/media-info/media-info-report.ts';
import { readPacketList } from '#evidence/media/packets/packet-list.ts';
import { chromaOf, depthOf } from '#evidence/media/probe/pixel-format.ts';
import { readProbeReport } from '#evidence/media/probe/probe-report.ts';
import { builtInProfile } from '#profiles/built-in-profiles.ts';
import { validateProfile } from '#profiles/validate-profile.ts';
import { extendProfile, type Profile } from '#sidekick/profile.ts';
import { expectations } from './expectations.ts';
import { isSameFraction } from './fraction.ts';
import { isSameLanguage } from './language.ts';
import { rules } from './rules.ts';
import { sidekick } from './sidekick.ts';

type Spec = Partial<DeliverySpecLimits>;
type ProbeFields = Record<string, unknown>;

const h264: ProbeFields = { codec_type: 'video', codec_name: 'h264', width: 1920, height: 1080, pix_fmt: 'yuv420p' };
const profileWith = (deliverySpec: Spec, rules: { ruleCode: string; severity: 'OFF' }[] = []) =>
  extendProfile(builtInProfile('general'), { limits: { deliverySpec }, rules });

function check(spec: Spec, streams: ProbeFields[], format: ProbeFields = {}, gathered: object = {}, profile?: Profile) {
  const probe = readProbeReport(JSON.stringify({ format, streams }));
  const evidence = { probe, recognition: 'video/mp4', ...gathered } as unknown as Parameters<typeof sidekick.check>[0];
  return sidekick.check(evidence, { ...declarationFor('a.mp4'), profile: profile ?? profileWith(spec) });
}
const summaries = (...args: Parameters<typeof check>) => check(...args).map(({ summary }) => summary);
const ruleCodesOf = (...args: Parameters<typeof check>) => check(...args).map(({ ruleCode }) => ruleCode);

describe('the delivery-spec check', () => {
  test('has one expectation for every member of the delivery specification, and for every rule but that of what was not measured', () => {
    const ruleCodes = [...expectations.map(({ ruleCode }) => ruleCode), sidekick.notVerified];
    expect(ruleCodes.toSorted()).toEqual(Object.keys(rules).toSorted());
    expect(expectations.map(({ member }) => member).toSorted()).toEqual(Object.keys(schema.shape).toSorted());
  });

  test('needs no evidence and reports nothing if the profile has no expectations', () => {
    expect(sidekick.needsFor?.(builtInProfile('general'))).toEqual([]);
    expect(check({}, [h264])).toEqual([]);
  });

  test('has nothing to examine if the profile has no expectations, whatever the file is', () => {
    const reason = (evidence: object, spec: Spec) =>
      sidekick.nothingToExamine?.(evidence as never, { ...declarationFor('a.mp4'), profile: profileWith(spec) });
    expect(reason({}, {})).toBe('nothing_in_profile');
    expect(reason({ probe: readProbeReport('{"format": {}}') }, { requireClosedGop: false })).toBe(
      'nothing_in_profile',
    );
  });

  test('has nothing to examine in a file only if its bytes show that it is neither video nor audio', () => {
    const reason = (probe: unknown, recognition: string) =>
      sidekick.nothingToExamine?.({ probe, recognition } as never, {
        ...declarationFor('a.mp4'),
        profile: profileWith({ containers: ['mp4'] }),
      });
    expect(reason(null, 'text')).toBe('nothing_in_file');
    expect(reason(null, 'unknown')).toBeNull();
    expect(reason(readProbeReport('{"format": {}}'), 'video/mp4')).toBeNull();
    expect(check({ containers: ['mp4'] }, [], {}, { probe: null, recognition: 'unknown' })).toMatchObject([
      { ruleCode: 'SPEC-NOT-VERIFIED', notExamined: { label: 'the whole file', reason: 'unsupported', share: 1 } },
    ]);
  });

  test('needs only the evidence that the expectations of the profile use', () => {
    const needs = (spec: Spec) => sidekick.needsFor?.(profileWith(spec));
    expect(needs({ videoCodecs: ['h264'] })).toEqual(['recognition', 'probe']);
    expect(needs({ scans: ['progressive'] })).toEqual(['recognition', 'probe', 'mediaInfo']);
    expect(needs({ requireClosedGop: true })).toEqual(['recognition', 'probe', 'packets']);
    expect(needs({ requireClosedGop: false })).toEqual([]);
    expect(needs({ frameRates: ['25'] })).toEqual(['recognition', 'probe', 'video', 'decoding']);
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

describe('a missing stream', () => {
  const aac: ProbeFields = { codec_type: 'audio', codec_name: 'aac', channels: 2, sample_rate: '48000' };
  const cover: ProbeFields = { ...h264, codec_name: 'mjpeg', disposition: { attached_pic: 1 } };
  const video: Spec = { videoCodecs: ['h264'], resolutions: [{ width: 1920, height: 1080 }], scans: ['progressive'] };

  test.each([
    ['video', 'audio only', video, [aac], 'SPEC-VIDEO-TRACKS', 'no picture', 'video codec, resolution and scan type'],
    [
      'video',
      'audio with cover art',
      video,
      [aac, cover],
      'SPEC-VIDEO-TRACKS',
      'no picture',
      'video codec, resolution and scan type',
    ],
    ['audio', 'video only', { audioCodecs: ['aac'] }, [h264], 'SPEC-AUDIO-TRACKS', 'no sound', 'codec'],
  ] satisfies [string, string, Spec, ProbeFields[], string, string, string][])(
    'is one issue, which names the %s and what the profile specifies of it (%s)',
    (kind, _, spec, streams, ruleCode, subject, specified) => {
      const found = check(spec, streams);
      expect(found).toMatchObject([{ ruleCode, subject, measured: 0, limit: 1, unit: 'tracks' }]);
      expect(found[0]?.summary).toBe(
        `The file has no ${kind} track, but the profile specifies its ${specified}. Deliver the file with its ${kind}.`,
      );
    },
  );

  test('is reported only as a wrong number of tracks if the profile says how many there must be', () => {
    expect(check({ ...video, videoTracks: { min: 1 } }, [aac])).toMatchObject([
      { ruleCode: 'SPEC-VIDEO-TRACKS', subject: 'expected videoTracks', measured: 0, limit: 1 },
    ]);
    const audio = { audioTracks: { min: 4 }, channelsInAll: { min: 4 }, audioCodecs: ['pcm_s24le'] };
    expect(ruleCodesOf({ ...audio, requiredAudioLanguages: ['eng'] }, [h264])).toEqual(['SPEC-AUDIO-TRACKS']);
  });

  test('is no issue if the profile accepts its absence, or expects nothing of it', () => {
    expect(check({ ...video, videoTracks: { min: 0 } }, [aac])).toEqual([]);
    expect(check({ audioTracks: { max: 1 }, leadInSilenceSeconds: { max: 1 } }, [h264], {}, { audio: null })).toEqual(
      [],
    );
    expect(check(video, [{ ...h264, field_order: 'progressive' }])).toEqual([]);
    expect(check({ channelsInAll: { max: 2 } }, [h264])).toEqual([]);
  });

  test('is still an issue of a required language', () => {
    expect(ruleCodesOf({ requiredAudioLanguages: ['eng'] }, [h264])).toEqual(['SPEC-AUDIO-LANGUAGE-MISSING']);
  });

  test('is one issue of MAJOR under a broadcast profile', () => {
    const gathered = { mediaInfo: null };
    const found = check({}, [aac], {}, gathered, builtInProfile('us-broadcast-ad'));
    expect(found.map(({ ruleCode }) => ruleCode)).toEqual(['SPEC-VIDEO-TRACKS']);
    expect(rules['SPEC-VIDEO-TRACKS'].severity).toBe('MAJOR');
  });
});

describe('what could not be measured', () => {
  const packets = { count: 5, sizeBytes: 9000, groupFramesMax: 5, hasOpenGroup: false };
  const notExamined = (...args: Parameters<typeof check>) =>
    check(...args).map(({ ruleCode, notExamined: part }) => (ruleCode === 'SPEC-NOT-VERIFIED' ? part : ruleCode));
  const part = (label: string, reason: string, kind = 'video_stream') => ({ kind, label, reason, share: null });

  test.each<[string, Spec, object, NotExamined[]]>([
    [
      'groups of packets without timestamps',
      { requireClosedGop: true },
      { packets: { ...packets, hasOpenGroup: null } },
      [part('groups of pictures', 'not_measurable')],
    ],
    [
      'packets that cannot be read',
      { requireClosedGop: true, gopFramesMax: 12, videoBitsPerSecond: { max: 1 } },
      { packets: null },
      [part('bit rate of the video, longest group of pictures and groups of pictures', 'damaged')],
    ],
    [
      'an active picture in black frames',
      { activePicture: ['full'] },
      { activePicture: { notMeasured: 'not_measurable' } },
      [part('active picture', 'not_measurable')],
    ],
    [
      'an active picture beyond a limit',
      { activePicture: ['full'] },
      { activePicture: { notMeasured: 'limit_reached' } },
      [part('active picture', 'limit_reached')],
    ],
    [
      'frames that were not decoded',
      { requireConstantFrameRate: true, leadInBlackSeconds: { max: 1 } },
      { video: null },
      [part('black before the programme and frame rate', 'damaged')],
    ],
    [
      'what only MediaInfo could tell if it cannot read the file',
      { scans: ['progressive'], colourPrimaries: ['bt709'], requireMasteringDisplay: true, maxCll: { max: 1000 } },
      { mediaInfo: null },
      [part('scan type, colour primaries, metadata of the mastering display and MaxCLL', 'damaged')],
    ],
  ] as [string, Spec, object, NotExamined[]][])('is not examined: %s', (_, spec, gathered, expected) => {
    expect(notExamined(spec, [h264], { duration: '5' }, gathered)).toEqual(expected);
  });

  test('is said in words, with what to do', () => {
    expect(summaries({ requireClosedGop: true }, [h264], {}, { packets: null })).toEqual([
      'Not compared with the profile, because this part of the file cannot be read: groups of pictures. Check this by hand, or export the file again.',
    ]);
  });

  test('is not a group of one frame, which is closed even without timestamps', () => {
    const intra = { packets: { ...packets, groupFramesMax: 1, hasOpenGroup: null } };
    expect(check({ requireClosedGop: true }, [h264], {}, intra)).toEqual([]);
  });

  test('is the bit rate of each audio track that declares none, while the others are judged', () => {
    const track = (bit_rate?: string) => ({ codec_type: 'audio', codec_name: 'vorbis', bit_rate });
    const tracks = [track('64000'), track(), track('9000')];
    expect(notExamined({ audioBitsPerSecond: { min: 32_000 } }, tracks, {}, { mediaInfo: { audio: [] } })).toEqual([
      'SPEC-AUDIO-BIT-RATE',
      part('bit rate of audio track 2', 'not_measurable', 'audio_stream'),
    ]);
  });

  test('is the level of a codec whose levels are not compared, but no level of a codec without levels', () => {
    const ofCodec = (codec_name: string) => notExamined({ videoLevelMax: 4 }, [{ ...h264, codec_name }]);
    expect(ofCodec('mpeg2video')).toEqual([part('level of the video codec', 'unsupported')]);
    expect(ofCodec('prores')).toEqual([]);
    expect(ofCodec('h264')).toEqual(['SPEC-VIDEO-LEVEL']); // H.264 always has a level: without one, it is not declared
  });

  test('is a second video track, unless nothing but the number of tracks is expected', () => {
    expect(notExamined({ videoCodecs: ['h264'] }, [h264, h264])).toMatchObject([
      { kind: 'video_stream', label: 'video track 2' },
    ]);
    expect(check({ videoTracks: { min: 2 } }, [h264, h264])).toEqual([]);
  });
});

describe('what a delivery-spec check examines', () => {
  test('is the container, the main video track and every audio track', () => {
    const tracks = [{ ...h264 }, { codec_type: 'audio', codec_name: 'aac', tags: { language: 'fra' } }, { ...h264 }];
    const probe = readProbeReport(JSON.stringify({ format: {}, streams: tracks }));
    const declared = { ...declarationFor('a.mp4'), profile: profileWith({ videoCodecs: ['h264'] }) };
    const examined = sidekick.examined({ probe, recognition: 'video/mp4' } as never, declared);
    expect(examined.map(({ kind, label }) => `${kind}: ${label}`)).toEqual([
      'metadata: container',
      'video_stream: video track 1',
      'audio_stream: audio track 1 (fra)',
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

  test('readPacketList does not know whether a group is open if its first two packets have no timestamps', () => {
    const isOpen = (...times: string[]) =>
      readPacketList(times.map((time, i) => `${time},9,${i % 3 === 0 ? 'K' : '_'}_\n`).join(''))?.hasOpenGroup;
    expect(isOpen('0', 'N/A', 'N/A', '3', '4', 'N/A')).toBe(false);
    expect(isOpen('0', '1', '2', '3', 'N/A', '4')).toBeNull();
    expect(isOpen('0', '1', '2', 'N/A', '4', '5')).toBeNull();
    expect(isOpen('0', '1', '2', '5', '4', '6', '7', 'N/A')).toBe(true);
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
