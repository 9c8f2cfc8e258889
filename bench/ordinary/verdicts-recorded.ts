import { cleanVerdict, faultyVerdict, type Verdict } from './verdict.ts';

const loudness = ['LOUD-INTEGRATED-HIGH', 'LOUD-INTEGRATED-LOW', 'LOUD-SHORT-TERM', 'LOUD-TRUE-PEAK'];
const noAudio = ['QC-NO-AUDIO'];
const noText = ['CAPT-MISSING', 'CAPT-NO-TRANSCRIPT'];
const video = [...loudness, ...noText, 'QC-LEVELS'];

/**
 * The files of ../shared/corpora/real. Looked at: six stills of each video, every image and its thumbnail, all captions,
 * the tags of images and documents, and peak, level and silence of every channel. Nothing was listened to.
 */
export const verdictsOfRecorded: readonly Verdict[] = [
  cleanVerdict('astronaut.png', 'photo', 'portrait, sharp, no tags'),
  cleanVerdict('bigbuckbunny.mp4', 'cartoon', 'rendered rabbit in a meadow, 5.1 with a silent LFE channel', [
    ...video,
    'QC-AV-LENGTH',
  ]),
  cleanVerdict('bikes.mp4', 'film', 'street scenes with cuts, without audio', [...video, ...noAudio]),
  cleanVerdict('carphone_pristine.mp4', 'interview', 'man talking in a car, 176 × 144, without audio', [
    ...video,
    ...noAudio,
  ]),
  cleanVerdict('chaplin.mp4', 'film', 'black-and-white film with side bars and piano', [
    ...video,
    'QC-DUAL-MONO',
    'QC-AV-LENGTH',
  ]),
  cleanVerdict('coffee.png', 'photo', 'cup of coffee, no tags'),
  cleanVerdict('exif-Canon_40D.jpg', 'photo', 'lizard, 100 × 68, its thumbnail shows the same', [
    'META-MAKER-NOTES',
    'META-UNIQUE-ID',
  ]),
  faultyVerdict(
    ['exif-DSCN0010.jpg', 'photo', 'houses on a hill', ['META-MAKER-NOTES', 'META-UNIQUE-ID']],
    'MAJOR',
    ['META-POSITION'],
    'the tags contain the position to a few metres',
  ),
  cleanVerdict('exif-Nikon_D70.jpg', 'photo', 'leaves, 100 × 66, its thumbnail shows the same', [
    'META-MAKER-NOTES',
    'META-UNIQUE-ID',
  ]),
  faultyVerdict(
    ['exif-Reconyx_HC500_Hyperfire.jpg', 'photo', 'snow in a forest, by a trail camera', ['META-MAKER-NOTES']],
    'MINOR',
    ['META-SERIAL-NUMBER'],
    'the tags contain the serial number of the camera',
  ),
  cleanVerdict('exif-nikon-e950.jpg', 'photo', 'cannon in front of a house, its thumbnail shows the same', [
    'META-MAKER-NOTES',
  ]),
  // Corrected after the first run: the tags of videos had not been inspected, and this video has a position.
  faultyVerdict(
    ['fire2.mp4', 'phone video', 'hand-held view of a room and a dog, uneven frames', [...video, 'QC-VFR']],
    'MAJOR',
    ['META-POSITION'],
    'the container has the position of the recording',
  ),
  cleanVerdict('intel-asl-book.mkv', 'camera video', 'woman signing, flagged full range, without audio', [
    ...video,
    ...noAudio,
    'QC-RANGE-SUSPECT',
  ]),
  cleanVerdict('intel-bottle.mp4', 'camera video', 'bottles moved by hand, still for seconds', [
    ...video,
    ...noAudio,
    'QC-FREEZE',
  ]),
  cleanVerdict('intel-car-detection.mp4', 'camera video', 'car park from above; its audio track is silent throughout', [
    ...video,
    ...['QC-SILENCE', 'QC-FREEZE', 'LOUD-NOT-MEASURED'],
  ]),
  cleanVerdict('intel-one-by-one.mp4', 'camera video', 'people entering a room one after another', [
    ...video,
    ...noAudio,
    'QC-FREEZE',
  ]),
  cleanVerdict('intel-people.gif', 'camera video', 'empty room from a ceiling camera'),
  cleanVerdict('jfk.flac', 'voice', 'speech, the same left and right', [...loudness, ...noText, 'QC-DUAL-MONO']),
  cleanVerdict('mdn-brief.pdf', 'document', 'one page, made with Pages', ['META-PERSON-NAME']),
  cleanVerdict('mdn-crystal.mp4', 'phone video', 'glass flower on a table, hand-held, quiet', [
    ...video,
    'QC-AV-LENGTH',
  ]),
  cleanVerdict('mdn-elf.mp4', 'phone video', 'toy figure on a table, hand-held, quiet', [...video, 'QC-AV-LENGTH']),
  cleanVerdict('mdn-factfile.pdf', 'document', 'one page, made with Pages', ['META-PERSON-NAME']),
  cleanVerdict('mdn-pig.webm', 'phone video', 'toy pig on a table, hand-held, quiet', [...video, 'QC-AV-LENGTH']),
  cleanVerdict('mdn-rabbit.mp4', 'phone video', 'toy rabbit on a table, hand-held, quiet', [...video, 'QC-AV-LENGTH']),
  cleanVerdict('mdn-rabbit.webm', 'phone video', 'the same in WebM', [...video, 'QC-AV-LENGTH']),
  faultyVerdict(
    ['mdn-subs.vtt', 'captions', 'three cues', ['CAPT-FAST']],
    'MINOR',
    ['CAPT-TOO-FAST', 'CAPT-FAST'],
    'the second cue has four words and is shown for 0.335 s, which nobody can read',
  ),
  cleanVerdict('mdn-viper.mp3', 'music', 'loud rock master, decoded peaks at +0.3 dBFS', [
    ...loudness,
    ...noText,
    'QC-CLIPPING',
  ]),
  cleanVerdict('moviepy-example.mp4', 'test card', 'colour bars with two clocks, without audio', [
    ...video,
    ...noAudio,
  ]),
  faultyVerdict(
    ['moviepy.srt', 'captions', 'five cues'],
    'MINOR',
    ['CAPT-IRREGULAR', 'CAPT-MALFORMED'],
    'seconds with one digit in six times (00:00:5,000), which strict players skip',
  ),
  cleanVerdict('multipage_rgb.tif', 'drawing', 'two pages of 10 × 10 pixels with 64 bits a channel', [
    'SAFE-NOT-VERIFIED',
    'META-NOT-VERIFIED',
  ]),
  cleanVerdict('pigs.gif', 'cartoon', 'two dancing pigs, drawn in grey on white'),
  cleanVerdict('rain.mp3', 'sound', 'rain, peaks at −0.7 dBFS', [...loudness, ...noText]),
  cleanVerdict('retina.jpg', 'photo', 'medical photo of an eye'),
  cleanVerdict('rocket.jpg', 'photo', 'rocket at dusk'),
  cleanVerdict('song-with-cover.mp3', 'music', 'one second of near silence with a cover image', [
    ...loudness,
    ...noText,
    'LOUD-NOT-MEASURED',
    'QC-SILENCE',
  ]),
];
