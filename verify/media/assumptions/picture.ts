import { be } from '#verify/security/poison/formats/bytes.ts';
import { changeBoxes } from '#verify/security/poison/formats/iso-media.ts';
import { type Assumption, made, unknownFormat } from './assumption.ts';
import { flashes, pictureFormats } from './picture-formats.ts';
import { h264, lavfi, still, strobe, tone } from './sources.ts';

const check = 'photosensitivity';

const transportStream = (offset: number) => () => made('.ts', `${lavfi(strobe())} ${h264} -output_ts_offset ${offset}`);

/** Files whose times and containers are unusual. */
const containers: Assumption[] = [
  {
    promise: 'counts times from the start of a stream whose clock starts at ten hours',
    check,
    filename: 'a.ts',
    make: transportStream(36_000),
    issues: flashes(),
  },
  {
    promise: 'finds flashes across the wrap of the clock of a transport stream at 26.5 hours',
    check,
    filename: 'a.ts',
    make: transportStream(95_443.717 - 1 - 1.4),
    issues: flashes(),
  },
  {
    promise: 'finds flashes after a jump of an hour in the times of a transport stream',
    check,
    filename: 'a.ts',
    make: async () =>
      Buffer.concat([
        await made('.ts', `${lavfi(still())} ${h264}`),
        await made('.ts', `${lavfi(strobe())} ${h264} -output_ts_offset 3600`),
      ]),
    issues: flashes(2),
  },
  {
    promise: 'finds flashes in a transport stream after its frames have changed their size',
    check,
    filename: 'a.ts',
    make: async () =>
      Buffer.concat([
        await made('.ts', `${lavfi(still('64x48'))} ${h264}`),
        await made('.ts', `${lavfi(strobe('128x96'))} ${h264} -output_ts_offset 2`),
      ]),
    issues: flashes(2),
  },
  {
    promise: 'examines or names a video stream that begins half a minute after the first',
    check,
    filename: 'a.ts',
    make: async () =>
      Buffer.concat([
        await made('.ts', `${lavfi(still('64x48', 26, 25))} ${h264}`),
        await made('.ts', `${lavfi(still('64x48'), strobe())} -map 0 -map 1 ${h264} -output_ts_offset 26`),
      ]),
    outcome: 'incomplete',
    notExamined: /video track 2/,
  },
  {
    promise: 'finds flashes in a live WebM file that declares no duration',
    check,
    filename: 'a.webm',
    make: () => made('.webm', `${lavfi(strobe())} -c:v libvpx -deadline realtime -live 1 -f webm`),
    issues: flashes(),
  },
  {
    promise: 'finds flashes in a fragmented MP4 file whose head declares no duration',
    check,
    filename: 'a.mp4',
    make: () => made('.mp4', `${lavfi(strobe())} ${h264} -g 8 -movflags empty_moov+frag_keyframe+default_base_moof`),
    issues: flashes(),
  },
  {
    promise: 'finds flashes of a video that begins three seconds after the audio',
    check,
    filename: 'a.mkv',
    make: () => made('.mkv', `${lavfi(tone([-20], 5))} -itsoffset 3 ${lavfi(strobe())} ${h264} -map 0 -map 1 -c:a aac`),
    issues: flashes(3),
  },
  {
    promise: 'counts times from the start of a transport stream whose audio it does not decode',
    check,
    filename: 'a.ts',
    make: () => made('.ts', `${lavfi(tone([-20], 5))} -itsoffset 3 ${lavfi(strobe())} ${h264} -map 0 -map 1 -c:a mp2`),
    issues: flashes(3),
  },
  unknownFormat(check, 'a.mp4'),
  {
    promise: 'finds flashes that only an edit list makes, out of a black and a white second',
    check,
    filename: 'a.mp4',
    make: async () =>
      withEdits(await made('.mp4', `${lavfi(blackThenWhite)} ${h264} -g 1 -bf 0 -video_track_timescale 24`)),
    issues: flashes(),
  },
  {
    promise: 'does not judge frames that an edit list leaves out',
    check,
    filename: 'a.mp4',
    make: async () => {
      const source = await made('.mp4', `${lavfi(strobeThenStill)} ${h264} -g 1 -bf 0`);
      return made('-cut.mp4', '-ss 2 -i a.mp4 -c copy', { 'a.mp4': source });
    },
  },
  {
    promise: 'is complete for a video with chapters, an attachment and a timecode track',
    check,
    filename: 'a.mov',
    make: () =>
      made('.mov', `${lavfi(still())} -f ffmetadata -i c.txt -map 0 -map_metadata 1 ${h264} -timecode 10:00:00:00`, {
        'c.txt': ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=1\ntitle=a\n',
      }),
  },
];

const blackThenWhite = `color=black:s=64x48:r=24:d=2,drawbox=color=white:t=fill:enable='gte(n\\,24)'`;
const strobeThenStill = `${strobe('64x48', 4)},drawbox=color=gray:t=fill:enable='gte(n\\,48)'`;

/** Two frames each of the black and the white second in turn, for two seconds. */
function withEdits(video: Uint8Array): Buffer {
  const times = Array.from({ length: 24 }, (_, i) => be.u32(83, i % 2 === 0 ? 0 : 24, 0x10000));
  const list = Buffer.concat([be.u32(0, times.length), ...times]);
  return changeBoxes(video, ['moov', 'trak', 'edts', 'elst'], () => list);
}

export const picture: Assumption[] = [...containers, ...pictureFormats];
