import { z } from 'zod';
import { examplePosterUrl } from './examples.ts';

const bitsPerSecond = z.int().min(0).nullable();
const codec = z.string().meta({ description: 'Name of the codec, as ffmpeg writes it.', examples: ['h264'] });
const profile = z
  .string()
  .nullable()
  .meta({ description: 'Profile of the codec. Null if it has none.', examples: ['High'] });
const language = z
  .string()
  .nullable()
  .meta({ description: 'Language that the track declares. Null if it declares none.', examples: ['eng'] });
const pixels = z.int().min(1);

export const VideoTrack = z.object({
  codec,
  profile,
  width: pixels.nullable().meta({ description: 'Width of a frame in pixels.', examples: [1920] }),
  height: pixels.nullable().meta({ description: 'Height of a frame in pixels.', examples: [1080] }),
  frameRate: z
    .number()
    .positive()
    .nullable()
    .meta({ description: 'Frames per second, on average.', examples: [25] }),
  scan: z
    .enum(['progressive', 'interlaced-top-first', 'interlaced-bottom-first'])
    .nullable()
    .meta({
      description: 'Scan type and field order. Null if the file does not say.',
      examples: ['progressive'],
    }),
  chromaSubsampling: z
    .string()
    .nullable()
    .meta({ description: 'Chroma subsampling. RGB is `4:4:4`.', examples: ['4:2:0'] }),
  bitDepth: z
    .int()
    .min(1)
    .nullable()
    .meta({ description: 'Bits per colour value.', examples: [8] }),
  bitsPerSecond: bitsPerSecond.meta({ description: 'Bit rate of the track.', examples: [16_250_000] }),
  language,
});
export type VideoTrack = z.infer<typeof VideoTrack>;

export const AudioTrack = z.object({
  codec,
  profile,
  channels: z
    .int()
    .min(1)
    .nullable()
    .meta({ description: 'Number of channels.', examples: [2] }),
  channelLayout: z
    .string()
    .nullable()
    .meta({ description: 'Layout of the channels. Null if the file does not say.', examples: ['stereo'] }),
  sampleRate: z
    .int()
    .min(1)
    .nullable()
    .meta({ description: 'Samples per second.', examples: [48_000] }),
  bitDepth: z
    .int()
    .min(1)
    .nullable()
    .meta({ description: 'Bits per sample. Null if the codec has no fixed number.', examples: [24] }),
  bitsPerSecond: bitsPerSecond.meta({ description: 'Bit rate of the track.', examples: [128_000] }),
  language,
});
export type AudioTrack = z.infer<typeof AudioTrack>;

export const CaptionTrack = z.object({ codec, language });
export type CaptionTrack = z.infer<typeof CaptionTrack>;

const exampleMedia = {
  video: [
    {
      ...{ codec: 'h264', profile: 'High', width: 1920, height: 1080, frameRate: 25, scan: 'progressive' },
      ...{ chromaSubsampling: '4:2:0', bitDepth: 8, bitsPerSecond: 16_250_000, language: null },
    },
  ],
  audio: [
    {
      ...{ codec: 'aac', profile: 'LC', channels: 2, channelLayout: 'stereo', sampleRate: 48_000, bitDepth: null },
      ...{ bitsPerSecond: 128_000, language: 'eng' },
    },
  ],
  captions: [{ codec: 'mov_text', language: 'eng' }],
};

/** What the file declares about itself. Numbers of a track are null if the file does not say. */
export const Media = z
  .object({
    container: z
      .string()
      .nullable()
      .meta({ description: 'Format of the file, recognised by its bytes.', examples: ['MP4'] }),
    durationMs: z
      .int()
      .min(0)
      .nullable()
      .meta({
        description: 'Duration in milliseconds. Null without video and audio.',
        examples: [90_000],
      }),
    bitsPerSecond: bitsPerSecond.meta({ description: 'Bit rate of the whole file.', examples: [16_384_000] }),
    video: z.array(VideoTrack).meta({
      description: 'The video tracks, in the order of the file. Without cover art and animated images.',
      examples: [exampleMedia.video],
    }),
    audio: z
      .array(AudioTrack)
      .meta({ description: 'The audio tracks, in the order of the file.', examples: [exampleMedia.audio] }),
    captions: z.array(CaptionTrack).meta({
      description: 'The caption and subtitle tracks, in the order of the file.',
      examples: [exampleMedia.captions],
    }),
    image: z
      .object({
        width: pixels.meta({ description: 'Width in pixels.', examples: [3000] }),
        height: pixels.meta({ description: 'Height in pixels.', examples: [2000] }),
      })
      .nullable()
      .meta({ description: 'Size of an image; null for other files.', examples: [{ width: 3000, height: 2000 }] }),
    poster: z
      .object({
        url: z.string().meta({
          description: 'Path of the JPEG on this service. Reading it requires the API key.',
          examples: [examplePosterUrl],
        }),
        timeMs: z
          .int()
          .min(0)
          .meta({
            description: 'Time of the frame in milliseconds; 0 for a still image.',
            examples: [9_000],
          }),
      })
      .nullable()
      .meta({
        description: 'A small still that shows what the file is. Null without a picture, or if it cannot be decoded.',
        examples: [{ url: examplePosterUrl, timeMs: 9_000 }],
      }),
  })
  .meta({ id: 'Media', description: 'Technical facts of a file, as it declares them.' });
export type Media = z.infer<typeof Media>;
