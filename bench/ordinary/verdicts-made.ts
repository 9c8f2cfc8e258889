import { clean, type Verdict } from './verdict.ts';

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
  clean('slides-with-voice.mp4', 'slides', 'three slides of 8 s with a speaker', [...video, 'QC-FREEZE']),
  clean('slides-fading.mp4', 'slides', 'the same with a fade at the start and at the end', [...video, 'QC-FREEZE']),
  clean('screen-recording.mp4', 'screen recording', 'terminal with a moving pointer, without audio', silent),
  clean('screen-recording-with-pauses.mkv', 'screen recording', 'terminal; the speaker pauses for 4 s twice', [
    ...video,
    ...['QC-SILENCE', 'QC-FREEZE'],
  ]),
  clean('screen-recording-typing.webm', 'screen recording', 'dark terminal, a line each second, at rest at the end', [
    ...silent,
    ...['QC-FREEZE'],
  ]),
  clean('phone-variable-rate.mp4', 'phone video', 'street scenes, frame durations vary', [...video, 'QC-VFR']),
  clean('phone-upright.mov', 'phone video', 'glass flower, recorded upright (rotation 90°)', video),
  clean('phone-hevc.mp4', 'phone video', 'toy figure, HEVC with 10 bits, rotation 180°', video),
  clean('interview.mp4', 'interview', 'man talking, one voice left and right', video),
  clean('interview-two-people.mov', 'interview', 'two people side by side, voices in turn', video),
  clean('street-interview.webm', 'interview', 'street scenes with a voice over noise', video),
  clean('cartoon.mp4', 'cartoon', 'rendered rabbit in a meadow', [...video, 'QC-AV-LENGTH']),
  clean('cartoon-credits.mp4', 'cartoon', 'rabbit, then white credits that roll up on black', video),
  clean('cartoon-drawn.mp4', 'cartoon', 'dancing pigs, drawn on white, with music', video),
  clean('game.mp4', 'game', 'green cells and a moving figure on black, with music', video),
  clean('game-explosions.mp4', 'game', 'a small yellow flash every 1.5 s', video),
  clean('dusk.mp4', 'camera video', 'rocket at dusk, dark, with grain', video),
  clean('logo-opening.mp4', 'film', 'a logo fades in from black and out again', [...video, 'QC-FREEZE', 'QC-BLACK']),
  clean('broadcast-fields.mpg', 'film', 'pan over a cup, 50 fields a second, flagged as such', video),
  clean('film-letterbox.mp4', 'film', 'street scenes with black bars above and below', video),
  clean('vertical-social.mp4', 'phone video', 'upright frame with a blurred background, loud music', video),
  clean('jump-cuts.mp4', 'camera video', 'five scenes of 1.4 s with a voice', video),
  clean('webcam-low-light.webm', 'interview', 'woman in a dark room, with noise', video),
  clean('traffic-time-lapse.mp4', 'camera video', 'car park from above, three times as fast', [...silent, 'QC-FREEZE']),
  clean('music-loud-master.flac', 'music', 'limited to −0.3 dBFS', audio),
  clean('music-fading.mp3', 'music', 'fades in and out, 1 s of silence at the end', audio),
  clean('music-wide.wav', 'music', 'wide stereo', audio),
  clean('music-quiet-opening.ogg', 'music', 'begins very softly', [...audio, 'QC-SILENCE']),
  clean('podcast.m4a', 'voice', 'voice at −16 LUFS, the same left and right', [...audio, 'QC-DUAL-MONO']),
  clean('podcast-mono.mp3', 'voice', 'mono voice', audio),
  clean('audiobook.mp3', 'voice', 'mono voice with pauses of 3.5 s', [...audio, 'QC-SILENCE']),
  clean('telephone.wav', 'voice', 'telephone quality, 8 kHz', audio),
  clean('waves.flac', 'sound', 'quiet noise that swells', audio),
  clean('photo-with-credit.jpg', 'photo', 'cup of coffee with its photographer, agency and rights', [
    'META-PERSON-NAME',
  ]),
  clean('photo-of-a-city.jpg', 'photo', 'rocket at dusk; a position to about 10 km', ['META-POSITION-COARSE']),
  clean('photo-plain.webp', 'photo', 'portrait, no tags'),
  clean('photo-with-camera.jpg', 'photo', 'eye, with camera and exposure'),
  clean('scan.tif', 'photo', 'cup of coffee in grey'),
  clean('photo-grey.png', 'photo', 'rocket in grey'),
  clean('animation.gif', 'film', 'street scenes of 3 s'),
  clean('report.pdf', 'document', 'one page with a title'),
  clean('minutes.pdf', 'document', 'one page with a link'),
  clean('letter.docx', 'document', 'author is the default of a program'),
  clean('costs.xlsx', 'document', 'workbook without an author'),
  clean('talk.pptx', 'document', 'presentation with a title'),
  clean('notes.txt', 'document', 'a list in UTF-8'),
  clean('captions.srt', 'captions', 'three cues at a comfortable speed'),
  clean('captions.vtt', 'captions', 'two cues with a note, a position and a speaker'),
  clean('captions-for-a-film.srt', 'captions', 'byte order mark, CRLF, italics, music and two speakers'),
];
