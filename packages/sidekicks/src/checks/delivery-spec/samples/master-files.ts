import { cleanFile, faultyFile, type Master, type Recipe, tone } from './recipe.ts';

/** For exchange between editors: interlaced ProRes and PCM in QuickTime. */
const prores: Master = {
  name: 'prores mov',
  extension: 'mov',
  picture: 'testsrc2=s=192x108:r=25:d=0.4',
  sound: tone(':d=0.4'),
  video:
    '-c:v prores_ks -profile:v hq -pix_fmt yuv422p10le -flags +ildct -color_primaries bt709 -color_trc bt709 -colorspace bt709 -vf setfield=tff',
  audio: '-c:a pcm_s24le -ac 2',
  container: '-timecode 10:00:00:00',
  spec: {
    containers: ['mov', 'mxf'],
    startTimecodes: ['10:00:00:00'],
    videoCodecs: ['prores', 'dnxhd'],
    videoProfiles: ['HQ', '4444', 'DNXHR HQ'],
    resolutions: [{ width: 192, height: 108 }],
    frameRates: ['25'],
    scans: ['interlaced-top-first'],
    colourPrimaries: ['bt709'],
    colourTransfers: ['bt709'],
    colourMatrices: ['bt709'],
    videoBitDepths: [10],
    chromaSubsamplings: ['4:2:2'],
    gopFramesMax: 1,
    videoBitRateModes: ['variable'],
    audioCodecs: ['pcm_s24le', 'pcm_s16le', 'pcm_s32le'],
    channelLayouts: ['stereo'],
    sampleRates: [48_000],
    audioBitDepths: [24],
  },
};

/** For broadcast: interlaced MPEG-2 and PCM in MXF. */
const mpeg2: Master = {
  name: 'mpeg2 mxf',
  extension: 'mxf',
  picture: 'testsrc2=s=720x576:r=25:d=0.4',
  sound: tone(':d=0.4'),
  video: '-c:v mpeg2video -pix_fmt yuv422p -flags +ilme+ildct -top 1 -g 6 -bf 0 -b:v 3M -vf setsar=64/45,setfield=tff',
  audio: '-c:a pcm_s24le -ac 1',
  container: '-timecode 10:00:00:00',
  spec: {
    containers: ['mxf'],
    mxfOperationalPatterns: ['OP1a'],
    durationSeconds: { min: 0.3, max: 0.5 },
    startTimecodes: ['10:00:00:00'],
    timecodeCounting: 'non-drop-frame',
    videoCodecs: ['mpeg2video'],
    videoProfiles: ['4:2:2'],
    resolutions: [{ width: 720, height: 576 }],
    frameRates: ['25'],
    scans: ['interlaced-top-first'],
    displayAspectRatios: ['16:9'],
    chromaSubsamplings: ['4:2:2'],
    videoBitDepths: [8],
    gopFramesMax: 6,
    requireClosedGop: true,
    audioCodecs: ['pcm_s24le', 'pcm_s16le'],
    audioBitDepths: [24],
    audioTracks: { min: 1, max: 4 },
    channels: { min: 1, max: 1 },
    channelsInAll: { min: 1, max: 4 },
    sampleRates: [48_000],
  },
};

const dnxhd: Master = {
  name: 'dnxhr mov',
  extension: 'mov',
  picture: 'testsrc2=s=256x144:r=25:d=0.4',
  sound: tone(':d=0.4'),
  video: '-c:v dnxhd -profile:v dnxhr_hq -pix_fmt yuv422p',
  audio: '-c:a pcm_s16le -ac 2',
  container: '',
  spec: {
    containers: ['mov'],
    videoCodecs: ['dnxhd'],
    videoProfiles: ['DNXHR HQ', 'DNXHR HQX'],
    resolutions: [{ width: 256, height: 144 }],
    scans: ['progressive'],
    videoBitDepths: [8],
    gopFramesMax: 1,
    requireClosedGop: true,
    audioCodecs: ['pcm_s16le', 'pcm_s24le'],
    audioBitDepths: [16],
  },
};

const undeclaredColours = { colourPrimaries: null, colourTransfers: null, colourMatrices: null };

export const masterFiles: readonly Recipe[] = [
  cleanFile(prores, 'as expected'),
  cleanFile(prores, 'colours are read by MediaInfo', { spec: { scans: null } }),
  faultyFile(prores, 'SPEC-CONTAINER', 'mkv', {
    extension: 'mkv',
    spec: { startTimecodes: null, scans: null, videoBitRateModes: null, ...undeclaredColours },
  }),
  faultyFile(prores, 'SPEC-START-TIMECODE', 'none', { container: '-write_tmcd 0 -timecode 00:00:00:00' }),
  faultyFile(prores, 'SPEC-START-TIMECODE', 'an hour early', { container: '-timecode 09:00:00:00' }),
  faultyFile(prores, 'SPEC-VIDEO-CODEC', 'mjpeg', {
    video: '-c:v mjpeg -flags -ildct -vf setfield=prog -profile:v 0 -pix_fmt yuvj422p',
    spec: { ...undeclaredColours, videoProfiles: null, videoBitDepths: null, scans: null, videoBitRateModes: null },
  }),
  ...['proxy', 'lt', 'standard'].map((profile) =>
    faultyFile(prores, 'SPEC-VIDEO-PROFILE', profile, { video: `-profile:v ${profile}` }),
  ),
  faultyFile(prores, 'SPEC-RESOLUTION', '256×144', { picture: 'testsrc2=s=256x144:r=25:d=0.4' }),
  faultyFile(prores, 'SPEC-FRAME-RATE', '23.976', { picture: 'testsrc2=s=192x108:r=24000/1001:d=0.4' }),
  faultyFile(prores, 'SPEC-SCAN', 'bottom field first', { video: '-vf setfield=bff' }),
  faultyFile(prores, 'SPEC-SCAN', 'progressive', { video: '-flags -ildct -vf setfield=prog' }),
  faultyFile(prores, 'SPEC-COLOUR-PRIMARIES', 'bt2020', { video: '-color_primaries bt2020' }),
  faultyFile(prores, 'SPEC-COLOUR-TRANSFER', 'HLG', { video: '-color_trc arib-std-b67' }),
  faultyFile(prores, 'SPEC-COLOUR-MATRIX', 'bt2020nc', { video: '-colorspace bt2020nc' }),
  faultyFile(prores, 'SPEC-CHROMA', '4:4:4', {
    video: '-profile:v 4444 -pix_fmt yuv444p10le',
    spec: { videoBitDepths: [10, 12] },
  }),
  faultyFile(prores, 'SPEC-VIDEO-BIT-RATE-MODE', 'variable', { spec: { videoBitRateModes: ['constant'] } }),
  faultyFile(prores, 'SPEC-AUDIO-CODEC', 'big endian', { audio: '-c:a pcm_s24be' }),
  faultyFile(prores, 'SPEC-AUDIO-BIT-DEPTH', '16', { audio: '-c:a pcm_s16le' }),
  faultyFile(prores, 'SPEC-AUDIO-BIT-DEPTH', '32', { audio: '-c:a pcm_s32le' }),
  faultyFile(prores, 'SPEC-SAMPLE-RATE', '96,000 Hz', { audio: '-ar 96000' }),
  faultyFile(prores, 'SPEC-CHANNEL-LAYOUT', 'mono', { audio: '-ac 1' }),

  cleanFile(mpeg2, 'as expected'),
  cleanFile(mpeg2, 'four tracks', { container: '-map 0:v -map 1:a -map 1:a -map 1:a -map 1:a' }),
  faultyFile(mpeg2, 'SPEC-CONTAINER', 'mov', { extension: 'mov' }),
  faultyFile(mpeg2, 'SPEC-MXF-PATTERN', 'OPAtom', {
    picture: 'testsrc2=s=1920x1080:r=25:d=0.08',
    sound: null,
    video: '-c:v dnxhd -b:v 36M -pix_fmt yuv422p -flags -ilme-ildct',
    container: '-f mxf_opatom',
    spec: onlyPattern(),
  }),
  faultyFile(mpeg2, 'SPEC-MXF-PATTERN', 'OP1a', { spec: { mxfOperationalPatterns: ['OPAtom'] } }),
  faultyFile(mpeg2, 'SPEC-DURATION', 'too short', { container: '-t 0.2' }),
  faultyFile(mpeg2, 'SPEC-START-TIMECODE', 'zero', { container: '-timecode 00:00:00:00' }),
  faultyFile(mpeg2, 'SPEC-VIDEO-PROFILE', 'main', { video: '-pix_fmt yuv420p', spec: { chromaSubsamplings: null } }),
  faultyFile(mpeg2, 'SPEC-CHROMA', '4:2:0', { video: '-pix_fmt yuv420p', spec: { videoProfiles: null } }),
  faultyFile(mpeg2, 'SPEC-RESOLUTION', '704×576', { picture: 'testsrc2=s=704x576:r=25:d=0.4', video: '-aspect 16:9' }),
  faultyFile(mpeg2, 'SPEC-FRAME-RATE', '29.97', {
    picture: 'testsrc2=s=720x576:r=30000/1001:d=0.4',
    container: '-timecode 10:00:00:00',
    spec: { durationSeconds: null },
  }),
  faultyFile(mpeg2, 'SPEC-TIMECODE-COUNTING', 'drop-frame', {
    picture: 'testsrc2=s=720x576:r=30000/1001:d=0.4',
    container: '-timecode 10:00:00;00',
    spec: { startTimecodes: ['10:00:00;00'], frameRates: ['30000/1001'], durationSeconds: null },
  }),
  faultyFile(mpeg2, 'SPEC-SCAN', 'bottom field first', { video: '-top 0 -vf setsar=64/45,setfield=bff' }),
  faultyFile(mpeg2, 'SPEC-SCAN', 'progressive', { video: '-flags -ilme-ildct -vf setsar=64/45' }),
  faultyFile(mpeg2, 'SPEC-DISPLAY-ASPECT', '4:3', { video: '-vf setsar=16/15' }),
  faultyFile(mpeg2, 'SPEC-GOP-LENGTH', '10 frames', { video: '-g 10' }),
  faultyFile(mpeg2, 'SPEC-AUDIO-CODEC', 'none accepted', { spec: { audioCodecs: ['pcm_s32le'] } }),
  faultyFile(mpeg2, 'SPEC-AUDIO-BIT-DEPTH', '16', { audio: '-c:a pcm_s16le' }),
  faultyFile(mpeg2, 'SPEC-AUDIO-TRACKS', 'none', { sound: null, spec: { channelsInAll: null } }),
  faultyFile(mpeg2, 'SPEC-AUDIO-TRACKS', 'five', {
    container: '-map 0:v -map 1:a -map 1:a -map 1:a -map 1:a -map 1:a',
    spec: { channelsInAll: null },
  }),
  faultyFile(mpeg2, 'SPEC-CHANNELS', 'stereo', { audio: '-ac 2' }),
  faultyFile(mpeg2, 'SPEC-CHANNELS-IN-ALL', 'five', {
    container: '-map 0:v -map 1:a -map 1:a -map 1:a -map 1:a -map 1:a',
    spec: { audioTracks: null },
  }),

  cleanFile(dnxhd, 'as expected'),
  faultyFile(dnxhd, 'SPEC-CONTAINER', 'mxf', { extension: 'mxf', audio: '-c:a pcm_s16le' }),
  faultyFile(dnxhd, 'SPEC-VIDEO-PROFILE', 'LB', { video: '-profile:v dnxhr_lb' }),
  faultyFile(dnxhd, 'SPEC-VIDEO-BIT-DEPTH', '10', { video: '-profile:v dnxhr_hqx -pix_fmt yuv422p10le' }),
  faultyFile(dnxhd, 'SPEC-SCAN', 'progressive', {
    spec: { scans: ['interlaced-top-first', 'interlaced-bottom-first'] },
  }),
  faultyFile(dnxhd, 'SPEC-AUDIO-BIT-DEPTH', '24', { audio: '-c:a pcm_s24le' }),
];

function onlyPattern() {
  const none = Object.keys(mpeg2.spec).map((member) => [member, null]);
  return { ...Object.fromEntries(none), mxfOperationalPatterns: ['OP1a' as const] };
}
