import { cleanFile, faultyFile, type Master, type Recipe, tone } from './recipe.ts';

type HdrValues = { primaries?: string; luminance?: string; light?: string };
const p3Primaries = 'G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)';
const bt2020 = 'G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)';
const hdr = ({ primaries = p3Primaries, luminance = '(10000000,1)', light = '1000,400' }: HdrValues) => ({
  video: `-x265-params ${x265}:hdr10=1:master-display=${primaries}L${luminance}:max-cll=${light}`,
});
const x265 = 'log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc';

/** HDR10 with its metadata in the video stream only, where ffprobe does not read it. */
const hevc: Master = {
  name: 'hevc mp4',
  extension: 'mp4',
  picture: 'testsrc2=s=160x90:r=25:d=0.4',
  sound: null,
  video: `-c:v libx265 -preset ultrafast -pix_fmt yuv420p10le ${hdr({}).video}`,
  audio: '',
  container: '',
  spec: {
    videoCodecs: ['hevc'],
    videoProfiles: ['Main 10', 'Rext'],
    videoLevelMax: 5.1,
    colourPrimaries: ['bt2020'],
    colourTransfers: ['smpte2084'],
    colourMatrices: ['bt2020nc', 'ictcp'],
    colourRanges: ['limited'],
    videoBitDepths: [10],
    chromaSubsamplings: ['4:2:0'],
    requireMasteringDisplay: true,
    masteringPrimaries: ['display-p3'],
    masteringLuminanceMax: { min: 1000, max: 4000 },
    masteringLuminanceMin: { max: 0.005 },
    requireContentLight: true,
    maxCll: { max: 1000 },
    maxFall: { max: 400 },
  },
};
const plainHevc = { video: `-x265-params ${x265}` };

const webm: Master = {
  name: 'vp9 webm',
  extension: 'webm',
  picture: 'testsrc2=s=160x90:r=25:d=0.6',
  sound: tone(':d=0.6'),
  video:
    '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -b:v 200k -g 5 -color_primaries bt709 -color_trc bt709 -colorspace bt709',
  audio: '-c:a libopus -ac 2 -metadata:s:a:0 language=eng',
  container: '',
  spec: {
    containers: ['webm'],
    videoCodecs: ['vp9', 'av1'],
    frameRates: ['25'],
    scans: ['progressive'],
    colourMatrices: ['bt709'],
    videoBitsPerSecond: { max: 2_000_000 },
    gopFramesMax: 5,
    audioCodecs: ['opus'],
    channelLayouts: ['stereo'],
    audioLanguages: ['eng'],
  },
};

const archiveMaster: Master = {
  name: 'ffv1 mkv',
  extension: 'mkv',
  picture: 'testsrc2=s=160x90:r=25:d=0.4',
  sound: tone(':d=0.4'),
  video: '-c:v ffv1 -level 3 -g 1 -pix_fmt yuv422p10le',
  audio: '-c:a flac -ac 2',
  container: '',
  spec: {
    containers: ['mkv'],
    videoCodecs: ['ffv1'],
    frameRates: ['25'],
    videoBitDepths: [10],
    chromaSubsamplings: ['4:2:2'],
    gopFramesMax: 1,
    audioCodecs: ['flac'],
    audioBitDepths: [16],
    sampleRates: [48_000],
  },
};

const transportMaster: Master = {
  name: 'mpeg2 ts',
  extension: 'ts',
  picture: 'testsrc2=s=160x90:r=25:d=1',
  sound: tone(),
  video:
    '-c:v mpeg2video -g 12 -bf 2 -b:v 1M -minrate 1M -maxrate 1M -bufsize 500k -flags +cgop -sc_threshold 1000000000',
  audio: '-c:a mp2 -ac 2 -metadata:s:a:0 language=eng',
  container: '',
  spec: {
    containers: ['mpeg-ts'],
    videoCodecs: ['mpeg2video'],
    frameRates: ['25'],
    scans: ['progressive'],
    videoBitRateModes: ['constant'],
    gopFramesMax: 12,
    requireClosedGop: true,
    audioCodecs: ['mp2'],
    audioLanguages: ['eng', 'fra'],
  },
};

const audioMaster = (name: string, extension: string, audio: string, spec: Master['spec']): Master => ({
  ...{ name, extension, audio, spec, picture: null, sound: tone(), video: '', container: '' },
});
const stereo48 = { channelLayouts: ['stereo'], sampleRates: [48_000], durationSeconds: { min: 0.9, max: 1.2 } };
const wav = audioMaster('wav', 'wav', '-c:a pcm_s24le -ac 2', {
  ...stereo48,
  containers: ['wav'],
  audioCodecs: ['pcm_s24le', 'pcm_s16le'],
  audioBitDepths: [24],
  videoTracks: { max: 0 },
});
const flac = audioMaster('flac', 'flac', '-c:a flac -ac 2 -sample_fmt s16', {
  ...stereo48,
  containers: ['flac'],
  audioBitDepths: [16],
});
const mp3 = audioMaster('mp3', 'mp3', '-c:a libmp3lame -b:a 128k -ac 2', {
  ...stereo48,
  containers: ['mp3'],
  audioCodecs: ['mp3'],
  audioBitDepths: [24],
  audioBitsPerSecond: { min: 96_000, max: 192_000 },
});

export const otherFiles: readonly Recipe[] = [
  cleanFile(hevc, 'as expected'),
  cleanFile(hevc, 'measured frames are darker than MaxFALL', { spec: { lightLevelTolerance: 0.1 } }),
  cleanFile(hevc, 'no HDR metadata, none required', { ...plainHevc, spec: noHdr() }),
  cleanFile(hevc, 'metadata in a Matroska container', { extension: 'mkv' }),
  faultyFile(hevc, 'SPEC-VIDEO-CODEC', 'h264', { spec: { videoCodecs: ['h264'], videoLevelMax: null } }),
  faultyFile(hevc, 'SPEC-VIDEO-LEVEL', '6', { video: `${hdr({}).video}:level-idc=6.0` }),
  faultyFile(hevc, 'SPEC-COLOUR-PRIMARIES', 'bt709', { video: `${hdr({}).video}:colorprim=bt709` }),
  faultyFile(hevc, 'SPEC-COLOUR-TRANSFER', 'HLG', { video: `${hdr({}).video}:transfer=arib-std-b67` }),
  faultyFile(hevc, 'SPEC-COLOUR-MATRIX', 'bt709', { video: `${hdr({}).video}:colormatrix=bt709` }),
  faultyFile(hevc, 'SPEC-COLOUR-RANGE', 'full', { video: `${hdr({}).video}:range=full` }),
  faultyFile(hevc, 'SPEC-CHROMA', '4:2:2', { video: '-pix_fmt yuv422p10le' }),
  faultyFile(hevc, 'SPEC-MASTERING-MISSING', 'none', {
    video: `-x265-params ${x265}:max-cll=1000,400`,
  }),
  faultyFile(hevc, 'SPEC-MASTERING-PRIMARIES', 'BT.2020', hdr({ primaries: bt2020 })),
  faultyFile(hevc, 'SPEC-MASTERING-LUMINANCE-MAX', '600', hdr({ luminance: '(6000000,1)' })),
  faultyFile(hevc, 'SPEC-MASTERING-LUMINANCE-MAX', '10,000', hdr({ luminance: '(100000000,1)' })),
  faultyFile(hevc, 'SPEC-MASTERING-LUMINANCE-MIN', '0.05', hdr({ luminance: '(10000000,500)' })),
  faultyFile(hevc, 'SPEC-LIGHT-LEVEL-MISSING', 'none', {
    video: `-x265-params ${x265}:master-display=${p3Primaries}L(10000000,1)`,
  }),
  faultyFile(hevc, 'SPEC-MAX-CLL', '1,200', hdr({ light: '1200,400' })),
  faultyFile(hevc, 'SPEC-MAX-CLL', '4,000', hdr({ light: '4000,300' })),
  faultyFile(hevc, 'SPEC-MAX-FALL', '500', hdr({ light: '1000,500' })),
  faultyFile(hevc, 'SPEC-MAX-FALL-MEASURED', 'brighter', {
    picture: 'color=0xd0d0d0:s=160x90:r=25:d=0.4',
    spec: { lightLevelTolerance: 0.1 },
  }),

  cleanFile(webm, 'as expected'),
  faultyFile(webm, 'SPEC-CONTAINER', 'mkv', { extension: 'mkv' }),
  faultyFile(webm, 'SPEC-VIDEO-CODEC', 'vp8', {
    video: '-c:v libvpx',
    spec: { colourMatrices: null },
  }),
  faultyFile(webm, 'SPEC-FRAME-RATE', '29.97', { picture: 'testsrc2=s=160x90:r=30000/1001:d=0.6' }),
  cleanFile(webm, '29.97 although timestamps are rounded', {
    picture: 'testsrc2=s=160x90:r=30000/1001:d=0.6',
    spec: { frameRates: ['30000/1001'] },
  }),
  faultyFile(webm, 'SPEC-COLOUR-MATRIX', 'BT.601', { video: '-colorspace smpte170m' }),
  faultyFile(webm, 'SPEC-VIDEO-BIT-RATE', 'too high', { spec: { videoBitsPerSecond: { max: 10_000 } } }),
  faultyFile(webm, 'SPEC-GOP-LENGTH', '15 frames', { video: '-g 60' }),
  faultyFile(webm, 'SPEC-AUDIO-CODEC', 'vorbis', { audio: '-c:a libvorbis' }),
  faultyFile(webm, 'SPEC-CHANNEL-LAYOUT', 'mono', { audio: '-ac 1' }),
  faultyFile(webm, 'SPEC-AUDIO-LANGUAGE', 'another', { audio: '-metadata:s:a:0 language=deu' }),

  cleanFile(archiveMaster, 'as expected'),
  faultyFile(archiveMaster, 'SPEC-CONTAINER', 'avi', { extension: 'avi', spec: { audioBitDepths: null } }),
  faultyFile(archiveMaster, 'SPEC-VIDEO-CODEC', 'huffyuv', { video: '-c:v ffvhuff' }),
  faultyFile(archiveMaster, 'SPEC-VIDEO-BIT-DEPTH', '8', { video: '-pix_fmt yuv422p' }),
  faultyFile(archiveMaster, 'SPEC-VIDEO-BIT-DEPTH', '12', { video: '-pix_fmt yuv422p12le' }),
  faultyFile(archiveMaster, 'SPEC-CHROMA', '4:2:0', { video: '-pix_fmt yuv420p10le' }),
  faultyFile(archiveMaster, 'SPEC-CHROMA', 'RGB', { video: '-pix_fmt gbrp10le' }),
  faultyFile(archiveMaster, 'SPEC-GOP-LENGTH', '10 frames', { video: '-g 10' }),
  faultyFile(archiveMaster, 'SPEC-AUDIO-CODEC', 'PCM', { audio: '-c:a pcm_s16le' }),
  faultyFile(archiveMaster, 'SPEC-AUDIO-BIT-DEPTH', '24', { audio: '-sample_fmt s32' }),
  faultyFile(archiveMaster, 'SPEC-SAMPLE-RATE', '96,000 Hz', { audio: '-ar 96000' }),

  cleanFile(transportMaster, 'as expected'),
  faultyFile(transportMaster, 'SPEC-CONTAINER', 'mpg', { extension: 'mpg', spec: { audioLanguages: null } }),
  faultyFile(transportMaster, 'SPEC-VIDEO-CODEC', 'h264', {
    video: '-c:v libx264 -preset veryfast -sc_threshold 0',
    spec: { videoBitRateModes: null },
  }),
  faultyFile(transportMaster, 'SPEC-FRAME-RATE', '50', { picture: 'testsrc2=s=160x90:r=50:d=1' }),
  faultyFile(transportMaster, 'SPEC-VIDEO-BIT-RATE-MODE', 'variable', { video: '-minrate 0 -maxrate 0 -bufsize 0' }),
  faultyFile(transportMaster, 'SPEC-GOP-OPEN', 'open', { video: '-flags -cgop' }),
  faultyFile(transportMaster, 'SPEC-AUDIO-CODEC', 'ac3', { audio: '-c:a ac3' }),
  faultyFile(transportMaster, 'SPEC-AUDIO-LANGUAGE', 'another', { audio: '-metadata:s:a:0 language=spa' }),

  cleanFile(wav, 'as expected'),
  faultyFile(wav, 'SPEC-CONTAINER', 'aiff', {
    extension: 'aiff',
    spec: { audioCodecs: null },
    audio: '-c:a pcm_s24be',
  }),
  faultyFile(wav, 'SPEC-AUDIO-BIT-DEPTH', '16', { audio: '-c:a pcm_s16le' }),
  faultyFile(wav, 'SPEC-AUDIO-CODEC', 'float', { audio: '-c:a pcm_f32le', spec: { audioBitDepths: [32] } }),
  faultyFile(wav, 'SPEC-SAMPLE-RATE', '44,100 Hz', { audio: '-ar 44100' }),
  faultyFile(wav, 'SPEC-CHANNEL-LAYOUT', 'mono', { audio: '-ac 1' }),
  faultyFile(wav, 'SPEC-CHANNEL-LAYOUT', '5.1', { audio: '-ac 6' }),
  faultyFile(wav, 'SPEC-DURATION', 'too short', { container: '-t 0.5' }),
  faultyFile(wav, 'SPEC-VIDEO-TRACKS', 'none', { spec: { videoTracks: { min: 1 } } }),
  cleanFile(flac, 'as expected'),
  faultyFile(flac, 'SPEC-AUDIO-BIT-DEPTH', '24', { audio: '-sample_fmt s32' }),
  faultyFile(flac, 'SPEC-CONTAINER', 'ogg', { extension: 'ogg' }),
  faultyFile(flac, 'SPEC-SAMPLE-RATE', '88,200 Hz', { audio: '-ar 88200' }),
  cleanFile(mp3, 'as expected; lossy audio has no bit depth'),
  faultyFile(mp3, 'SPEC-AUDIO-BIT-RATE', '64 kbit/s', { audio: '-b:a 64k' }),
  faultyFile(mp3, 'SPEC-AUDIO-BIT-RATE', '320 kbit/s', { audio: '-b:a 320k' }),
  faultyFile(mp3, 'SPEC-SAMPLE-RATE', '32,000 Hz', { audio: '-ar 32000' }),
  faultyFile(mp3, 'SPEC-CHANNEL-LAYOUT', 'mono', { audio: '-ac 1' }),
  faultyFile(mp3, 'SPEC-CONTAINER', 'aac', {
    extension: 'aac',
    audio: '-c:a aac',
    spec: { audioCodecs: null, audioBitsPerSecond: null },
  }),
];

function noHdr() {
  return {
    ...{ requireMasteringDisplay: null, masteringPrimaries: null, masteringLuminanceMax: null },
    ...{ masteringLuminanceMin: null, requireContentLight: null, maxCll: null, maxFall: null },
  };
}
