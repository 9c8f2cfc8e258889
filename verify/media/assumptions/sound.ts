import { type Assumption, made, unknownFormat } from './assumption.ts';
import { soundFormats } from './sound-formats.ts';
import { h264, lavfi, loud, still, tone } from './sources.ts';
import { withTrackInTheMiddle } from './track-in-the-middle.ts';

const check = 'loudness';
const profile = 'ebu-r128';

const channels: Assumption[] = [
  {
    promise: 'leaves out the LFE channel of 5.1, as BS.1770 does',
    check,
    profile,
    filename: 'a.wav',
    make: () =>
      made('.wav', `${lavfi(tone([-23, -23, null, -5, null, null], 2))} -ac 6 -channel_layout 5.1 -c:a pcm_s24le`),
  },
  {
    promise: 'weights the surround channels of 5.1 with 1.5 dB',
    check,
    profile,
    filename: 'a.wav',
    make: () =>
      made(
        '.wav',
        `${lavfi(`${tone([null, null, null, null, -7, null], 2)},channelmap=channel_layout=5.1`)} -c:a pcm_s24le`,
      ),
    issues: { 'LOUD-INTEGRATED-HIGH': { measured: -7 - 3.01 + 1.5 } },
  },
  {
    promise: 'reports Ambisonics as not measured, because its channels are no loudspeakers',
    check,
    profile,
    filename: 'a.mkv',
    make: () =>
      made(
        '.mkv',
        `${lavfi(`${tone([-23, -23, -23, -23], 2)},aformat=channel_layouts=4.0`)} -c:a libopus -mapping_family 2 -b:a 256k`,
      ),
    outcome: 'incomplete',
    notExamined: /audio/,
  },
  {
    promise: 'measures samples above full scale in floating point',
    check,
    profile,
    filename: 'a.wav',
    make: () => made('.wav', `${lavfi(tone([6, 6], 2))} -c:a pcm_f32le`),
    issues: { 'LOUD-INTEGRATED-HIGH': { measured: 6 }, 'LOUD-TRUE-PEAK': { measured: 6 } },
  },
  {
    promise: 'takes a constant offset for no loudness, because nobody hears it',
    check,
    profile,
    filename: 'a.wav',
    make: () => made('.wav', `${lavfi('aevalsrc=0.3:s=48000:d=2')} -c:a pcm_s24le`),
    issues: { 'LOUD-INTEGRATED-LOW': {} },
  },
  {
    promise: 'reports audio of less than 0.4 s as not measured',
    check,
    profile,
    filename: 'a.wav',
    make: () => made('.wav', lavfi(tone(loud, 0.3))),
    outcome: 'incomplete',
  },
];

const times: Assumption[] = [
  {
    promise: 'gives the time of a peak from the start of the file if the audio begins late',
    check,
    profile,
    filename: 'a.mkv',
    make: () =>
      made(
        '.mkv',
        `${lavfi(still('64x48', 6))} -itsoffset 4 ${lavfi(peakAfterOneSecond)} -map 0 -map 1 ${h264} -c:a pcm_s24le`,
      ),
    issues: { 'LOUD-INTEGRATED-HIGH': {}, 'LOUD-TRUE-PEAK': { atSeconds: 5 } },
  },
  {
    promise: 'gives the time of a peak after a gap in the times of the audio',
    check,
    profile,
    filename: 'a.mkv',
    make: () =>
      made(
        '.mkv',
        `${lavfi(still('64x48', 6))} ${lavfi(`${peakAfterOneSecond},asetpts=PTS+gt(T\\,0.5)*3/TB`)} -map 0 -map 1 ${h264} -c:a pcm_s24le`,
      ),
    issues: { 'LOUD-INTEGRATED-HIGH': {}, 'LOUD-TRUE-PEAK': { atSeconds: 4 } },
  },
  unknownFormat(check, 'a.wav'),
  {
    promise: 'measures the second audio track of a transport stream in another programme',
    check,
    profile,
    filename: 'a.ts',
    make: () =>
      made(
        '.ts',
        `${lavfi(tone([-23, -23], 2), tone(loud, 2))} -map 0 -map 1 -c:a mp2 -b:a 384k -program title=a:st=0 -program title=b:st=1`,
      ),
    issues: { 'LOUD-INTEGRATED-HIGH': { measured: -7, says: /audio track 2/ } },
  },
  {
    promise: 'measures a second audio track that begins 40 s after the first',
    check,
    profile,
    filename: 'a.mkv',
    make: () =>
      made(
        '.mkv',
        `${lavfi(tone([-23, -23], 44, 8000))} -itsoffset 40 ${lavfi(tone(loud, 3, 8000))} -map 0 -map 1 -c:a pcm_s16le`,
      ),
    issues: { 'LOUD-INTEGRATED-HIGH': { measured: -7, says: /audio track 2/ } },
  },
  {
    promise: 'names an audio track that a transport stream has for two seconds in its middle',
    check,
    profile,
    filename: 'a.ts',
    make: () => withTrackInTheMiddle(tone([-23, -23], 2), tone(loud, 2)),
    outcome: 'incomplete',
    notExamined: /audio track 2/,
  },
  {
    promise: 'reports a gap in the times of the audio as silence',
    check: 'qc-picture-sound',
    profile,
    filename: 'a.mkv',
    make: () => made('.mkv', `${lavfi(`${tone([-23, -20], 3)},asetpts=PTS+gt(T\\,1)*6/TB`)} -c:a pcm_s24le`),
    issues: { 'QC-NO-VIDEO': {}, 'QC-SILENCE': { atSeconds: 1, measured: 6 } },
  },
  {
    promise: 'counts samples above full scale in floating point as clipped',
    check: 'qc-picture-sound',
    profile,
    filename: 'a.wav',
    make: () => made('.wav', `${lavfi(tone([6, 5], 2))} -c:a pcm_f32le`),
    issues: { 'QC-CLIPPING': {} },
  },
  {
    promise: 'does not take a WAV file without samples for one that was examined',
    check: 'qc-picture-sound',
    profile,
    filename: 'a.wav',
    make: async () => (await made('.wav', lavfi(tone(loud, 2)))).subarray(0, 78),
    outcome: 'incomplete',
  },
];

const peakAfterOneSecond = `aevalsrc=exprs='if(between(t\\,1\\,1.05)\\,0.99\\,0.03)*sin(2*PI*997*t)':s=48000:d=2,aformat=channel_layouts=mono`;

export const sound: Assumption[] = [...soundFormats, ...channels, ...times];
