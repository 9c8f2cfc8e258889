import type { AssetResult } from '@assay/sdk';
import { formatBytes, formatClock, formatCount, formatNumber } from './format.ts';

type Media = NonNullable<AssetResult['media']>;
type VideoTrack = Media['video'][number];
type AudioTrack = Media['audio'][number];

/** A technical fact of a file: `['Video', 'H.264 High, 1920 × 1080, 25 fps']`. */
export type MediaFact = [name: string, value: string];

/** Further tracks are only counted. */
const tracksShownMax = 16;

const codecNames: Readonly<Record<string, string>> = {
  h264: 'H.264',
  hevc: 'H.265',
  av1: 'AV1',
  vp8: 'VP8',
  vp9: 'VP9',
  mpeg1video: 'MPEG-1',
  mpeg2video: 'MPEG-2',
  mpeg4: 'MPEG-4 Visual',
  prores: 'ProRes',
  dnxhd: 'DNxHD',
  jpeg2000: 'JPEG 2000',
  dvvideo: 'DV',
  mjpeg: 'Motion JPEG',
  aac: 'AAC',
  mp2: 'MPEG audio layer 2',
  mp3: 'MP3',
  ac3: 'AC-3',
  eac3: 'E-AC-3',
  opus: 'Opus',
  vorbis: 'Vorbis',
  flac: 'FLAC',
  alac: 'ALAC',
  dts: 'DTS',
  truehd: 'TrueHD',
  mov_text: '3GPP timed text',
  subrip: 'SubRip',
  webvtt: 'WebVTT',
  ass: 'ASS',
  dvb_subtitle: 'DVB subtitles',
  dvb_teletext: 'DVB teletext',
  hdmv_pgs_subtitle: 'PGS',
  eia_608: 'CEA-608',
};

const scanNames: Readonly<Record<string, string>> = {
  progressive: 'progressive',
  'interlaced-top-first': 'interlaced, top field first',
  'interlaced-bottom-first': 'interlaced, bottom field first',
};

/** What a QC desk asks first: format, duration, bit rate and tracks. */
export function factsOfMedia({ media, mimeType, sizeBytes }: Pick<AssetResult, 'media' | 'mimeType' | 'sizeBytes'>) {
  const { container, durationMs, bitsPerSecond, video = [], audio = [], captions = [], image } = media ?? {};
  const facts: (MediaFact | false)[] = [
    ['Format', join([container, mimeType, formatBytes(sizeBytes)])],
    typeof durationMs === 'number' && ['Duration', formatClock(durationMs)],
    typeof bitsPerSecond === 'number' && ['Bit rate', formatBitRate(bitsPerSecond)],
    image ? ['Image', `${formatSize(image)} pixels`] : false,
    ...tracksOf('Video', video, formatVideo),
    ...tracksOf('Audio', audio, formatAudio),
    ...tracksOf('Captions', captions, ({ codec, language }) => join([nameOf(codec), language])),
    // A file of these kinds without tracks is worth saying.
    video.length > 0 && audio.length === 0 && ['Audio', 'none'],
  ];
  return facts.filter((fact) => fact !== false);
}

/** The facts in one line, for files that are listed briefly: `QuickTime · 1.2 GB · 0:30.00 · H.264, 1920 × 1080 …`. */
export function formatMediaLine(result: Parameters<typeof factsOfMedia>[0]): string {
  return factsOfMedia(result)
    .map(([name, value]) => (/^Audio/.test(name) && value === 'none' ? 'no audio' : value))
    .join(' · ');
}

function tracksOf<Track>(name: string, tracks: readonly Track[], format: (track: Track) => string): MediaFact[] {
  const shown = tracks.slice(0, tracksShownMax);
  const rest = tracks.length - shown.length;
  return [
    ...shown.map((track, i): MediaFact => [tracks.length > 1 ? `${name} ${i + 1}` : name, format(track)]),
    ...(rest > 0 ? [[name, `${formatCount(rest, 'more track')}`] satisfies MediaFact] : []),
  ];
}

function formatVideo(track: VideoTrack): string {
  const { codec, profile, width, height, frameRate, scan, chromaSubsampling, bitDepth, bitsPerSecond, language } =
    track;
  return join([
    join([nameOf(codec), profile], ' '),
    width && height && formatSize({ width, height }),
    frameRate && `${formatNumber(frameRate, 3)} fps`,
    scan && scanNames[scan],
    join([chromaSubsampling, bitDepth && `${bitDepth} bit`], ' '),
    bitsPerSecond && formatBitRate(bitsPerSecond),
    language,
  ]);
}

function formatAudio(track: AudioTrack): string {
  const { codec, profile, channels, channelLayout, sampleRate, bitDepth, bitsPerSecond, language } = track;
  const count = channels && formatCount(channels, 'channel');
  return join([
    join([nameOf(codec), profile], ' '),
    count && `${count}${channelLayout ? ` (${channelLayout})` : ''}`,
    sampleRate && `${formatNumber(sampleRate / 1000, 3)} kHz`,
    bitDepth && `${bitDepth} bit`,
    bitsPerSecond && formatBitRate(bitsPerSecond),
    language,
  ]);
}

function formatSize({ width, height }: { width: number; height: number }): string {
  return `${width} × ${height}`;
}

/** `16.4 Mbit/s`, `128 kbit/s` */
function formatBitRate(bitsPerSecond: number): string {
  return bitsPerSecond < 1_000_000
    ? `${formatNumber(bitsPerSecond / 1000, bitsPerSecond < 10_000 ? 1 : 0)} kbit/s`
    : `${formatNumber(bitsPerSecond / 1_000_000, 1)} Mbit/s`;
}

/** PCM is one codec with many names, such as `pcm_s24le`; the bit depth is a fact of its own. */
function nameOf(codec: string): string {
  return codecNames[codec] ?? (codec.startsWith('pcm_') ? 'PCM' : codec);
}

function join(words: (string | number | null | undefined | false)[], separator = ', '): string {
  return words.filter(Boolean).join(separator);
}
