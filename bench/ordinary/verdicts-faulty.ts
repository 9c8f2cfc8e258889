import { faultyVerdict, type Verdict } from './verdict.ts';

const audio = ['LOUD-INTEGRATED-HIGH', 'LOUD-TRUE-PEAK', 'CAPT-NO-TRANSCRIPT'];
const truncated = ['QC-TRUNCATED'];
const unfinished = ['QC-AV-LENGTH', 'PSE-NOT-VERIFIED', 'META-NOT-VERIFIED', 'SAFE-NOT-VERIFIED', 'LOUD-NOT-MEASURED'];
const position = ['META-POSITION'];

/** Verdicts on the files of `faulty-media.ts` and `faulty-others.ts`, inspected in the same way as the clean files. */
export const verdictsOfFaulty: readonly Verdict[] = [
  faultyVerdict(
    ['broken-off.mp4', 'film', 'street scenes', unfinished],
    'MAJOR',
    truncated,
    'the last 40 % of the bytes are missing',
  ),
  faultyVerdict(
    ['broken-off.webm', 'film', 'street scenes', unfinished],
    'MAJOR',
    truncated,
    'the second half is missing',
  ),
  faultyVerdict(
    ['damaged.mkv', 'film', 'street scenes', unfinished],
    'MAJOR',
    truncated,
    '3,000 bytes in the middle are overwritten',
  ),
  faultyVerdict(
    ['broken-off.wav', 'voice', 'voice', unfinished],
    'MAJOR',
    truncated,
    'half of the declared samples are missing',
  ),
  faultyVerdict(['broken-off.flac', 'music', 'chords', unfinished], 'MAJOR', truncated, 'the last 40 % are missing'),
  faultyVerdict(
    ['clipped-interview.wav', 'voice', 'RMS of −3 dBFS, flat tops', audio],
    'MINOR',
    ['QC-CLIPPING'],
    'heavily overdriven',
  ),
  faultyVerdict(
    ['clipped-music.flac', 'music', 'RMS of −7 dBFS, flat tops', audio],
    'MINOR',
    ['QC-CLIPPING'],
    'overdriven',
  ),
  faultyVerdict(
    ['black-in-the-middle.mp4', 'interview', 'the picture is missing from 6 to 10 s while the voice goes on'],
    'MAJOR',
    ['QC-BLACK'],
    'four seconds of black in the middle',
  ),
  faultyVerdict(
    ['black-throughout.mp4', 'interview', 'a voice and no picture'],
    'MAJOR',
    ['QC-BLACK'],
    'black throughout',
  ),
  faultyVerdict(
    ['picture-stuck.mp4', 'film', 'the picture stops for 9 s while the voice goes on'],
    'MINOR',
    ['QC-FREEZE'],
    'a moving scene stops and continues later',
  ),
  faultyVerdict(
    ['right-channel-missing.mp4', 'interview', 'voice on the left only'],
    'MAJOR',
    ['QC-SILENT-CHANNEL'],
    'nothing on the right',
  ),
  faultyVerdict(
    ['left-channel-missing.wav', 'voice', 'voice on the right only'],
    'MAJOR',
    ['QC-SILENT-CHANNEL'],
    'nothing on the left',
  ),
  faultyVerdict(
    ['centre-missing.mov', 'film', '5.1 with a silent centre'],
    'MAJOR',
    ['QC-SILENT-CHANNEL'],
    'dialogue belongs in the centre',
  ),
  faultyVerdict(
    ['phase-inverted.wav', 'voice', 'left and right are opposite'],
    'MAJOR',
    ['QC-PHASE'],
    'disappears in mono',
  ),
  faultyVerdict(
    ['phase-inverted.mp4', 'film', 'left and right are nearly opposite'],
    'MAJOR',
    ['QC-PHASE'],
    'disappears in mono',
  ),
  faultyVerdict(
    ['dropped-sound.mp4', 'interview', 'the voice is missing from 5 to 15 s'],
    'MINOR',
    ['QC-SILENCE'],
    'a mouth moves without sound',
  ),
  faultyVerdict(
    ['sound-ends-early.mp4', 'interview', 'the audio track ends at 8 of 12 s'],
    'MINOR',
    ['QC-AV-LENGTH'],
    'audio ends 4 s early',
  ),
  faultyVerdict(
    ['white-flashes.mp4', 'film', 'white frames five times a second for 3 s'],
    'MAJOR',
    ['PSE-LUMINANCE'],
    'dangerous flashes',
  ),
  faultyVerdict(
    ['red-flashes.mp4', 'film', 'red and black five times a second for 3 s', ['PSE-LUMINANCE']],
    'MAJOR',
    ['PSE-RED'],
    'dangerous flashes of red',
  ),
  faultyVerdict(
    ['concert-strobe.mp4', 'film', 'dark room lit by a strobe six times a second for 5 s', ['PSE-EXTENDED']],
    'MAJOR',
    ['PSE-LUMINANCE'],
    'dangerous flashes',
  ),
  faultyVerdict(
    ['stripes.mp4', 'film', 'twelve black and white stripes for 6 s', ['QC-FREEZE']],
    'MAJOR',
    ['PSE-PATTERN'],
    'a dangerous pattern',
  ),
  faultyVerdict(
    ['fields-not-flagged.mp4', 'film', 'combing in a progressive file'],
    'MAJOR',
    ['QC-FIELDS'],
    'fields that are not flagged',
  ),
  faultyVerdict(
    ['fields-in-the-wrong-order.mpg', 'film', 'upper field first, flagged lower first'],
    'MAJOR',
    ['QC-FIELDS'],
    'judders on a screen',
  ),
  faultyVerdict(
    ['full-range-not-flagged.mp4', 'film', 'harsh contrast, shadows and lights crushed', ['QC-LEVELS']],
    'MAJOR',
    ['QC-RANGE'],
    'full range without its flag',
  ),
  faultyVerdict(
    ['limited-range-flagged-full.mp4', 'film', 'grey blacks, washed out'],
    'INFO',
    ['QC-RANGE-SUSPECT'],
    'flagged full range, levels from 16 to 235',
  ),
  faultyVerdict(
    ['phone-with-position.mp4', 'phone video', 'toy rabbit'],
    'MAJOR',
    position,
    'position with four decimals',
  ),
  faultyVerdict(['photo-with-position.jpg', 'photo', 'cup of coffee'], 'MAJOR', position, 'position to a few metres'),
  faultyVerdict(
    ['photo-with-serial-number.jpg', 'photo', 'rocket at dusk', ['META-PERSON-NAME']],
    'MINOR',
    ['META-SERIAL-NUMBER'],
    'serial numbers of camera and lens',
  ),
  faultyVerdict(
    ['photo-with-other-thumbnail.jpg', 'photo', 'detail of a portrait'],
    'MAJOR',
    ['META-THUMBNAIL'],
    'the thumbnail shows another photo',
  ),
  faultyVerdict(
    ['photo-broken-off.jpg', 'photo', 'the lower half of the cup is one colour'],
    'INFO',
    ['SAFE-NOT-VERIFIED', 'META-NOT-VERIFIED', 'SAFE-IMAGE-INCOMPLETE'], // the last rule is newer than this verdict
    'half of the file is missing',
  ),
  faultyVerdict(
    ['photo-with-archive.jpg', 'photo', 'rocket at dusk', ['SAFE-APPENDED-DATA']],
    'MAJOR',
    ['SAFE-POLYGLOT'],
    'a zip archive with a script follows the image',
  ),
  faultyVerdict(
    ['program.jpg', 'photo', 'not an image', ['SAFE-TYPE-MISMATCH', 'META-NOT-VERIFIED', 'SAFE-NOT-VERIFIED']],
    'MAJOR',
    ['SAFE-EXECUTABLE', 'SAFE-TYPE-MISMATCH'],
    'starts as a Windows program',
  ),
  faultyVerdict(
    ['script.pdf', 'document', 'one page', ['SAFE-PDF-AUTOMATIC-ACTION']],
    'MAJOR',
    ['SAFE-PDF-JAVASCRIPT'],
    'runs a script when it is opened',
  ),
  faultyVerdict(['starts-a-program.pdf', 'document', 'one page'], 'MAJOR', ['SAFE-PDF-LAUNCH'], 'starts setup.exe'),
  faultyVerdict(['macro.docx', 'document', 'letter'], 'MAJOR', ['SAFE-OFFICE-MACRO'], 'contains a macro'),
  faultyVerdict(
    ['loads-a-template.docx', 'document', 'letter'],
    'MAJOR',
    ['SAFE-OFFICE-EXTERNAL'],
    'loads a template with macros',
  ),
  faultyVerdict(
    ['path-of-a-person.docx', 'document', 'letter'],
    'MINOR',
    ['META-FILE-PATH'],
    'names a person’s folder',
  ),
  faultyVerdict(
    ['captions-too-fast.srt', 'captions', 'ten words in 1.2 s'],
    'MINOR',
    ['CAPT-TOO-FAST'],
    'nobody can read it',
  ),
  faultyVerdict(
    ['captions-garbled.srt', 'captions', 'the time of the second cue is unreadable', ['CAPT-IRREGULAR']],
    'MINOR',
    ['CAPT-MALFORMED'],
    'players drop the cue',
  ),
  faultyVerdict(
    ['captions-backwards.vtt', 'captions', 'the second cue ends before it starts', ['CAPT-ORDER']],
    'MINOR',
    ['CAPT-DURATION'],
    'the cue is never shown',
  ),
  faultyVerdict(
    ['captions-empty.vtt', 'captions', 'a header and a note'],
    'MINOR',
    ['CAPT-EMPTY'],
    'no captions at all',
  ),
  faultyVerdict(
    ['captions-covering.srt', 'captions', 'a cue of five lines', ['CAPT-FAST']],
    'MINOR',
    ['CAPT-LINES'],
    'covers the frame',
  ),
];
