import { z } from 'zod';

// The values that a file can declare, as named by ffmpeg. Other names are refused, because no file could match them.
const containers = [
  ...['mp4', 'mov', 'm4v', '3gp', 'mkv', 'webm', 'avi', 'mxf', 'mpeg-ts', 'mpeg-ps', 'mpeg-video'],
  ...['m4a', 'mp3', 'aac', 'wav', 'flac', 'ogg', 'aiff', 'gif', 'apng'],
] as const;
const colourPrimaries = [
  ...['bt709', 'bt470m', 'bt470bg', 'smpte170m', 'smpte240m', 'bt2020', 'smpte428', 'smpte431', 'smpte432'],
  'ebu3213',
] as const;
const transferCharacteristics = [
  ...['bt709', 'bt470m', 'bt470bg', 'smpte170m', 'smpte240m', 'linear', 'log100', 'log316', 'iec61966-2-4', 'bt1361e'],
  ...['iec61966-2-1', 'bt2020-10', 'bt2020-12', 'smpte2084', 'smpte428', 'arib-std-b67'],
] as const;
const colourMatrices = [
  ...['gbr', 'bt709', 'fcc', 'bt470bg', 'smpte170m', 'smpte240m', 'ycgco', 'bt2020nc', 'bt2020c', 'smpte2085', 'ictcp'],
] as const;

const valuesMax = 50;
const listOf = <Value extends z.ZodType>(value: Value) => z.array(value).min(1).max(valuesMax);
const rangeOf = (bound: z.ZodNumber) =>
  z.strictObject({
    min: bound.nullish().meta({ description: 'Lowest accepted value; null for none.' }),
    max: bound.nullish().meta({ description: 'Highest accepted value; null for none.' }),
  });
const countRange = rangeOf(z.int().min(0).max(200));
const secondsRange = rangeOf(z.number().min(0).max(86_400));
const bitRateRange = rangeOf(z.int().min(0).max(100_000_000_000));
const luminanceRange = rangeOf(z.number().min(0).max(10_000));

const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9 :._+()/@-]{0,63}$/, 'must be a name of up to 64 characters.');
const language = z.string().regex(/^[a-z]{2,3}$/, 'must be a language code of 2 or 3 letters.');
/** A frame rate is compared exactly, so it cannot be given as a decimal number. */
const frameRate = z.string().regex(/^[1-9]\d{0,5}(\/[1-9]\d{0,5})?$/, 'must be a number or a fraction.');
const aspectRatio = z.string().regex(/^[1-9]\d{0,4}:[1-9]\d{0,4}$/, 'must be a ratio such as 16:9.');
const activePicture = z
  .string()
  .regex(/^(full|[1-9]\d{0,4}:[1-9]\d{0,4})$/, 'must be `full` or a ratio such as 239:100.');
const timecode = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d[:;]\d{2,3}$/, 'must be a timecode such as 10:00:00:00.');

/**
 * What the check Delivery specification expects of a file. Null accepts any value, and so does false for a `require…`
 * member.
 */
export const DeliverySpecLimits = z.strictObject({
  containers: listOf(z.enum(containers)).nullable().meta({ description: 'Accepted containers.' }),
  mxfOperationalPatterns: listOf(
    z.enum(['OP1a', 'OP1b', 'OP1c', 'OP2a', 'OP2b', 'OP2c', 'OP3a', 'OP3b', 'OP3c', 'OPAtom']),
  )
    .nullable()
    .meta({ description: 'Accepted operational patterns of MXF files.' }),
  bitsPerSecond: bitRateRange.nullable().meta({ description: 'Bit rate of the whole file, in bits per second.' }),
  durationSeconds: secondsRange.nullable().meta({ description: 'Shortest and longest duration, in seconds.' }),
  exactDuration: z
    .strictObject({
      seconds: z.number().min(0).max(86_400).meta({ description: 'Expected duration, in seconds.' }),
      toleranceSeconds: z.number().min(0).max(3600).meta({ description: 'Allowed deviation, in seconds.' }),
    })
    .nullable()
    .meta({ description: 'Expected duration, such as that of an advertisement.' }),
  startTimecodes: listOf(timecode).nullable().meta({
    description: 'Accepted timecodes of the first frame. A semicolon before the frames means drop-frame.',
  }),
  timecodeCounting: z.enum(['drop-frame', 'non-drop-frame']).nullable().meta({
    description: 'How the timecode in the file has to count frames.',
  }),
  leadInBlackSeconds: secondsRange
    .nullable()
    .meta({ description: 'Duration of black before the programme, in seconds.' }),
  leadInSilenceSeconds: secondsRange.nullable().meta({
    description: 'Duration of silence before the programme, in seconds.',
  }),

  videoTracks: countRange.nullable().meta({ description: 'Number of video tracks, cover art not counted.' }),
  videoCodecs: listOf(name).nullable().meta({ description: 'Accepted video codecs, by the names of ffprobe.' }),
  videoProfiles: listOf(name).nullable().meta({
    description: 'Accepted profiles of the video codec, by the names of ffprobe. Capitals do not matter.',
  }),
  videoLevelMax: z.number().min(1).max(10).nullable().meta({
    description: 'Highest accepted level of H.264, H.265 or AV1, such as 4.1.',
  }),
  resolutions: listOf(
    z.strictObject({
      width: z.int().min(1).max(65_536).meta({ description: 'Width in pixels.' }),
      height: z.int().min(1).max(65_536).meta({ description: 'Height in pixels.' }),
    }),
  )
    .nullable()
    .meta({ description: 'Accepted sizes of the frame as stored.' }),
  frameRates: listOf(frameRate).nullable().meta({
    description: 'Accepted frames per second, compared exactly: `25`, `30000/1001`.',
  }),
  requireConstantFrameRate: z.boolean().nullable().meta({ description: 'Whether every frame must last equally long.' }),
  scans: listOf(z.enum(['progressive', 'interlaced-top-first', 'interlaced-bottom-first']))
    .nullable()
    .meta({
      description: 'Accepted scan types and field orders.',
    }),
  displayAspectRatios: listOf(aspectRatio).nullable().meta({
    description: 'Accepted ratios of width and height on a display, such as `16:9`.',
  }),
  pixelAspectRatios: listOf(aspectRatio).nullable().meta({
    description: 'Accepted ratios of width and height of a pixel. Square pixels are `1:1`.',
  }),
  activePicture: listOf(activePicture).nullable().meta({
    description: 'Accepted picture inside black bars: `full` for none, or its ratio on a display, such as `239:100`.',
  }),
  rotations: listOf(z.literal([0, 90, 180, 270]))
    .nullable()
    .meta({
      description: 'Accepted rotations that players have to apply, in degrees clockwise.',
    }),
  colourPrimaries: listOf(z.enum(colourPrimaries)).nullable().meta({ description: 'Accepted colour primaries.' }),
  colourTransfers: listOf(z.enum(transferCharacteristics))
    .nullable()
    .meta({ description: 'Accepted transfer characteristics.' }),
  colourMatrices: listOf(z.enum(colourMatrices)).nullable().meta({ description: 'Accepted matrix coefficients.' }),
  colourRanges: listOf(z.enum(['limited', 'full']))
    .nullable()
    .meta({ description: 'Accepted ranges of levels.' }),
  videoBitDepths: listOf(z.int().min(1).max(32)).nullable().meta({ description: 'Accepted bits per colour value.' }),
  chromaSubsamplings: listOf(z.enum(['4:0:0', '4:1:0', '4:1:1', '4:2:0', '4:2:2', '4:4:0', '4:4:4']))
    .nullable()
    .meta({
      description: 'Accepted chroma subsampling. RGB is `4:4:4`.',
    }),
  chromaLocations: listOf(z.enum(['left', 'center', 'topleft', 'top', 'bottomleft', 'bottom']))
    .nullable()
    .meta({
      description: 'Accepted positions of chroma samples.',
    }),
  videoBitsPerSecond: bitRateRange.nullable().meta({ description: 'Bit rate of the video, in bits per second.' }),
  videoBitRateModes: listOf(z.enum(['constant', 'variable']))
    .nullable()
    .meta({
      description: 'Accepted bit rate modes of the video.',
    }),
  gopFramesMax: z.int().min(1).max(10_000).nullable().meta({
    description: 'Longest group of pictures, in frames. 1 accepts intra-frame coding only.',
  }),
  requireClosedGop: z.boolean().nullable().meta({ description: 'Whether every group of pictures must be closed.' }),

  requireMasteringDisplay: z.boolean().nullable().meta({
    description: 'Whether HDR metadata of the mastering display (SMPTE ST 2086) must be present.',
  }),
  masteringPrimaries: listOf(z.enum(['bt709', 'bt2020', 'display-p3']))
    .nullable()
    .meta({
      description: 'Accepted primaries of the mastering display.',
    }),
  masteringLuminanceMax: luminanceRange.nullable().meta({
    description: 'Highest luminance of the mastering display, in cd/m².',
  }),
  masteringLuminanceMin: luminanceRange.nullable().meta({
    description: 'Lowest luminance of the mastering display, in cd/m².',
  }),
  requireContentLight: z.boolean().nullable().meta({ description: 'Whether MaxCLL and MaxFALL must be present.' }),
  maxCll: luminanceRange.nullable().meta({ description: 'Declared MaxCLL, in cd/m².' }),
  maxFall: luminanceRange.nullable().meta({ description: 'Declared MaxFALL, in cd/m².' }),
  lightLevelTolerance: z.number().min(0).max(10).nullable().meta({
    description: 'Share by which the measured brightness may exceed declared MaxFALL, such as 0.1 for 10 %.',
  }),

  audioTracks: countRange.nullable().meta({ description: 'Number of audio tracks.' }),
  audioCodecs: listOf(name).nullable().meta({ description: 'Accepted audio codecs, by the names of ffprobe.' }),
  audioProfiles: listOf(name).nullable().meta({
    description: 'Accepted profiles of the audio codec, by the names of ffprobe. Capitals do not matter.',
  }),
  channelLayouts: listOf(name).nullable().meta({
    description: 'Accepted channel layouts of each audio track, such as `stereo` or `5.1`.',
  }),
  channels: countRange.nullable().meta({ description: 'Number of channels of each audio track.' }),
  channelsInAll: countRange.nullable().meta({ description: 'Number of channels of all audio tracks together.' }),
  sampleRates: listOf(z.int().min(1).max(1_000_000)).nullable().meta({
    description: 'Accepted samples per second of each audio track, such as 48000.',
  }),
  audioBitDepths: listOf(z.int().min(1).max(64)).nullable().meta({
    description: 'Accepted bits per sample of uncompressed and lossless audio tracks.',
  }),
  audioBitsPerSecond: bitRateRange
    .nullable()
    .meta({ description: 'Bit rate of each audio track, in bits per second.' }),
  audioLanguages: listOf(language).nullable().meta({
    description: 'Accepted languages of each audio track, such as `eng`. A track without a language is not accepted.',
  }),
  requiredAudioLanguages: listOf(language).nullable().meta({
    description: 'Languages of which there must be an audio track.',
  }),
  requiredSubtitleLanguages: listOf(language).nullable().meta({
    description: 'Languages of which there must be a subtitle track.',
  }),
});
export type DeliverySpecLimits = z.infer<typeof DeliverySpecLimits>;
