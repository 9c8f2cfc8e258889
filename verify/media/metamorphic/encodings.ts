const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0'];
const tags = ['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709', '-color_range', 'tv'];

/** Arguments of ffmpeg for codecs that keep every sample, or nearly: 422 and 10-bit codecs only round. */
const videoCodecs = {
  h264: x264,
  'h264 with B-frames': ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '2', '-qp', '0'],
  'h264 in fields': [...x264, '-flags', '+ildct+ilme', '-x264-params', 'tff=1'],
  'h264 in fields, bottom first': [...x264, '-flags', '+ildct+ilme', '-x264-params', 'bff=1'],
  'h264, 10 bits': [...x264, '-pix_fmt', 'yuv420p10le'],
  hevc: ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'lossless=1:log-level=error'],
  'hevc, 10 bits': [
    ...['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le'],
    ...['-x265-params', 'lossless=1:log-level=error'],
  ],
  ffv1: ['-c:v', 'ffv1'],
  'ffv1, 10 bits': ['-c:v', 'ffv1', '-pix_fmt', 'yuv420p10le'],
  mpeg2: ['-c:v', 'mpeg2video', '-q:v', '1', '-g', '1'],
  dnxhr: ['-c:v', 'dnxhd', '-profile:v', 'dnxhr_hq', '-pix_fmt', 'yuv422p'],
  prores: ['-c:v', 'prores_ks', '-profile:v', '3', '-pix_fmt', 'yuv422p10le'],
  vp9: ['-c:v', 'libvpx-vp9', '-lossless', '1', '-deadline', 'realtime', '-cpu-used', '8'],
} satisfies Record<string, string[]>;

const audioCodecs = {
  'pcm, 16 bits': ['-c:a', 'pcm_s16le'],
  'pcm, 24 bits': ['-c:a', 'pcm_s24le'],
  flac: ['-c:a', 'flac'],
  alac: ['-c:a', 'alac'],
  's302m, 24 bits': ['-c:a', 's302m', '-sample_fmt', 's32', '-strict', '-2'],
  's302m, 16 bits': ['-c:a', 's302m', '-sample_fmt', 's16', '-strict', '-2'],
  opus: ['-c:a', 'libopus', '-b:a', '256k'],
} satisfies Record<string, string[]>;

export type VideoCodec = keyof typeof videoCodecs;
export type AudioCodec = keyof typeof audioCodecs;
export const videoArguments = (codec: VideoCodec): string[] => [...videoCodecs[codec], ...tags];
export const audioArguments = (codec: AudioCodec): string[] => audioCodecs[codec];

/** The codec of captions in each container, if it can have any. */
export const captionCodecs: Readonly<Record<string, string>> = {
  mp4: 'mov_text',
  mov: 'mov_text',
  mkv: 'subrip',
  webm: 'webvtt',
};
