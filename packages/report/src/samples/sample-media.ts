import type { AssetResult } from '@assay/sdk';

type Media = NonNullable<AssetResult['media']>;

const none: Media = {
  container: null,
  durationMs: null,
  bitsPerSecond: null,
  video: [],
  audio: [],
  captions: [],
  image: null,
  poster: null,
};
const stereo = { channels: 2, channelLayout: 'stereo', sampleRate: 48_000 };

const samples: Readonly<Record<string, Media>> = {
  video: {
    ...none,
    container: 'MP4',
    durationMs: 90_000,
    bitsPerSecond: 16_384_000,
    video: [
      {
        ...{ codec: 'h264', profile: 'High', width: 1920, height: 1080, frameRate: 25, scan: 'progressive' },
        ...{ chromaSubsampling: '4:2:0', bitDepth: 8, bitsPerSecond: 16_050_000, language: null },
      },
    ],
    audio: [{ ...stereo, codec: 'aac', profile: 'LC', bitDepth: null, bitsPerSecond: 320_000, language: 'eng' }],
    captions: [{ codec: 'mov_text', language: 'eng' }],
    poster: { url: '/poster', timeMs: 9000 },
  },
  audio: {
    ...none,
    container: 'WAV',
    durationMs: 30_000,
    bitsPerSecond: 1_536_012,
    audio: [{ ...stereo, codec: 'pcm_s16le', profile: null, bitDepth: 16, bitsPerSecond: 1_536_000, language: null }],
  },
  image: { ...none, container: 'JPEG', image: { width: 6000, height: 4000 }, poster: { url: '/poster', timeMs: 0 } },
  application: { ...none, container: 'PDF' },
};

/** The technical facts of a file of this type. */
export function sampleMediaOf(mimeType: string | null): Media | null {
  return samples[mimeType?.split('/')[0] ?? ''] ?? null;
}
