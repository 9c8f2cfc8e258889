import { type RuleRow, withoutPrecedents } from '#sidekick/rule-table.ts';

const ruleRows = {
  'SPEC-CONTAINER': ['MAJOR', 'The container is not one that the delivery profile accepts.', null],
  'SPEC-MXF-PATTERN': ['MAJOR', 'The MXF operational pattern is not one that the delivery profile accepts.', null],
  'SPEC-BIT-RATE': ['MAJOR', 'The bit rate of the file is outside the range of the delivery profile.', null],
  'SPEC-DURATION': ['MAJOR', 'The file is shorter or longer than the delivery profile accepts.', null],
  'SPEC-DURATION-EXACT': ['MAJOR', 'The duration is not that of the booked slot.', null],
  'SPEC-START-TIMECODE': ['MAJOR', 'The first frame does not have the expected timecode.', null],
  'SPEC-TIMECODE-COUNTING': ['MAJOR', 'The timecode counts frames in another way than expected.', null],
  'SPEC-LEAD-IN-BLACK': ['MAJOR', 'Black before the programme is shorter or longer than expected.', null],
  'SPEC-LEAD-IN-SILENCE': ['MAJOR', 'Silence before the programme is shorter or longer than expected.', null],

  'SPEC-VIDEO-TRACKS': ['MAJOR', 'The number of video tracks is not the expected one.', null],
  'SPEC-VIDEO-CODEC': ['MAJOR', 'The video codec is not one that the delivery profile accepts.', null],
  'SPEC-VIDEO-PROFILE': ['MAJOR', 'The profile of the video codec may not be playable at the destination.', null],
  'SPEC-VIDEO-LEVEL': ['MAJOR', 'The level of the video codec is too high for the destination.', null],
  'SPEC-RESOLUTION': ['MAJOR', 'The resolution is not one that the delivery profile accepts.', null],
  'SPEC-FRAME-RATE': ['MAJOR', 'The frame rate is not one that the delivery profile accepts.', null],
  'SPEC-FRAME-RATE-VARIABLE': [
    'MAJOR',
    'The frame rate varies, but the delivery profile expects a constant one.',
    null,
  ],
  'SPEC-SCAN': ['MAJOR', 'The scan type or field order is not the expected one.', null],
  'SPEC-DISPLAY-ASPECT': ['MAJOR', 'The display aspect ratio is not one that the delivery profile accepts.', null],
  'SPEC-PIXEL-ASPECT': ['MAJOR', 'The pixel aspect ratio is not one that the delivery profile accepts.', null],
  'SPEC-ACTIVE-PICTURE': ['MAJOR', 'The picture has black bars that the delivery profile does not accept.', null],
  'SPEC-ROTATION': ['MAJOR', 'Not every player applies the rotation that the file declares.', null],
  'SPEC-VIDEO-BIT-RATE': ['MAJOR', 'The bit rate of the video is outside the range of the delivery profile.', null],
  'SPEC-VIDEO-BIT-RATE-MODE': ['MINOR', 'The bit rate mode of the video is not the expected one.', null],
  'SPEC-GOP-LENGTH': ['MAJOR', 'Groups of pictures are longer than the delivery profile accepts.', null],
  'SPEC-GOP-OPEN': ['MAJOR', 'Open groups of pictures cannot be cut without damage.', null],

  'SPEC-COLOUR-PRIMARIES': ['MAJOR', 'The declared colour primaries are not the expected ones.', null],
  'SPEC-COLOUR-TRANSFER': ['MAJOR', 'The declared transfer characteristics are not the expected ones.', null],
  'SPEC-COLOUR-MATRIX': ['MAJOR', 'The declared matrix coefficients are not the expected ones.', null],
  'SPEC-COLOUR-RANGE': ['MAJOR', 'The declared range of levels is not the expected one.', null],
  'SPEC-VIDEO-BIT-DEPTH': ['MAJOR', 'The bit depth of the video is not the expected one.', null],
  'SPEC-CHROMA': ['MAJOR', 'The chroma subsampling is not the expected one.', null],
  'SPEC-CHROMA-LOCATION': ['MINOR', 'The position of chroma samples is not the expected one.', null],

  'SPEC-MASTERING-MISSING': ['MAJOR', 'Displays need the metadata of the mastering display to map HDR video.', null],
  'SPEC-MASTERING-PRIMARIES': ['MAJOR', 'The primaries of the mastering display are not the expected ones.', null],
  'SPEC-MASTERING-LUMINANCE-MAX': ['MAJOR', 'The peak of the mastering display is outside the expected range.', null],
  'SPEC-MASTERING-LUMINANCE-MIN': ['MAJOR', 'The black of the mastering display is outside the expected range.', null],
  'SPEC-LIGHT-LEVEL-MISSING': ['MAJOR', 'The delivery profile expects MaxCLL and MaxFALL.', null],
  'SPEC-MAX-CLL': ['MAJOR', 'Declared MaxCLL is outside the expected range.', null],
  'SPEC-MAX-FALL': ['MAJOR', 'Declared MaxFALL is outside the expected range.', null],
  'SPEC-MAX-FALL-MEASURED': ['MAJOR', 'Frames are brighter than declared MaxFALL, so displays may clip them.', null],

  'SPEC-AUDIO-TRACKS': ['MAJOR', 'The number of audio tracks is not the expected one.', null],
  'SPEC-AUDIO-CODEC': ['MAJOR', 'The audio codec is not one that the delivery profile accepts.', null],
  'SPEC-AUDIO-PROFILE': ['MAJOR', 'The profile of the audio codec may not be playable at the destination.', null],
  'SPEC-CHANNEL-LAYOUT': ['MAJOR', 'The channel layout is not one that the delivery profile accepts.', null],
  'SPEC-CHANNELS': ['MAJOR', 'The number of channels of a track is not the expected one.', null],
  'SPEC-CHANNELS-IN-ALL': ['MAJOR', 'The number of audio channels in the file is not the expected one.', null],
  'SPEC-SAMPLE-RATE': ['MAJOR', 'The sample rate is not one that the delivery profile accepts.', null],
  'SPEC-AUDIO-BIT-DEPTH': ['MAJOR', 'The bit depth of the audio is not the expected one.', null],
  'SPEC-AUDIO-BIT-RATE': ['MAJOR', 'The bit rate of the audio is outside the range of the delivery profile.', null],
  'SPEC-AUDIO-LANGUAGE': ['MINOR', 'An audio track has another language than expected, or declares none.', null],
  'SPEC-AUDIO-LANGUAGE-MISSING': ['MAJOR', 'An audio track in a required language is missing.', null],
  'SPEC-SUBTITLE-LANGUAGE-MISSING': ['MAJOR', 'A subtitle track in a required language is missing.', null],

  'SPEC-NOT-VERIFIED': ['MAJOR', 'Part of what the delivery profile expects could not be measured.', null],
} as const satisfies Record<string, RuleRow>;

export type RuleCode = keyof typeof ruleRows;

// No precedents are known for these rules.
export const rules = withoutPrecedents(ruleRows);
