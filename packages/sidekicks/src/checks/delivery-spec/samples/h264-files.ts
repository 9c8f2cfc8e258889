import { cleanFile, faultyFile, type Master, type Recipe, tone } from './recipe.ts';

const subtitles = Buffer.from('1\n00:00:00,000 --> 00:00:00,900\nHello\n').toString('base64');

/** For streaming: H.264 and AAC in MP4. */
const h264: Master = {
  name: 'h264 mp4',
  extension: 'mp4',
  picture: 'testsrc2=s=192x108:r=25:d=1',
  sound: tone(),
  video:
    '-c:v libx264 -preset veryfast -profile:v high -level 4.0 -pix_fmt yuv420p -g 12 -bf 2 -sc_threshold 0 -color_primaries bt709 -color_trc bt709 -colorspace bt709 -color_range tv',
  audio: '-c:a aac -b:a 128k -ac 2 -metadata:s:a:0 language=eng',
  container: '-timecode 10:00:00:00 -t 1',
  spec: {
    containers: ['mp4'],
    bitsPerSecond: { min: 20_000, max: 20_000_000 },
    durationSeconds: { min: 0.5, max: 1.5 },
    startTimecodes: ['10:00:00:00', '00:00:00:00'],
    videoTracks: { min: 1, max: 1 },
    videoCodecs: ['h264'],
    videoProfiles: ['High', 'High 10', 'High 4:2:2', 'High 4:4:4 Predictive'],
    videoLevelMax: 4.1,
    resolutions: [
      { width: 192, height: 108 },
      { width: 1920, height: 1080 },
    ],
    frameRates: ['25'],
    scans: ['progressive'],
    displayAspectRatios: ['16:9'],
    pixelAspectRatios: ['1:1'],
    rotations: [0],
    colourPrimaries: ['bt709'],
    colourTransfers: ['bt709'],
    colourMatrices: ['bt709'],
    colourRanges: ['limited'],
    videoBitDepths: [8],
    chromaSubsamplings: ['4:2:0'],
    chromaLocations: ['left'],
    videoBitsPerSecond: { min: 10_000, max: 5_000_000 },
    gopFramesMax: 12,
    requireClosedGop: true,
    audioTracks: { min: 1, max: 1 },
    audioCodecs: ['aac'],
    audioProfiles: ['LC'],
    channelLayouts: ['stereo'],
    sampleRates: [48_000],
    audioBitsPerSecond: { min: 40_000, max: 400_000 },
    audioLanguages: ['eng'],
  },
};

const rate = (rate: string, more = '') => ({ picture: `testsrc2=s=192x108:r=${rate}:d=1`, video: more });
const layout = { channelLayouts: null };

export const h264Files: readonly Recipe[] = [
  cleanFile(h264, 'as expected'),
  cleanFile(h264, 'another accepted timecode', { container: '-timecode 00:00:00:00' }),
  cleanFile(h264, 'level 4.1', { video: '-level 4.1' }),
  cleanFile(h264, 'two accepted rates', { ...rate('30000/1001'), spec: { frameRates: ['25', '30000/1001'] } }),
  cleanFile(h264, '854×480 counts as 16:9', {
    picture: 'testsrc2=s=854x480:r=25:d=1',
    spec: { resolutions: [{ width: 854, height: 480 }] },
  }),
  cleanFile(h264, 'nothing expected', { video: '-profile:v baseline -bf 0', spec: empty() }),
  cleanFile(h264, 'language by its short code', { spec: { audioLanguages: ['en', 'fr'] } }),
  faultyFile(h264, 'SPEC-CONTAINER', 'mov', { extension: 'mov' }),
  faultyFile(h264, 'SPEC-CONTAINER', 'mkv', { extension: 'mkv', spec: { audioBitsPerSecond: null } }),
  faultyFile(h264, 'SPEC-BIT-RATE', 'too high', { spec: { bitsPerSecond: { max: 30_000 } } }),
  faultyFile(h264, 'SPEC-BIT-RATE', 'too low', { spec: { bitsPerSecond: { min: 30_000_000 } } }),
  faultyFile(h264, 'SPEC-DURATION', 'too long', {
    picture: 'testsrc2=s=192x108:r=25:d=2',
    sound: tone(':d=2'),
    container: '-t 2',
  }),
  faultyFile(h264, 'SPEC-DURATION', 'too short', { container: '-t 0.4' }),
  cleanFile(h264, 'exact duration', { spec: { exactDuration: { seconds: 1, toleranceSeconds: 0.02 } } }),
  faultyFile(h264, 'SPEC-DURATION-EXACT', 'one frame short', {
    container: '-t 0.96',
    spec: { exactDuration: { seconds: 1, toleranceSeconds: 0.02 } },
  }),
  faultyFile(h264, 'SPEC-START-TIMECODE', 'another', { container: '-timecode 09:59:59:24' }),
  faultyFile(h264, 'SPEC-TIMECODE-COUNTING', 'drop-frame', {
    ...rate('30000/1001'),
    container: '-timecode 10:00:00;00',
    spec: { startTimecodes: null, frameRates: null, timecodeCounting: 'non-drop-frame' },
  }),
  faultyFile(h264, 'SPEC-TIMECODE-COUNTING', 'non-drop-frame', {
    ...rate('30000/1001'),
    spec: { frameRates: null, timecodeCounting: 'drop-frame' },
  }),
  faultyFile(h264, 'SPEC-VIDEO-TRACKS', 'two', {
    container: '-map 0:v -map 0:v -map 1:a',
    spec: { ...empty(), videoTracks: { min: 1, max: 1 } }, // the properties of the second track are not compared
  }),
  faultyFile(h264, 'SPEC-VIDEO-TRACKS', 'none, and no number expected', {
    picture: null,
    spec: { startTimecodes: null, containers: null, videoTracks: null },
  }),
  faultyFile(h264, 'SPEC-NOT-VERIFIED', 'a second video track', {
    container: '-map 0:v -map 0:v -map 1:a',
    spec: { videoTracks: null },
  }),
  faultyFile(h264, 'SPEC-NOT-VERIFIED', 'groups of packets without timestamps', {
    extension: 'avi',
    spec: { ...empty(), requireClosedGop: true },
  }),
  faultyFile(h264, 'SPEC-NOT-VERIFIED', 'bit rate of audio in mkv', { extension: 'mkv', spec: { containers: null } }),
  faultyFile(h264, 'SPEC-NOT-VERIFIED', 'bars in a black picture', {
    picture: 'color=black:s=192x108:r=25:d=1',
    spec: { ...empty(), activePicture: ['full'] },
  }),
  faultyFile(h264, 'SPEC-VIDEO-TRACKS', 'none', { picture: null, spec: { startTimecodes: null, containers: null } }),
  faultyFile(h264, 'SPEC-VIDEO-CODEC', 'mpeg4', {
    video: '-c:v mpeg4 -profile:v 0 -bf 0 -b:v 500k',
    spec: {
      videoProfiles: null,
      videoLevelMax: null,
      colourPrimaries: null,
      colourTransfers: null,
      colourMatrices: null,
    },
  }),
  faultyFile(h264, 'SPEC-VIDEO-PROFILE', 'main', { video: '-profile:v main' }),
  faultyFile(h264, 'SPEC-VIDEO-PROFILE', 'baseline', { video: '-profile:v baseline -bf 0' }),
  faultyFile(h264, 'SPEC-VIDEO-LEVEL', '4.2', { video: '-level 4.2' }),
  faultyFile(h264, 'SPEC-VIDEO-LEVEL', '5.1', { video: '-level 5.1' }),
  faultyFile(h264, 'SPEC-RESOLUTION', '320×180', { picture: 'testsrc2=s=320x180:r=25:d=1' }),
  faultyFile(h264, 'SPEC-RESOLUTION', '160×90', { picture: 'testsrc2=s=160x90:r=25:d=1' }),
  ...['24', '24000/1001', '30', '30000/1001', '50'].map((fps) => faultyFile(h264, 'SPEC-FRAME-RATE', fps, rate(fps))),
  faultyFile(h264, 'SPEC-FRAME-RATE', '30 instead of 29.97', { ...rate('30'), spec: { frameRates: ['30000/1001'] } }),
  cleanFile(h264, 'constant frame rate', { spec: { requireConstantFrameRate: true } }),
  faultyFile(h264, 'SPEC-FRAME-RATE-VARIABLE', 'every fifth frame dropped', {
    video: "-vf select='mod(n,5)' -vsync vfr",
    spec: { requireConstantFrameRate: true, frameRates: null },
  }),
  faultyFile(h264, 'SPEC-SCAN', 'top field first', { video: '-flags +ilme+ildct -x264opts tff=1' }),
  faultyFile(h264, 'SPEC-SCAN', 'bottom field first', { video: '-flags +ilme+ildct -x264opts bff=1' }),
  faultyFile(h264, 'SPEC-SCAN', 'progressive', { spec: { scans: ['interlaced-top-first'] } }),
  faultyFile(h264, 'SPEC-DISPLAY-ASPECT', '4:3', { video: '-vf setdar=4/3', spec: { pixelAspectRatios: null } }),
  faultyFile(h264, 'SPEC-PIXEL-ASPECT', '4:3', { video: '-vf setsar=4/3', spec: { displayAspectRatios: null } }),
  cleanFile(h264, 'no bars', { spec: { activePicture: ['full'] } }),
  cleanFile(h264, 'accepted bars', {
    video: '-vf scale=192:80,pad=192:108:0:14,setsar=1',
    spec: { activePicture: ['full', '239:100'] },
  }),
  faultyFile(h264, 'SPEC-ACTIVE-PICTURE', 'bars above and below', {
    video: '-vf scale=192:80,pad=192:108:0:14,setsar=1',
    spec: { activePicture: ['full'] },
  }),
  faultyFile(h264, 'SPEC-ACTIVE-PICTURE', 'bars left and right', {
    video: '-vf scale=144:108,pad=192:108:24:0,setsar=1',
    spec: { activePicture: ['full', '185:100'] },
  }),
  faultyFile(h264, 'SPEC-ROTATION', '180', { copy: '-c copy -map 0:v -map 0:a -metadata:s:v rotate=180' }),
  faultyFile(h264, 'SPEC-ROTATION', '270', {
    copy: '-c copy -map 0:v -map 0:a -metadata:s:v rotate=90', // ffmpeg rotates anticlockwise
    spec: { displayAspectRatios: ['9:16'], rotations: [0, 90] },
  }),
  faultyFile(h264, 'SPEC-COLOUR-PRIMARIES', 'bt2020', { video: '-color_primaries bt2020' }),
  faultyFile(h264, 'SPEC-COLOUR-PRIMARIES', 'not declared', { video: '-color_primaries unknown' }),
  faultyFile(h264, 'SPEC-COLOUR-TRANSFER', 'PQ', { video: '-color_trc smpte2084' }),
  faultyFile(h264, 'SPEC-COLOUR-TRANSFER', 'HLG', { video: '-color_trc arib-std-b67' }),
  faultyFile(h264, 'SPEC-COLOUR-MATRIX', 'bt2020nc', { video: '-bsf:v h264_metadata=matrix_coefficients=9' }),
  faultyFile(h264, 'SPEC-COLOUR-MATRIX', 'BT.601', { video: '-bsf:v h264_metadata=matrix_coefficients=6' }),
  faultyFile(h264, 'SPEC-COLOUR-RANGE', 'full', { video: '-bsf:v h264_metadata=video_full_range_flag=1' }),
  faultyFile(h264, 'SPEC-VIDEO-BIT-DEPTH', '10', { video: '-profile:v high10 -pix_fmt yuv420p10le' }),
  faultyFile(h264, 'SPEC-CHROMA', '4:2:2', { video: '-profile:v high422 -pix_fmt yuv422p' }),
  faultyFile(h264, 'SPEC-CHROMA', '4:4:4', { video: '-profile:v high444 -pix_fmt yuv444p' }),
  faultyFile(h264, 'SPEC-CHROMA-LOCATION', 'topleft', { video: '-bsf:v h264_metadata=chroma_sample_loc_type=2' }),
  faultyFile(h264, 'SPEC-VIDEO-BIT-RATE', 'too high', { spec: { videoBitsPerSecond: { max: 50_000 } } }),
  faultyFile(h264, 'SPEC-VIDEO-BIT-RATE', 'too low', { spec: { videoBitsPerSecond: { min: 5_000_000 } } }),
  faultyFile(h264, 'SPEC-GOP-LENGTH', '25 frames', { video: '-g 25' }),
  faultyFile(h264, 'SPEC-GOP-LENGTH', '13 frames', { video: '-g 13' }),
  faultyFile(h264, 'SPEC-GOP-OPEN', 'open', { video: '-x264opts open-gop=1', spec: { gopFramesMax: 16 } }),
  faultyFile(h264, 'SPEC-MASTERING-MISSING', 'none', { spec: { requireMasteringDisplay: true } }),
  faultyFile(h264, 'SPEC-LIGHT-LEVEL-MISSING', 'none', { spec: { requireContentLight: true } }),
  cleanFile(h264, 'black and silence before the programme', {
    ...leadIn('0.4'),
    spec: { leadInBlackSeconds: { min: 0.4, max: 0.5 }, leadInSilenceSeconds: { min: 0.3, max: 0.5 } },
  }),
  faultyFile(h264, 'SPEC-LEAD-IN-BLACK', 'none', { spec: { leadInBlackSeconds: { min: 0.4 } } }),
  faultyFile(h264, 'SPEC-LEAD-IN-BLACK', 'too long', { ...leadIn('0.6'), spec: { leadInBlackSeconds: { max: 0.5 } } }),
  faultyFile(h264, 'SPEC-LEAD-IN-SILENCE', 'none', { spec: { leadInSilenceSeconds: { min: 0.4 } } }),
  faultyFile(h264, 'SPEC-LEAD-IN-SILENCE', 'too long', {
    ...leadIn('0.6'),
    spec: { leadInSilenceSeconds: { max: 0.4 } },
  }),
  faultyFile(h264, 'SPEC-AUDIO-TRACKS', 'two', {
    container: '-map 0:v -map 1:a -map 1:a -metadata:s:a:1 language=eng',
  }),
  faultyFile(h264, 'SPEC-AUDIO-TRACKS', 'none', { sound: null }),
  faultyFile(h264, 'SPEC-AUDIO-TRACKS', 'none, and no number expected', { sound: null, spec: { audioTracks: null } }),
  faultyFile(h264, 'SPEC-AUDIO-CODEC', 'mp3', { audio: '-c:a libmp3lame', spec: { audioProfiles: null } }),
  faultyFile(h264, 'SPEC-AUDIO-CODEC', 'ac3', { audio: '-c:a ac3', spec: { audioProfiles: null } }),
  faultyFile(h264, 'SPEC-AUDIO-CODEC', 'opus', { audio: '-c:a libopus', spec: { audioProfiles: null } }),
  faultyFile(h264, 'SPEC-AUDIO-PROFILE', 'main', { audio: '-profile:a aac_main' }),
  faultyFile(h264, 'SPEC-CHANNEL-LAYOUT', 'mono', { audio: '-ac 1' }),
  faultyFile(h264, 'SPEC-CHANNEL-LAYOUT', '5.1', { audio: '-ac 6' }),
  faultyFile(h264, 'SPEC-CHANNELS', 'mono', { audio: '-ac 1', spec: { ...layout, channels: { min: 2, max: 2 } } }),
  faultyFile(h264, 'SPEC-CHANNELS', '5.1', { audio: '-ac 6', spec: { ...layout, channels: { max: 2 } } }),
  faultyFile(h264, 'SPEC-CHANNELS-IN-ALL', '2', { spec: { channelsInAll: { min: 8, max: 16 } } }),
  faultyFile(h264, 'SPEC-SAMPLE-RATE', '44,100 Hz', { audio: '-ar 44100' }),
  faultyFile(h264, 'SPEC-SAMPLE-RATE', '32,000 Hz', { audio: '-ar 32000' }),
  faultyFile(h264, 'SPEC-AUDIO-BIT-RATE', 'too low', { audio: '-b:a 16k' }),
  faultyFile(h264, 'SPEC-AUDIO-BIT-RATE', 'too high', { spec: { audioBitsPerSecond: { max: 32_000 } } }),
  faultyFile(h264, 'SPEC-AUDIO-LANGUAGE', 'another', { audio: '-metadata:s:a:0 language=fra' }),
  faultyFile(h264, 'SPEC-AUDIO-LANGUAGE', 'not declared', { audio: '-metadata:s:a:0 language=und' }),
  cleanFile(h264, 'required language', { spec: { requiredAudioLanguages: ['eng'] } }),
  faultyFile(h264, 'SPEC-AUDIO-LANGUAGE-MISSING', 'one of two', { spec: { requiredAudioLanguages: ['eng', 'deu'] } }),
  cleanFile(h264, 'required subtitles', { ...withSubtitles('ger'), spec: { requiredSubtitleLanguages: ['deu'] } }),
  faultyFile(h264, 'SPEC-SUBTITLE-LANGUAGE-MISSING', 'another', {
    ...withSubtitles('eng'),
    spec: { requiredSubtitleLanguages: ['deu'] },
  }),
  faultyFile(h264, 'SPEC-SUBTITLE-LANGUAGE-MISSING', 'none', { spec: { requiredSubtitleLanguages: ['eng'] } }),
];

function leadIn(seconds: string) {
  return {
    video: `-vf drawbox=t=fill:c=black:enable='lt(t,${seconds})'`,
    audio: `-af volume=0:enable='lt(t,${seconds})'`,
  };
}

function withSubtitles(language: string) {
  const track = `-f srt -i data:application/x-subrip;base64,${subtitles} -map 0:v -map 0:a -map 1:s`;
  return { copy: `${track} -c copy -c:s mov_text -metadata:s:s:0 language=${language}` };
}

function empty() {
  return Object.fromEntries(Object.keys(h264.spec).map((member) => [member, null]));
}
