import { overwrite } from '#verify/security/poison/formats/bytes.ts';
import { type Assumption, made } from './assumption.ts';
import { h264, lavfi, still, tone } from './sources.ts';
import { withTrackInTheMiddle } from './track-in-the-middle.ts';

const check = 'delivery-spec';
const motion = (size: string, seconds: number, rate: number) => `testsrc2=s=${size}:r=${rate}:d=${seconds}`;

/** Two transport streams, one after the other. */
const joined = async (first: string, second: string, seconds: number) =>
  Buffer.concat([await made('.ts', first), await made('.ts', `${second} -output_ts_offset ${seconds}`)]);

export const delivery: Assumption[] = [
  {
    promise: 'does not compare only the first of two resolutions',
    check,
    filename: 'a.ts',
    spec: { resolutions: [{ width: 320, height: 180 }] },
    make: () => joined(`${lavfi(still('320x180'))} ${h264}`, `${lavfi(still('64x48'))} ${h264}`, 2),
    outcome: 'incomplete',
    notExamined: /resolution/,
  },
  {
    promise: 'does not compare only the first of two chroma subsamplings',
    check,
    filename: 'a.ts',
    spec: { chromaSubsamplings: ['4:2:0'] },
    make: () => joined(`${lavfi(still())} ${h264}`, `${lavfi(still())} ${h264} -pix_fmt yuv444p`, 2),
    outcome: 'incomplete',
    notExamined: /chroma subsampling/,
  },
  {
    promise: 'measures the duration of what an edit list shows',
    check,
    filename: 'a.mp4',
    spec: { exactDuration: { seconds: 1, toleranceSeconds: 0.05 } },
    make: async () =>
      made('-cut.mp4', '-ss 1 -i a.mp4 -c copy', {
        'a.mp4': await made('.mp4', `${lavfi(still('64x48', 2, 25))} ${h264} -g 50 -bf 0`),
      }),
  },
  {
    promise: 'measures the duration of a stream whose clock starts at ten hours',
    check,
    filename: 'a.ts',
    spec: { exactDuration: { seconds: 2, toleranceSeconds: 0.05 } },
    make: () => made('.ts', `${lavfi(still('64x48', 2, 25))} ${h264} -output_ts_offset 36000`),
  },
  {
    promise: 'does not believe a Matroska file that declares more than it has',
    check,
    filename: 'a.mkv',
    spec: { exactDuration: { seconds: 30, toleranceSeconds: 0.05 } },
    make: async () => withDuration(await made('.mkv', `${lavfi(still('64x48', 10, 25))} ${h264}`), 30_000),
    outcome: 'incomplete',
    notExamined: /duration/,
  },
  {
    promise: 'does not believe a Matroska file that declares less than it has',
    check,
    filename: 'a.mkv',
    spec: { exactDuration: { seconds: 30, toleranceSeconds: 0.05 } },
    make: async () => withDuration(await made('.mkv', `${lavfi(still('64x48', 40, 5))} ${h264}`), 30_000),
    outcome: 'incomplete',
    notExamined: /duration/,
  },
  {
    promise: 'reports the duration of a live WebM file, which declares none',
    check,
    filename: 'a.webm',
    spec: { exactDuration: { seconds: 30, toleranceSeconds: 0.05 } },
    make: () => made('.webm', `${lavfi(still())} -c:v libvpx -deadline realtime -live 1 -f webm`),
    issues: { 'SPEC-DURATION-EXACT': {} },
  },
  {
    promise: 'does not believe a frame rate that the frames contradict',
    check,
    filename: 'a.mkv',
    spec: { frameRates: ['25'], requireConstantFrameRate: true },
    make: async () => withFrameNanoseconds(await made('.mkv', `${lavfi(motion('64x48', 2, 50))} ${h264}`), 40_000_000),
    outcome: 'incomplete',
    notExamined: /frame rate/,
  },
  {
    promise: 'reports a frame rate that varies around the expected one',
    check,
    filename: 'a.mp4',
    spec: { frameRates: ['25'], requireConstantFrameRate: true },
    make: () =>
      made(
        '.mp4',
        `${lavfi(motion('64x48', 2, 25))} -vf settb=1/1000,setpts=PTS+mod(N\\,2)*20 -vsync vfr -enc_time_base 1/1000 -video_track_timescale 25000 ${h264}`,
      ),
    // A frame that is late at the end changes the average, too.
    issues: { 'SPEC-FRAME-RATE': {}, 'SPEC-FRAME-RATE-VARIABLE': {} },
  },
  {
    promise: 'reports a rotation by a matrix as well as the resolution before it',
    check,
    filename: 'a.mp4',
    spec: { rotations: [0], resolutions: [{ width: 64, height: 48 }] },
    make: async () =>
      made('-turned.mp4', '-i a.mp4 -c copy -metadata:s:v rotate=90', {
        'a.mp4': await made('.mp4', `${lavfi(still())} ${h264}`),
      }),
    issues: { 'SPEC-ROTATION': {} },
  },
  {
    promise: 'names an audio track that a transport stream has for two seconds in its middle',
    check,
    filename: 'a.ts',
    spec: { audioTracks: { min: 1, max: 1 } },
    make: () => withTrackInTheMiddle(tone([-23, -23], 2), tone([-23, -23], 2)),
    issues: { 'SPEC-AUDIO-TRACKS': { measured: 2 } },
  },
  {
    promise: 'fails for audio that changes its sample rate, like every check that decodes it',
    check,
    filename: 'a.aac',
    spec: { sampleRates: [48_000] },
    make: async () =>
      Buffer.concat([
        await made('.aac', `${lavfi(tone([-23, -23], 2))} -c:a aac`),
        await made('.aac', `${lavfi(tone([-23, -23], 2, 32_000))} -c:a aac`),
      ]),
    fails: 'unsupported_codec',
  },
];

/** A float of eight bytes follows the id of `Duration` and its size. */
function withDuration(matroska: Buffer, milliseconds: number): Buffer {
  const value = Buffer.alloc(8);
  value.writeDoubleBE(milliseconds);
  return overwrite(matroska, matroska.indexOf(Buffer.from([0x44, 0x89, 0x88])) + 3, value);
}

/** `DefaultDuration` is an integer of four bytes. */
function withFrameNanoseconds(matroska: Buffer, nanoseconds: number): Buffer {
  const value = Buffer.alloc(4);
  value.writeUInt32BE(nanoseconds);
  return overwrite(matroska, matroska.indexOf(Buffer.from([0x23, 0xe3, 0x83, 0x84])) + 4, value);
}
