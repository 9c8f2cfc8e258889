import type { AudioTrack, CaptionTrack, Media, VideoTrack } from '@assay/contract/schemas/media.ts';
import type { Evidence } from '#evidence/evidence.ts';
import { chromaOf, depthOf } from '#evidence/media/probe/pixel-format.ts';
import type { ProbeStream } from '#evidence/media/probe/probe-report.ts';
import { mainStreams } from '#evidence/media/probe/streams.ts';
import { declaredLanguage } from '#evidence/media/probe/track.ts';
import { scanOf } from '#sidekick/scan.ts';

/** The technical facts of a file, without its poster. */
export type MediaFacts = Omit<Media, 'poster'>;

const frameRateDecimals = 3;
const imageFormat = /^image\//;

/** The name of each recognised format that is not named by its image header. */
const containerNames: Readonly<Record<string, string>> = {
  'video/mp4': 'MP4',
  'video/x-m4v': 'MP4',
  'audio/mp4': 'MP4',
  'audio/x-m4a': 'MP4',
  'video/quicktime': 'QuickTime',
  'video/3gpp': '3GP',
  'video/webm': 'WebM',
  'video/matroska': 'Matroska',
  'video/vnd.avi': 'AVI',
  'video/MP1S': 'MPEG program stream',
  'video/MP2P': 'MPEG program stream',
  'video/mpeg': 'MPEG video',
  'video/mp2t': 'MPEG transport stream',
  'application/mxf': 'MXF',
  'audio/mpeg': 'MP3',
  'audio/aac': 'ADTS',
  'audio/wav': 'WAV',
  'audio/flac': 'FLAC',
  'audio/ogg': 'Ogg',
  'audio/ogg; codecs=opus': 'Ogg',
  'audio/aiff': 'AIFF',
  'application/pdf': 'PDF',
};

/** What the evidence that was gathered says about the file; null if it says nothing. */
export function describeMedia({ recognition, probe, mediaInfo, imageHeader }: Partial<Evidence>): MediaFacts | null {
  const container = containerNames[recognition ?? ''] ?? imageHeader?.format ?? null;
  const image = imageHeader && imageHeader.width > 0 ? imageHeader : null;
  if (!container && !probe && !image) return null;
  const streams = probe && !imageFormat.test(recognition ?? '') ? mainStreams(probe) : null;
  const seconds = streams ? (probe?.durationSeconds ?? null) : null;
  return {
    container,
    durationMs: seconds === null ? null : Math.round(seconds * 1000),
    bitsPerSecond: streams ? roundOrNull(probe?.bitsPerSecond) : null,
    // Cover art and thumbnails of chapters are images, not video that plays.
    video: (streams?.videos ?? [])
      .filter(({ role }) => role === 'main' || role === 'extra')
      .map(({ stream }) => describeVideo(stream, stream === streams?.video ? mediaInfo : null)),
    audio: (streams?.audios ?? []).map(({ stream }, i) => describeAudio(stream, mediaInfo?.audio[i]?.bitsPerSecond)),
    captions: (streams?.captions ?? []).map(({ stream }) => describeCaptions(stream)),
    image: image && { width: image.width, height: image.height },
  };
}

function describeVideo(stream: ProbeStream, mediaInfo: Evidence['mediaInfo'] | undefined): VideoTrack {
  const { codec, profile, width, height, pixelFormat, averageFrameRate, realFrameRate } = stream;
  const rate = averageFrameRate ?? realFrameRate;
  return {
    codec,
    profile,
    width,
    height,
    frameRate: rate === null ? null : Number(rate.toFixed(frameRateDecimals)),
    scan: scanOf(stream, mediaInfo),
    chromaSubsampling: pixelFormat && chromaOf(pixelFormat),
    bitDepth: pixelFormat ? (stream.bitDepth ?? depthOf(pixelFormat)) : null,
    bitsPerSecond: roundOrNull(stream.bitsPerSecond),
    language: declaredLanguage(stream),
  };
}

function describeAudio(stream: ProbeStream, mediaInfoBitsPerSecond: number | null | undefined): AudioTrack {
  const { codec, profile, channels, channelLayout, sampleRate, bitDepth, bitsPerSecond } = stream;
  return {
    codec,
    profile,
    channels,
    channelLayout,
    sampleRate,
    bitDepth,
    bitsPerSecond: roundOrNull(bitsPerSecond ?? mediaInfoBitsPerSecond),
    language: declaredLanguage(stream),
  };
}

function describeCaptions(stream: ProbeStream): CaptionTrack {
  return { codec: stream.codec, language: declaredLanguage(stream) };
}

function roundOrNull(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : Math.round(value);
}
