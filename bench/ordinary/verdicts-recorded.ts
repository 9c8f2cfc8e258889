import { clean, faulty, type Verdict } from './verdict.ts';

const loudness = ['LOUD-INTEGRATED-HIGH', 'LOUD-INTEGRATED-LOW', 'LOUD-SHORT-TERM', 'LOUD-TRUE-PEAK'];
const noAudio = ['QC-NO-AUDIO'];
const noText = ['CAPT-MISSING', 'CAPT-NO-TRANSCRIPT'];
const video = [...loudness, ...noText, 'QC-LEVELS'];

/**
 * The files of ../shared/corpora/real. Looked at: six stills of each video, every image and its thumbnail, all captions,
 * the tags of images and documents, and peak, level and silence of every channel. Nothing was listened to.
 */
export const verdictsOfRecorded: readonly Verdict[] = [
  clean('astronaut.png', 'photo', 'portrait, sharp, no tags'),
  clean('bigbuckbunny.mp4', 'cartoon', 'rendered rabbit in a meadow, 5.1 with a silent LFE channel', [
    ...video,
    'QC-AV-LENGTH',
  ]),
  clean('bikes.mp4', 'film', 'street scenes with cuts, without audio', [...video, ...noAudio]),
  clean('carphone_pristine.mp4', 'interview', 'man talking in a car, 176 × 144, without audio', [...video, ...noAudio]),
  clean('chaplin.mp4', 'film', 'black-and-white film with side bars and piano', [
    ...video,
    'QC-DUAL-MONO',
    'QC-AV-LENGTH',
  ]),
  clean('coffee.png', 'photo', 'cup of coffee, no tags'),
  clean('exif-Canon_40D.jpg', 'photo', 'lizard, 100 × 68, its thumbnail shows the same', [
    'META-MAKER-NOTES',
    'META-UNIQUE-ID',
  ]),
  faulty(
    ['exif-DSCN0010.jpg', 'photo', 'houses on a hill', ['META-MAKER-NOTES', 'META-UNIQUE-ID']],
    'MAJOR',
    ['META-POSITION'],
    'the tags contain the position to a few metres',
  ),
  clean('exif-Nikon_D70.jpg', 'photo', 'leaves, 100 × 66, its thumbnail shows the same', [
    'META-MAKER-NOTES',
    'META-UNIQUE-ID',
  ]),
  faulty(
    ['exif-Reconyx_HC500_Hyperfire.jpg', 'photo', 'snow in a forest, by a trail camera', ['META-MAKER-NOTES']],
    'MINOR',
    ['META-SERIAL-NUMBER'],
    'the tags contain the serial number of the camera',
  ),
  clean('exif-nikon-e950.jpg', 'photo', 'cannon in front of a house, its thumbnail shows the same', [
    'META-MAKER-NOTES',
  ]),
  // Corrected after the first run: the tags of videos had not been inspected, and this video has a position.
  faulty(
    ['fire2.mp4', 'phone video', 'hand-held view of a room and a dog, uneven frames', [...video, 'QC-VFR']],
    'MAJOR',
    ['META-POSITION'],
    'the container has the position of the recording',
  ),
  clean('intel-asl-book.mkv', 'camera video', 'woman signing, flagged full range, without audio', [
    ...video,
    ...noAudio,
    'QC-RANGE-SUSPECT',
  ]),
  clean('intel-bottle.mp4', 'camera video', 'bottles moved by hand, still for seconds', [
    ...video,
    ...noAudio,
    'QC-FREEZE',
  ]),
  clean('intel-car-detection.mp4', 'camera video', 'car park from above; its audio track is silent throughout', [
    ...video,
    ...['QC-SILENCE', 'QC-FREEZE', 'LOUD-NOT-MEASURED'],
  ]),
  clean('intel-one-by-one.mp4', 'camera video', 'people entering a room one after another', [
    ...video,
    ...noAudio,
    'QC-FREEZE',
  ]),
  clean('intel-people.gif', 'camera video', 'empty room from a ceiling camera'),
  clean('jfk.flac', 'voice', 'speech, the same left and right', [...loudness, ...noText, 'QC-DUAL-MONO']),
  clean('mdn-brief.pdf', 'document', 'one page, made with Pages', ['META-PERSON-NAME']),
  clean('mdn-crystal.mp4', 'phone video', 'glass flower on a table, hand-held, quiet', [...video, 'QC-AV-LENGTH']),
  clean('mdn-elf.mp4', 'phone video', 'toy figure on a table, hand-held, quiet', [...video, 'QC-AV-LENGTH']),
  clean('mdn-factfile.pdf', 'document', 'one page, made with Pages', ['META-PERSON-NAME']),
  clean('mdn-pig.webm', 'phone video', 'toy pig on a table, hand-held, quiet', [...video, 'QC-AV-LENGTH']),
  clean('mdn-rabbit.mp4', 'phone video', 'toy rabbit on a table, hand-held, quiet', [...video, 'QC-AV-LENGTH']),
  clean('mdn-rabbit.webm', 'phone video', 'the same in WebM', [...video, 'QC-AV-LENGTH']),
  faulty(
    ['mdn-subs.vtt', 'captions', 'three cues', ['CAPT-FAST']],
    'MINOR',
    ['CAPT-TOO-FAST', 'CAPT-FAST'],
    'the second cue has four words and is shown for 0.335 s, which nobody can read',
  ),
  clean('mdn-viper.mp3', 'music', 'loud rock master, decoded peaks at +0.3 dBFS', [
    ...loudness,
    ...noText,
    'QC-CLIPPING',
  ]),
  clean('moviepy-example.mp4', 'test card', 'colour bars with two clocks, without audio', [...video, ...noAudio]),
  faulty(
    ['moviepy.srt', 'captions', 'five cues'],
    'MINOR',
    ['CAPT-IRREGULAR', 'CAPT-MALFORMED'],
    'seconds with one digit in six times (00:00:5,000), which strict players skip',
  ),
  clean('multipage_rgb.tif', 'drawing', 'two pages of 10 × 10 pixels with 64 bits a channel', [
    'SAFE-NOT-VERIFIED',
    'META-NOT-VERIFIED',
  ]),
  clean('pigs.gif', 'cartoon', 'two dancing pigs, drawn in grey on white'),
  clean('rain.mp3', 'sound', 'rain, peaks at −0.7 dBFS', [...loudness, ...noText]),
  clean('retina.jpg', 'photo', 'medical photo of an eye'),
  clean('rocket.jpg', 'photo', 'rocket at dusk'),
  clean('song-with-cover.mp3', 'music', 'one second of near silence with a cover image', [
    ...loudness,
    ...noText,
    'LOUD-NOT-MEASURED',
    'QC-SILENCE',
  ]),
];
