import { clean, faulty, type Verdict } from './verdict.ts';

const loudness = [
  'LOUD-INTEGRATED-HIGH',
  'LOUD-INTEGRATED-LOW',
  'LOUD-SHORT-TERM',
  'LOUD-TRUE-PEAK',
  'LOUD-NOT-MEASURED',
];
const audio = [...loudness, 'CAPT-NO-TRANSCRIPT', 'CAPT-MISSING', 'QC-DUAL-MONO'];
const hot = [...audio, 'QC-CLIPPING'];
const named = ['META-PERSON-NAME', 'META-EDITOR', 'META-COMPANY', 'META-UNIQUE-ID'];
const camera = ['META-MAKER-NOTES', 'META-UNIQUE-ID'];

/** Debian package → the files that are taken from it. */
export const packages: Readonly<Record<string, readonly string[]>> = {
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
  clean('debian.mp3', 'voice', 'mono recording of a few words; an artist tag', [...audio, ...named]),
  clean('debian.wav', 'voice', 'the same as WAV', [...audio, ...named]),
  clean('deleted.ogg', 'voice', 'mono recording of 2 s', audio),
  faulty(
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
  clean('movie-hello.mp4', 'screen recording', 'terminal with a webcam window; voice, the same left and right', [
    ...audio,
    ...['QC-LEVELS', 'QC-VFR', 'QC-AV-LENGTH'],
  ]),
  clean('movie-hello.avi', 'screen recording', 'the same as AVI', [...audio, 'QC-LEVELS', 'QC-AV-LENGTH', 'QC-VFR']),
  clean('movie-hello.mpeg', 'screen recording', 'the same as MPEG-2', [
    ...audio,
    'QC-LEVELS',
    'QC-AV-LENGTH',
    'QC-VFR',
  ]),
  clean('IMG-20191006-WA0002.jpg', 'photo', 'two dogs, sent by a messenger, no tags'),
  clean('IMG_1054.JPG', 'photo', 'road between tower blocks; GPS version but no position', camera),
  faulty(
    ['IMG_20200827_231612.jpg', 'photo', 'circuit board, by a phone', camera],
    'MAJOR',
    ['META-POSITION'],
    'the tags contain the position of the phone to a few metres',
  ),
  faulty(
    ['IMG_20200124_231153.jpg', 'photo', 'dog on a floor, by a phone; the thumbnail is the same, unrotated', camera],
    'MAJOR',
    ['META-POSITION'],
    'the tags contain the position of the phone to a few metres',
  ),
  clean('debian.png', 'drawing', 'red swirl and a word on black'),
  clean('d-debian.jpg', 'drawing', 'red swirl in a frame of leaves'),
  clean('a-text.docx', 'document', 'two pages by LibreOffice with their author', named),
  clean('a-text.pdf', 'document', 'the same as PDF', named),
  faulty(
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
  clean('display-dual-monitors.webm', 'screen recording', 'settings dialog, still for seconds, without audio', [
    ...['QC-NO-AUDIO', 'QC-FREEZE', 'QC-LEVELS', 'QC-VFR'],
  ]),
  clean('shell-top-bar-classic.png', 'screen recording', 'screenshot of a menu bar'),
  clean('introzik.ogg', 'music', 'game music, peaks at +0.2 dBFS after lossy coding', hot),
  clean('frozen-mainzik-2p.ogg', 'music', 'game music, peaks at +0.5 dBFS after lossy coding', hot),
  clean('applause.ogg', 'sound', 'applause of 2 s', audio),
  clean('snore.ogg', 'sound', 'mono effect of 1.5 s', audio),
  clean('bubble-7.gif', 'drawing', 'red ball of a game'),
  clean('frogger.jpg', 'game', 'screenshot of a checkered board'),
  clean('pyramid.jpg', 'game', 'screenshot of a pyramid'),
  clean('h2.ogg', 'music', 'loud game music, peaks at +1.8 dBFS after lossy coding', hot),
  clean('gameover.wav', 'sound', '8-bit game effect that reaches full scale 326 times', hot),
  clean('startup.wav', 'sound', '8-bit game effect, loud', hot),
  clean('alarm-clock-elapsed.oga', 'sound', 'alarm of 6 s', audio),
  clean('phone-incoming-call.oga', 'sound', 'ringing of 1.5 s, loud', audio),
];
