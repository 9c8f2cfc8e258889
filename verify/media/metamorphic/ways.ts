import type { Random } from '@assay/testing/run/random.ts';
import type { Content } from './contents.ts';
import { type AudioCodec, captionCodecs, type VideoCodec } from './encodings.ts';

type StreamName = 'video' | 'audio' | 'captions';

/** How a clip is stored. What is left out is as usual. */
export type Storage = {
  extension: 'mp4' | 'mov' | 'mkv' | 'webm' | 'ts' | 'm2ts' | 'mxf' | 'avi';
  video: VideoCodec;
  audio: AudioCodec;
  /** Filters between the drawn frames and the encoder. */
  filters?: string;
  /** Two mono tracks instead of a stereo track, or the stereo track twice. */
  tracks?: 'two mono' | 'twice';
  order?: readonly StreamName[];
  /** More arguments of the muxer. */
  muxer?: readonly string[];
  /** The second half of the frames has twice the width and height. */
  changesSize?: true;
  /** How far players turn the frames. */
  rotatedDegrees?: number;
  /** The track has this much more at both ends, which an edit list takes away. */
  trimmedSeconds?: number;
};

export type Way = {
  name: string;
  storage(random: Random): Storage;
  fits?(content: Content): boolean;
  /** Rules whose issues are about this way to store a clip, and so are expected in one file of the pair only. */
  mayAdd?: readonly string[];
  /** Each track has the issues. */
  repeatsIssues?: true;
  /** The audio is not the same sample by sample. */
  isLossy?: true;
  /** The frames or the samples begin at other times, by less than a frame. */
  movesTimes?: true;
};

/** The file with which every other is compared. */
export const plainStorage: Storage = { extension: 'mov', video: 'h264', audio: 'pcm, 16 bits' };

const pcm: readonly AudioCodec[] = ['pcm, 16 bits', 'pcm, 24 bits'];
const s302m: readonly AudioCodec[] = ['s302m, 16 bits', 's302m, 24 bits'];
const mp4 = { extension: 'mp4', video: 'h264', audio: 'alac' } as const satisfies Storage;
const mkv = { extension: 'mkv', video: 'ffv1', audio: 'flac' } as const satisfies Storage;
const ts = { extension: 'ts', video: 'h264', audio: 's302m, 24 bits' } as const satisfies Storage;
const seconds = (random: Random) => random.pick(['0.36', '2', '75.5']);
const narrower = (width: number, aspect: string) => `scale=${width}:ih:flags=neighbor,setsar=${aspect}`;

export const ways: readonly Way[] = [
  { name: 'MP4 with B-frames', storage: () => ({ ...mp4, video: 'h264 with B-frames' }) },
  {
    name: 'MP4 in fragments',
    storage: (random) => ({
      ...mp4,
      muxer: ['-movflags', 'frag_keyframe+empty_moov', '-frag_duration', random.pick(['400000', '1500000'])],
    }),
    // The muxer forgets how long captions are shown.
    fits: ({ captions }) => captions === null,
  },
  { name: 'MP4 with the index first', storage: () => ({ ...mp4, video: 'hevc', muxer: ['-movflags', 'faststart'] }) },
  { name: 'Matroska', storage: (random) => ({ ...mkv, audio: random.pick(['flac', ...pcm]) }) },
  {
    name: 'WebM',
    storage: () => ({ extension: 'webm', video: 'vp9', audio: 'opus' }),
    fits: ({ needsLossless }) => !needsLossless,
    isLossy: true,
    movesTimes: true,
  },
  // AVI declares no colours, so the codec has to.
  { name: 'AVI', storage: (random) => ({ extension: 'avi', video: 'h264', audio: random.pick(pcm) }) },
  {
    name: 'transport stream',
    storage: (random) => ({ ...ts, extension: random.pick(['ts', 'm2ts']), audio: random.pick(s302m) }),
  },
  {
    name: 'MXF, MPEG-2',
    storage: (random) => ({ extension: 'mxf', video: 'mpeg2', audio: random.pick(pcm) }),
    // It may be analysed by field.
    movesTimes: true,
  },
  { name: 'MXF, DNxHR', storage: (random) => ({ extension: 'mxf', video: 'dnxhr', audio: random.pick(pcm) }) },
  { name: 'ProRes', storage: (random) => ({ extension: 'mov', video: 'prores', audio: random.pick(pcm) }) },
  {
    name: '10 bits',
    storage: (random) =>
      random.pick([
        { ...mkv, video: 'ffv1, 10 bits' },
        { ...mp4, video: 'h264, 10 bits' },
        { ...mp4, video: 'hevc, 10 bits' },
      ]),
  },
  {
    name: 'whole frames as fields',
    storage: (random) => {
      const [video, order] = random.pick([
        ['h264 in fields', 'tff'],
        ['h264 in fields, bottom first', 'bff'],
      ] as const);
      return { ...plainStorage, video, filters: `setfield=${order}` };
    },
    movesTimes: true,
  },
  {
    name: 'each frame as a field',
    storage: (random) =>
      random.pick([
        { ...plainStorage, video: 'h264 in fields', filters: 'tinterlace=interleave_top,setfield=tff' },
        {
          ...plainStorage,
          video: 'h264 in fields, bottom first',
          filters: 'tinterlace=interleave_bottom,setfield=bff',
        },
      ]),
    fits: ({ rate }) => rate === 50,
    movesTimes: true,
  },
  {
    name: 'each frame twice',
    storage: () => ({ ...plainStorage, filters: 'fps=2*source_fps' }),
    fits: ({ rate }) => rate < 50,
    movesTimes: true,
  },
  {
    name: 'a frame rate that varies',
    storage: (random) => {
      const filters = `fps=2*source_fps,select='gt(n,${random.between(60, 150)})+not(mod(n,2))'`;
      return { ...random.pick([mp4, mkv]), filters };
    },
    mayAdd: ['QC-VFR'],
    movesTimes: true,
  },
  {
    name: 'anamorphic',
    storage: (random) => ({ ...plainStorage, filters: random.pick([narrower(240, '4/3'), narrower(160, '2/1')]) }),
  },
  {
    name: 'anamorphic, flatter',
    storage: () => ({ ...mkv, filters: 'scale=iw:144:flags=neighbor,setsar=3/4' }),
  },
  ...[
    { degrees: 90, filters: 'transpose=clock' },
    { degrees: 180, filters: 'hflip,vflip' },
    { degrees: 270, filters: 'transpose=cclock' },
  ].map(
    ({ degrees, filters }): Way => ({
      name: `rotated by ${degrees} degrees`,
      storage: () => ({ ...mp4, filters, rotatedDegrees: degrees }),
    }),
  ),
  {
    name: 'two mono tracks',
    storage: (random) =>
      random.pick<Storage>([
        { ...plainStorage, tracks: 'two mono' },
        { extension: 'mxf', video: 'mpeg2', audio: 'pcm, 24 bits', tracks: 'two mono' },
      ]),
  },
  {
    name: 'the audio track twice',
    storage: (random) => ({ ...random.pick<Storage>([plainStorage, mkv]), tracks: 'twice' }),
    repeatsIssues: true,
  },
  {
    name: 'another order of tracks',
    storage: (random) => ({
      ...random.pick<Storage>([mp4, mkv, plainStorage]),
      order: random.pick<StreamName[]>([
        ['audio', 'video', 'captions'],
        ['captions', 'audio', 'video'],
      ]),
    }),
  },
  {
    name: 'a start after 0',
    storage: (random) => ({
      ...random.pick<Storage>([mkv, ts]),
      muxer: ['-output_ts_offset', seconds(random)],
    }),
  },
  {
    name: 'an empty edit at the start',
    storage: (random) => ({ ...mp4, muxer: ['-output_ts_offset', seconds(random)] }),
    // The muxer lets captions begin at 0, which delays everything else.
    fits: ({ captions }) => captions === null,
  },
  {
    name: 'an edit list that trims',
    storage: (random) => ({ ...plainStorage, trimmedSeconds: random.pick([1, 1.5]) }),
    fits: ({ captions, rate }) => captions === null && rate % 2 === 0,
    // ffmpeg shows a frame that begins where the edit ends.
    movesTimes: true,
  },
  {
    name: 'a change of the size halfway',
    storage: (random) => ({ ...random.pick<Storage>([ts, { ...mkv, video: 'h264' }]), changesSize: true }),
    // idet may take doubled lines for fields. A flash then ends half a frame later, as its last field does.
    movesTimes: true,
  },
];

export function canStore(content: Content, way: Way, { extension }: Storage): boolean {
  return (way.fits?.(content) ?? true) && (content.captions === null || extension in captionCodecs);
}
