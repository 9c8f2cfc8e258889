import type { ProbeStream } from '#evidence/media/probe/probe-report.ts';
import { formatInteger } from '#sidekick/format-values.ts';
import { type Expectation, expectOneOf, expectWithin, findingFor, listOf } from './expectation.ts';
import type { Facts } from './facts.ts';
import { formatBitRate } from './judge-file.ts';
import { isSameLanguage, languageOf } from './language.ts';
import type { RuleCode } from './rules.ts';

const isPerTrack = true;

/** Expectations for every audio track, and for required languages. */
export const audioExpectations: readonly Expectation[] = [
  expectWithin({
    ruleCode: 'SPEC-AUDIO-TRACKS',
    member: 'audioTracks',
    appliesWithoutStream: true,
    name: 'Number of audio tracks',
    remedy: 'Add or remove audio tracks.',
    read: ({ audio }) => [audio.length],
    unit: 'tracks',
    format: formatInteger,
  }),
  expectOneOf({
    ruleCode: 'SPEC-AUDIO-CODEC',
    member: 'audioCodecs',
    name: 'Codec',
    remedy: 'Export the audio with an accepted codec.',
    isPerTrack,
    read: ({ audio }) => audio.map(({ codec }) => codec),
  }),
  expectOneOf({
    ruleCode: 'SPEC-AUDIO-PROFILE',
    member: 'audioProfiles',
    name: 'Codec profile',
    remedy: 'Export the audio with an accepted profile.',
    isPerTrack,
    read: ({ audio }) => audio.map(({ profile }) => profile),
  }),
  expectOneOf({
    ruleCode: 'SPEC-CHANNEL-LAYOUT',
    member: 'channelLayouts',
    name: 'Channel layout',
    remedy: 'Export the audio with an accepted layout.',
    isPerTrack,
    read: ({ audio }) => audio.map(layoutOf),
    isAccepted: isLayoutAccepted,
  }),
  expectWithin({
    ruleCode: 'SPEC-CHANNELS',
    member: 'channels',
    name: 'Number of channels',
    remedy: 'Export the audio with the expected channels.',
    isPerTrack,
    read: ({ audio }) => audio.map(({ channels }) => channels),
    unit: 'channels',
    format: formatInteger,
  }),
  expectWithin({
    ruleCode: 'SPEC-CHANNELS-IN-ALL',
    member: 'channelsInAll',
    appliesWithoutStream: true,
    name: 'Number of channels in all tracks',
    remedy: 'Add or remove audio channels.',
    read: ({ audio }) => [audio.reduce((sum, { channels }) => sum + (channels ?? 0), 0)],
    unit: 'channels',
    format: formatInteger,
  }),
  expectOneOf({
    ruleCode: 'SPEC-SAMPLE-RATE',
    member: 'sampleRates',
    name: 'Sample rate',
    remedy: 'Export the audio at an accepted rate.',
    isPerTrack,
    accepted: ({ sampleRates }) => (sampleRates ?? []).map((rate) => `${formatInteger(rate)} Hz`),
    read: ({ audio }) => audio.map(({ sampleRate }) => (sampleRate ? `${formatInteger(sampleRate)} Hz` : null)),
  }),
  expectOneOf({
    ruleCode: 'SPEC-AUDIO-BIT-DEPTH',
    member: 'audioBitDepths',
    name: 'Bit depth',
    remedy: 'Export the audio with an accepted bit depth.',
    isPerTrack,
    needs: ['mediaInfo'],
    read: bitDepthsOf,
    isAccepted: (depth, accepted) => depth === lossy || accepted.includes(depth),
  }),
  expectWithin({
    ruleCode: 'SPEC-AUDIO-BIT-RATE',
    member: 'audioBitsPerSecond',
    name: 'Bit rate',
    remedy: 'Export the audio with another bit rate.',
    isPerTrack,
    needs: ['mediaInfo'],
    read: bitRatesOf,
    unknownBecause: () => 'not_measurable', // frequent in Matroska, which declares none
    unit: 'bit/s',
    format: formatBitRate,
  }),
  expectOneOf({
    ruleCode: 'SPEC-AUDIO-LANGUAGE',
    member: 'audioLanguages',
    name: 'Language',
    remedy: 'Set the language of the track.',
    isPerTrack,
    read: ({ audio }) => audio.map(languageOf),
    isAccepted: (language, accepted) => accepted.some((expected) => isSameLanguage(language, expected)),
  }),
  expectLanguages('SPEC-AUDIO-LANGUAGE-MISSING', 'requiredAudioLanguages', 'audio'),
  expectLanguages('SPEC-SUBTITLE-LANGUAGE-MISSING', 'requiredSubtitleLanguages', 'subtitles'),
];

/** Stands in for the bit depth of lossy codecs, which have none. */
const lossy = 'lossy';
const losslessCodecs = /^(pcm_|adpcm_g722|flac|alac|wavpack|tta|ape|mlp|truehd|s302m)/;

function bitDepthsOf({ audio, evidence }: Facts): (string | null)[] {
  return audio.map(({ codec, bitDepth }, i) => {
    if (!losslessCodecs.test(codec)) return lossy;
    const depth = bitDepth ?? evidence.mediaInfo?.audio[i]?.bitDepth;
    return depth ? `${depth}` : null;
  });
}

function bitRatesOf({ audio, evidence }: Facts): (number | null)[] {
  return audio.map(({ bitsPerSecond, tags }, i) => {
    const tagged = Number(tags.find(({ name }) => name === 'BPS')?.value ?? Number.NaN);
    return bitsPerSecond ?? evidence.mediaInfo?.audio[i]?.bitsPerSecond ?? (tagged > 0 ? tagged : null);
  });
}

/** One or two channels need no declared layout. */
function layoutOf({ channelLayout, channels }: ProbeStream): string | null {
  return channelLayout ?? (channels === 1 ? 'mono' : channels === 2 ? 'stereo' : null);
}

/** `5.1(side)` differs from `5.1` only in where the surround speakers are: the short name accepts both. */
function isLayoutAccepted(layout: string, accepted: readonly string[]): boolean {
  return accepted.includes(layout) || accepted.includes(layout.replace(/\(.*$/, ''));
}

function expectLanguages(
  ruleCode: RuleCode,
  member: 'requiredAudioLanguages' | 'requiredSubtitleLanguages',
  kind: 'audio' | 'subtitles',
): Expectation {
  const name = kind === 'audio' ? 'Audio languages' : 'Subtitle languages';
  const track = kind === 'audio' ? 'An audio track' : 'A subtitle track';
  return {
    ...{ ruleCode, member, name, needs: [], appliesWithoutStream: true },
    judge(facts) {
      const languages = facts[kind].map(languageOf).filter((language) => language !== null);
      const required = facts.spec[member] ?? [];
      const missing = required.filter((expected) => !languages.some((language) => isSameLanguage(language, expected)));
      if (missing.length === 0) return { finding: null, notMeasured: null };
      const found = languages.length > 0 ? listOf([...new Set(languages)], 'and') : 'not declared';
      const remedy = `${track} is missing in ${listOf(missing, 'and')}.`;
      const options = { ruleCode, member, name, isPlural: true, remedy } as const;
      return { finding: findingFor(options, [], found, listOf(required, 'and')), notMeasured: null };
    },
  };
}
