import { cleanVerdict, type Verdict } from './verdict.ts';

const loudness = [
  'LOUD-INTEGRATED-HIGH',
  'LOUD-INTEGRATED-LOW',
  'LOUD-SHORT-TERM',
  'LOUD-TRUE-PEAK',
  'LOUD-NOT-MEASURED',
];
const audio = [...loudness, 'CAPT-NO-TRANSCRIPT', 'CAPT-MISSING'];
const video = [...audio, 'QC-LEVELS', 'QC-DUAL-MONO'];
const silent = [...video, 'QC-NO-AUDIO'];

/**
 * Files of `clean-videos.ts` and `clean-others.ts`. Looked at: eight stills of each video, every image, and peak, level and
 * silence of every channel. Nothing was listened to.
 */
export const verdictsOfClean: readonly Verdict[] = [
  cleanVerdict('slides-with-voice.mp4', 'slides', 'three slides of 8 s with a speaker', [...video, 'QC-FREEZE']),
  cleanVerdict('slides-fading.mp4', 'slides', 'the same with a fade at the start and at the end', [
    ...video,
    'QC-FREEZE',
  ]),
  cleanVerdict('screen-recording.mp4', 'screen recording', 'terminal with a moving pointer, without audio', silent),
  cleanVerdict('screen-recording-with-pauses.mkv', 'screen recording', 'terminal; the speaker pauses for 4 s twice', [
    ...video,
    ...['QC-SILENCE', 'QC-FREEZE'],
  ]),
  cleanVerdict(
    'screen-recording-typing.webm',
    'screen recording',
    'dark terminal, a line each second, at rest at the end',
    [...silent, ...['QC-FREEZE']],
  ),
  cleanVerdict('phone-variable-rate.mp4', 'phone video', 'street scenes, frame durations vary', [...video, 'QC-VFR']),
  cleanVerdict('phone-upright.mov', 'phone video', 'glass flower, recorded upright (rotation 90°)', video),
  cleanVerdict('phone-hevc.mp4', 'phone video', 'toy figure, HEVC with 10 bits, rotation 180°', video),
  cleanVerdict('interview.mp4', 'interview', 'man talking, one voice left and right', video),
  cleanVerdict('interview-two-people.mov', 'interview', 'two people side by side, voices in turn', video),
  cleanVerdict('street-interview.webm', 'interview', 'street scenes with a voice over noise', video),
  cleanVerdict('cartoon.mp4', 'cartoon', 'rendered rabbit in a meadow', [...video, 'QC-AV-LENGTH']),
  cleanVerdict('cartoon-credits.mp4', 'cartoon', 'rabbit, then white credits that roll up on black', video),
  cleanVerdict('cartoon-drawn.mp4', 'cartoon', 'dancing pigs, drawn on white, with music', video),
  cleanVerdict('game.mp4', 'game', 'green cells and a moving figure on black, with music', video),
  cleanVerdict('game-explosions.mp4', 'game', 'a small yellow flash every 1.5 s', video),
  cleanVerdict('dusk.mp4', 'camera video', 'rocket at dusk, dark, with grain', video),
  cleanVerdict('logo-opening.mp4', 'film', 'a logo fades in from black and out again', [
    ...video,
    'QC-FREEZE',
    'QC-BLACK',
  ]),
  cleanVerdict('broadcast-fields.mpg', 'film', 'pan over a cup, 50 fields a second, flagged as such', video),
  cleanVerdict('film-letterbox.mp4', 'film', 'street scenes with black bars above and below', video),
  cleanVerdict('vertical-social.mp4', 'phone video', 'upright frame with a blurred background, loud music', video),
  cleanVerdict('jump-cuts.mp4', 'camera video', 'five scenes of 1.4 s with a voice', video),
  cleanVerdict('webcam-low-light.webm', 'interview', 'woman in a dark room, with noise', video),
  cleanVerdict('traffic-time-lapse.mp4', 'camera video', 'car park from above, three times as fast', [
    ...silent,
    'QC-FREEZE',
  ]),
  cleanVerdict('music-loud-master.flac', 'music', 'limited to −0.3 dBFS', audio),
  cleanVerdict('music-fading.mp3', 'music', 'fades in and out, 1 s of silence at the end', audio),
  cleanVerdict('music-wide.wav', 'music', 'wide stereo', audio),
  cleanVerdict('music-quiet-opening.ogg', 'music', 'begins very softly', [...audio, 'QC-SILENCE']),
  cleanVerdict('podcast.m4a', 'voice', 'voice at −16 LUFS, the same left and right', [...audio, 'QC-DUAL-MONO']),
  cleanVerdict('podcast-mono.mp3', 'voice', 'mono voice', audio),
  cleanVerdict('audiobook.mp3', 'voice', 'mono voice with pauses of 3.5 s', [...audio, 'QC-SILENCE']),
  cleanVerdict('telephone.wav', 'voice', 'telephone quality, 8 kHz', audio),
  cleanVerdict('waves.flac', 'sound', 'quiet noise that swells', audio),
  cleanVerdict('photo-with-credit.jpg', 'photo', 'cup of coffee with its photographer, agency and rights', [
    'META-PERSON-NAME',
  ]),
  cleanVerdict('photo-of-a-city.jpg', 'photo', 'rocket at dusk; a position to about 10 km', ['META-POSITION-COARSE']),
  cleanVerdict('photo-plain.webp', 'photo', 'portrait, no tags'),
  cleanVerdict('photo-with-camera.jpg', 'photo', 'eye, with camera and exposure'),
  cleanVerdict('scan.tif', 'photo', 'cup of coffee in grey'),
  cleanVerdict('photo-grey.png', 'photo', 'rocket in grey'),
  cleanVerdict('animation.gif', 'film', 'street scenes of 3 s'),
  cleanVerdict('report.pdf', 'document', 'one page with a title'),
  cleanVerdict('minutes.pdf', 'document', 'one page with a link'),
  cleanVerdict('letter.docx', 'document', 'author is the default of a program'),
  cleanVerdict('costs.xlsx', 'document', 'workbook without an author'),
  cleanVerdict('talk.pptx', 'document', 'presentation with a title'),
  cleanVerdict('notes.txt', 'document', 'a list in UTF-8'),
  cleanVerdict('captions.srt', 'captions', 'three cues at a comfortable speed'),
  cleanVerdict('captions.vtt', 'captions', 'two cues with a note, a position and a speaker'),
  cleanVerdict('captions-for-a-film.srt', 'captions', 'byte order mark, CRLF, italics, music and two speakers'),
];
