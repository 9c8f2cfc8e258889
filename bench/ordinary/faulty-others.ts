import { officeProperties } from '@assay/sidekicks/checks/metadata-privacy/samples/leaky-documents.ts';
import { exactPosition, windowsPath } from '@assay/sidekicks/checks/metadata-privacy/samples/recipe.ts';
import { makeArchive, makeOfficeFile, relationships } from '@assay/testing/media/make-office.ts';
import { makePdf } from '@assay/testing/media/make-pdf.ts';
import { type Recipes, recordingPath } from './recipe.ts';

const photoInput = (name: string, filter = 'null') => [
  '-i',
  recordingPath(name),
  '-frames:v',
  '1',
  '-vf',
  filter,
  '-q:v',
  '3',
];
const subtitleCue = (index: number, from: string, to: string, text: string) =>
  `${index}\n${from} --> ${to}\n${text}\n\n`;
const longSentence =
  'Every part was measured by hand and written down in a book, and later the orders came from other towns as well.';

/** Images, documents and captions with a fault that a reviewer would return. */
export const faultyOthers: Recipes = {
  'photo-with-position.jpg': { ffmpeg: photoInput('coffee.png'), exiftool: exactPosition },
  'photo-with-serial-number.jpg': {
    ffmpeg: photoInput('rocket.jpg'),
    exiftool: ['-Make=Example', '-SerialNumber=0123456789', '-LensSerialNumber=98765', '-OwnerName=Ann Example'],
  },
  'photo-with-other-thumbnail.jpg': {
    ffmpeg: photoInput('astronaut.png', 'crop=200:200:300:300,scale=400:400'),
    exiftool: [`-ThumbnailImage<=${recordingPath('exif-Nikon_D70.jpg')}`],
  },
  'photo-broken-off.jpg': { ffmpeg: photoInput('coffee.png'), keptShare: 0.5 },
  'photo-with-archive.jpg': {
    ffmpeg: photoInput('rocket.jpg'),
    appended: () => makeArchive([{ name: 'payload.js', data: 'alert(1)'.repeat(50) }]),
  },
  'program.jpg': { bytes: () => Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), Buffer.alloc(2000, 7)]) },
  'script.pdf': {
    bytes: () => makePdf({ catalog: '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>' }),
  },
  'starts-a-program.pdf': { bytes: () => makePdf({ objects: ['<< /S /Launch /F (setup.exe) >>'] }) },
  'macro.docx': { bytes: () => makeOfficeFile('docx', [{ name: 'word/vbaProject.bin', data: 'x'.repeat(500) }]) },
  'loads-a-template.docx': {
    bytes: () =>
      makeOfficeFile('docx', [
        {
          name: 'word/_rels/document.xml.rels',
          data: relationships([['attachedTemplate', 'https://files.example.com/t.dotm', true]]),
        },
      ]),
  },
  'path-of-a-person.docx': {
    bytes: () => makeOfficeFile('docx', [officeProperties('app', `<Template>${windowsPath}</Template>`)]),
  },
  'captions-too-fast.srt': {
    bytes: () =>
      subtitleCue(1, '00:00:01,000', '00:00:02,200', longSentence.slice(0, 68)) +
      subtitleCue(2, '00:00:02,300', '00:00:03,400', longSentence.slice(69)) +
      subtitleCue(3, '00:00:06,000', '00:00:09,000', 'Thank you for having me.'),
  },
  'captions-garbled.srt': {
    bytes: () =>
      `${subtitleCue(1, '00:00:01,000', '00:00:03,000', 'Thank you for having me.')}2\n00:00:04,000 -> 00:00:xx\nWe began in a small workshop.\n\n${subtitleCue(3, '00:00:08,000', '00:00:11,000', 'Every part was measured by hand.')}`,
  },
  'captions-backwards.vtt': {
    bytes: () =>
      'WEBVTT\n\n00:01.000 --> 00:03.000\nThank you for having me.\n\n00:09.000 --> 00:06.000\nWe began in a small workshop.\n',
  },
  'captions-empty.vtt': { bytes: () => 'WEBVTT\n\nNOTE to be written\n' },
  'captions-covering.srt': {
    bytes: () =>
      subtitleCue(
        1,
        '00:00:01,000',
        '00:00:08,000',
        'Thank you\nfor having me.\nWe began in\na small workshop\nwith two people.',
      ) + subtitleCue(2, '00:00:09,000', '00:00:12,000', 'Every part was measured by hand.'),
  },
};
