import { officeProperties, pdfWithInfo } from '@assay/sidekicks/checks/metadata-privacy/samples/leaky-documents.ts';
import { makeOfficeFile } from '@assay/testing/media/make-office.ts';
import {
  aac,
  forSeconds,
  lavfi,
  music,
  type Recipes,
  recordingPath,
  repeatedRecording,
  speech,
  stereo,
} from './recipe.ts';

/** Audio files as people make them, without a fault. */
const audio: Recipes = {
  'music-loud-master.flac': {
    ffmpeg: [...music(3, 'alimiter=limit=0.97:level=0'), ...forSeconds(14), '-sample_fmt', 's16'],
  },
  'music-fading.mp3': {
    ffmpeg: [...music(1, 'afade=t=in:d=2,afade=t=out:st=12:d=4,apad=pad_dur=1.5'), ...forSeconds(17), '-b:a', '160k'],
  },
  'music-wide.wav': {
    ffmpeg: [...music(1, 'extrastereo=m=1.6'), ...forSeconds(10)],
  },
  'music-quiet-opening.ogg': {
    ffmpeg: [...music(0.8, "volume='min(1,0.002+t*t/60)':eval=frame"), ...forSeconds(14), '-c:a', 'libvorbis'],
  },
  'podcast.m4a': {
    ffmpeg: [...speech('rms', 'loudnorm=I=-16:TP=-1.5:LRA=7'), ...forSeconds(16), ...aac, ...stereo, '-ar', '44100'],
  },
  'podcast-mono.mp3': { ffmpeg: [...speech('slt'), ...forSeconds(16), '-ac', '1', '-b:a', '64k'] },
  'audiobook.mp3': {
    ffmpeg: [...speech('awb', "volume='lt(mod(t,10),6.5)':eval=frame"), ...forSeconds(20), '-ac', '1', '-b:a', '64k'],
  },
  'telephone.wav': { ffmpeg: [...speech('kal', 'highpass=f=300,lowpass=f=3400'), ...forSeconds(8), '-ar', '8000'] },
  'waves.flac': {
    ffmpeg: [
      ...lavfi('anoisesrc=c=brown:a=0.2:r=48000:seed=6'),
      ...lavfi('anoisesrc=c=brown:a=0.2:r=48000:seed=7'),
      ...['-filter_complex', "amerge,volume='0.5+0.4*sin(t)':eval=frame", ...forSeconds(10), '-sample_fmt', 's16'],
    ],
  },
};

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

const images: Recipes = {
  'photo-with-credit.jpg': {
    ffmpeg: photoInput('coffee.png'),
    exiftool: [
      ...['-Artist=Ann Example', '-Copyright=2026 Ann Example', '-XMP-dc:Creator=Ann Example'],
      ...['-IPTC:By-line=Ann Example', '-IPTC:Credit=Example Pictures', '-XMP-dc:Rights=All rights reserved'],
    ],
  },
  'photo-of-a-city.jpg': {
    ffmpeg: photoInput('rocket.jpg'),
    exiftool: ['-GPSLatitude=48.9', '-GPSLatitudeRef=N', '-GPSLongitude=2.3', '-GPSLongitudeRef=E'],
  },
  'photo-plain.webp': { ffmpeg: [...photoInput('astronaut.png'), '-c:v', 'libwebp'] },
  'photo-with-camera.jpg': {
    ffmpeg: photoInput('retina.jpg', 'scale=700:-2'),
    exiftool: ['-Make=Example', '-Model=Example 10', '-ExposureTime=1/60', '-DateTimeOriginal=2026:03:01 10:00:00'],
  },
  'scan.tif': { ffmpeg: [...photoInput('coffee.png', 'format=gray'), '-compression_algo', 'lzw'] },
  'photo-grey.png': { ffmpeg: photoInput('rocket.jpg', 'format=gray') },
  'animation.gif': { ffmpeg: [...repeatedRecording('bikes.mp4'), '-vf', 'fps=8,scale=240:-2', ...forSeconds(3)] },
};

const subtitleCue = (index: number, from: string, to: string, text: string) =>
  `${index}\n${from} --> ${to}\n${text}\n\n`;
const pageContent = 'BT /F1 12 Tf 72 720 Td (The workshop measured every part twice last year.) Tj ET';

const documents: Recipes = {
  'report.pdf': {
    bytes: () =>
      pdfWithInfo('/Title (Report of the year) /Producer (LibreOffice 7.4) /Creator (Writer)', { page: pageContent }),
  },
  'minutes.pdf': {
    bytes: () =>
      pdfWithInfo('/Title (Minutes of the meeting)', {
        page: pageContent,
        objects: ['<< /Type /Annot /Subtype /Link /A << /S /URI /URI (https://example.com/) >> >>'],
      }),
  },
  'letter.docx': {
    bytes: () =>
      makeOfficeFile('docx', [
        officeProperties('core', '<dc:title>Letter</dc:title><dc:creator>python-docx</dc:creator>'),
      ]),
  },
  'costs.xlsx': { bytes: () => makeOfficeFile('xlsx', [officeProperties('app', '<Application>Calc</Application>')]) },
  'talk.pptx': { bytes: () => makeOfficeFile('pptx', [officeProperties('core', '<dc:title>Our year</dc:title>')]) },
  'notes.txt': { bytes: () => 'Shopping for the workshop:\n- two files\n- oil\n- “soft” gloves, size 9\n' },
  'captions.srt': {
    bytes: () =>
      subtitleCue(1, '00:00:01,000', '00:00:03,500', 'Thank you for having me.') +
      subtitleCue(
        2,
        '00:00:04,000',
        '00:00:08,000',
        'We began in a small workshop\nwith two people and one old lathe.',
      ) +
      subtitleCue(3, '00:00:08,500', '00:00:12,000', 'Every part was measured by hand.'),
  },
  'captions.vtt': {
    bytes: () =>
      'WEBVTT - Interview\n\nNOTE checked by an editor\n\n' +
      '1\n00:01.000 --> 00:03.500 line:90%\n<v Ann>Thank you for having me.\n\n' +
      '2\n00:04.000 --> 00:08.000\nWe began in a small workshop\nwith two people and one <i>old</i> lathe.\n',
  },
  'captions-for-a-film.srt': {
    bytes: () =>
      `\ufeff${subtitleCue(1, '00:00:10,120', '00:00:12,900', '♪ quiet music ♪')}${subtitleCue(2, '00:00:20,000', '00:00:23,240', '<i>In the year of the flood,</i>\nnobody measured anything.')}${subtitleCue(3, '00:01:05,000', '00:01:07,400', '- Who is there?\n- Only me.')}`.replaceAll(
        '\n',
        '\r\n',
      ),
  },
};

/** Everything else that people submit, without a fault. */
export const cleanOthers: Recipes = { ...audio, ...images, ...documents };
