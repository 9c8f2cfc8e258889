import { cleanVerdict, faultyVerdict, type Verdict } from './verdict.ts';

const loudness = [
  'LOUD-INTEGRATED-HIGH',
  'LOUD-INTEGRATED-LOW',
  'LOUD-SHORT-TERM',
  'LOUD-TRUE-PEAK',
  'LOUD-NOT-MEASURED',
];
const audio = [...loudness, 'CAPT-NO-TRANSCRIPT', 'CAPT-MISSING', 'QC-DUAL-MONO'];
const clippedAudioRules = [...audio, 'QC-CLIPPING'];
const authorRules = ['META-PERSON-NAME', 'META-EDITOR', 'META-COMPANY', 'META-UNIQUE-ID'];
const cameraRules = ['META-MAKER-NOTES', 'META-UNIQUE-ID'];

/** Maps Debian packages to the files taken from them. */
export const debianPackages: Readonly<Record<string, readonly string[]>> = {
  'forensics-samples-files': [
    ...['debian.mp3', 'debian.wav', 'deleted.ogg', 'VID_20191220_170832.mp4'],
    ...['movie-hello.mp4', 'movie-hello.avi', 'movie-hello.mpeg', 'IMG-20191006-WA0002.jpg', 'IMG_1054.JPG'],
    ...['IMG_20200827_231612.jpg', 'IMG_20200124_231153.jpg', 'debian.png', 'd-debian.jpg'],
    ...['a-text.docx', 'a-text.pdf', 'a-text-pass-peanuts.pdf'],
  ],
  'gnome-user-docs': ['display-dual-monitors.webm', 'shell-top-bar-classic.png'],
  'frozen-bubble-data': ['introzik.ogg', 'frozen-mainzik-2p.ogg', 'applause.ogg', 'snore.ogg', 'bubble-7.gif'],
  'neverball-data': ['frogger.jpg', 'pyramid.jpg'],
  solarwolf: ['h2.ogg', 'gameover.wav', 'startup.wav'],
  'sound-theme-freedesktop': ['alarm-clock-elapsed.oga', 'phone-incoming-call.oga'],
};

/**
 * Files of Debian packages, as their authors made them. Looked at: stills of each video, every image and its thumbnail, all
 * tags, and peak, level and silence of every channel. Nothing was listened to.
 */
export const verdictsOfPackages: readonly Verdict[] = [
  cleanVerdict('debian.mp3', 'voice', 'mono recording of a few words; an artist tag', [...audio, ...authorRules]),
  cleanVerdict('debian.wav', 'voice', 'the same as WAV', [...audio, ...authorRules]),
  cleanVerdict('deleted.ogg', 'voice', 'mono recording of 2 s', audio),
  faultyVerdict(
    [
      'VID_20191220_170832.mp4',
      'phone video',
      'dog on a floor, 1.6 s from an Android phone',
      [...audio, 'QC-VFR', 'QC-LEVELS'],
    ],
    'MAJOR',
    ['META-POSITION'],
    'the container has the position of the recording with four decimals',
  ),
  cleanVerdict('movie-hello.mp4', 'screen recording', 'terminal with a webcam window; voice, the same left and right', [
    ...audio,
    ...['QC-LEVELS', 'QC-VFR', 'QC-AV-LENGTH'],
  ]),
  cleanVerdict('movie-hello.avi', 'screen recording', 'the same as AVI', [
    ...audio,
    'QC-LEVELS',
    'QC-AV-LENGTH',
    'QC-VFR',
  ]),
  cleanVerdict('movie-hello.mpeg', 'screen recording', 'the same as MPEG-2', [
    ...audio,
    'QC-LEVELS',
    'QC-AV-LENGTH',
    'QC-VFR',
  ]),
  cleanVerdict('IMG-20191006-WA0002.jpg', 'photo', 'two dogs, sent by a messenger, no tags'),
  cleanVerdict('IMG_1054.JPG', 'photo', 'road between tower blocks; GPS version but no position', cameraRules),
  faultyVerdict(
    ['IMG_20200827_231612.jpg', 'photo', 'circuit board, by a phone', cameraRules],
    'MAJOR',
    ['META-POSITION'],
    'the tags contain the position of the phone to a few metres',
  ),
  faultyVerdict(
    [
      'IMG_20200124_231153.jpg',
      'photo',
      'dog on a floor, by a phone; the thumbnail is the same, unrotated',
      cameraRules,
    ],
    'MAJOR',
    ['META-POSITION'],
    'the tags contain the position of the phone to a few metres',
  ),
  cleanVerdict('debian.png', 'drawing', 'red swirl and a word on black'),
  cleanVerdict('d-debian.jpg', 'drawing', 'red swirl in a frame of leaves'),
  cleanVerdict('a-text.docx', 'document', 'two pages by LibreOffice with their author', authorRules),
  cleanVerdict('a-text.pdf', 'document', 'the same as PDF', authorRules),
  faultyVerdict(
    [
      'a-text-pass-peanuts.pdf',
      'document',
      'the same, encrypted: it needs a password to be opened',
      ['META-NOT-VERIFIED'],
    ],
    'INFO',
    ['SAFE-NOT-VERIFIED', 'META-NOT-VERIFIED'],
    'nobody without the password can review it',
  ),
  cleanVerdict('display-dual-monitors.webm', 'screen recording', 'settings dialog, still for seconds, without audio', [
    ...['QC-NO-AUDIO', 'QC-FREEZE', 'QC-LEVELS', 'QC-VFR'],
  ]),
  cleanVerdict('shell-top-bar-classic.png', 'screen recording', 'screenshot of a menu bar'),
  cleanVerdict('introzik.ogg', 'music', 'game music, peaks at +0.2 dBFS after lossy coding', clippedAudioRules),
  cleanVerdict(
    'frozen-mainzik-2p.ogg',
    'music',
    'game music, peaks at +0.5 dBFS after lossy coding',
    clippedAudioRules,
  ),
  cleanVerdict('applause.ogg', 'sound', 'applause of 2 s', audio),
  cleanVerdict('snore.ogg', 'sound', 'mono effect of 1.5 s', audio),
  cleanVerdict('bubble-7.gif', 'drawing', 'red ball of a game'),
  cleanVerdict('frogger.jpg', 'game', 'screenshot of a checkered board'),
  cleanVerdict('pyramid.jpg', 'game', 'screenshot of a pyramid'),
  cleanVerdict('h2.ogg', 'music', 'loud game music, peaks at +1.8 dBFS after lossy coding', clippedAudioRules),
  cleanVerdict('gameover.wav', 'sound', '8-bit game effect that reaches full scale 326 times', clippedAudioRules),
  cleanVerdict('startup.wav', 'sound', '8-bit game effect, loud', clippedAudioRules),
  cleanVerdict('alarm-clock-elapsed.oga', 'sound', 'alarm of 6 s', audio),
  cleanVerdict('phone-incoming-call.oga', 'sound', 'ringing of 1.5 s, loud', audio),
];
