import { makeOfficeFile, type Part } from '@assay/testing/media/make-office.ts';
import { makePdf } from '@assay/testing/media/make-pdf.ts';
import { officeProperties, pdfWithInfo } from './leaky-documents.ts';
import { fileOfBytes, position, type Recipe, taggedByExiftool, taggedByFfmpeg } from './recipe.ts';

/** Output of ordinary tools that a careless rule would take for a leak. */
export function cleanFiles(names: readonly string[]): Recipe[] {
  return [
    ...names.map((name) => taggedByExiftool(name, 'made by ffmpeg', [])),
    ...images(),
    ...thumbnails(),
    ...media(),
    ...documents(),
  ];
}

function images(): Recipe[] {
  const jpeg = (label: string, ...exiftool: string[]) => taggedByExiftool('still.jpg', label, exiftool);
  return [
    jpeg('rotated', '-IFD0:Orientation#=6'),
    jpeg(
      'the camera and its settings',
      '-IFD0:Make=Canon',
      '-IFD0:Model=Canon EOS R5',
      '-ExifIFD:FNumber=2.8',
      '-ExifIFD:LensModel=RF50mm F1.2 L USM',
      '-ExifIFD:DateTimeOriginal=2024:05:01 10:00:00',
    ),
    jpeg('copyright of a company', '-IFD0:Copyright=(c) 2024 Acme Ltd', '-XMP-dc:Rights=(c) 2024 Acme Ltd'),
    jpeg(
      'title, description and keywords',
      '-XMP-dc:Title=Spring',
      '-IPTC:Keywords=flower',
      '-IFD0:ImageDescription=A tree',
    ),
    jpeg('software', '-IFD0:Software=Adobe Photoshop 25.0 (Windows)', '-XMP-xmp:CreatorTool=Adobe Photoshop 25.0'),
    jpeg('colours', '-ExifIFD:ColorSpace=sRGB', '-XMP-photoshop:ICCProfileName=sRGB IEC61966-2.1'),
    jpeg('a receiver without a GPS fix', ...position('0', 'N', '0', 'E')),
    jpeg('GPS tags without a position', '-GPS:GPSMapDatum=WGS-84'),
    jpeg('all-zero serial number', '-ExifIFD:SerialNumber=0000000000'),
    jpeg('blank owner', '-ExifIFD:OwnerName= ', '-IFD0:Artist=unknown'),
    jpeg('country and state', '-IPTC:Country-PrimaryLocationName=France', '-IPTC:Province-State=Bretagne'),
    jpeg('owner of the rights', '-XMP-xmpRights:Owner=Acme Ltd', '-XMP-xmpRights:UsageTerms=CC BY 4.0'),
    jpeg('credit of an agency', '-IPTC:Credit=Acme Images', '-IPTC:Source=Acme Images'),
    jpeg('a named pet', '-RegionInfo={RegionList=[{Name=Rex,Type=Pet}]}'),
    jpeg('the model as the computer name', '-IFD0:HostComputer=iPhone 13 Pro', '-IFD0:Model=iPhone 13 Pro'),
    jpeg('a URL that looks like a path', '-XMP-dc:Source=https://example.com/home/ann/a.jpg'),
    jpeg('a path that every machine has', '-IFD0:Software=C:\\Program Files\\Acme\\paint.exe'),
    jpeg('a slash in text', '-IFD0:ImageDescription=The /home/ button, and/or c: drive, ratio 1:2'),
    taggedByExiftool('still.png', 'text chunks', ['-PNG:Title=Logo', '-PNG:Software=GIMP']),
    taggedByExiftool('still.webp', 'title', ['-XMP-dc:Title=Logo']),
    taggedByExiftool('still.tiff', 'camera', ['-IFD0:Make=Canon']),
  ];
}

function thumbnails(): Recipe[] {
  const of = (label: string, exiftool: string, from = 'scene.jpg') => taggedByExiftool(from, label, [exiftool]);
  return [
    of('thumbnail of the same image', '-ThumbnailImage<=FOLDER/thumbnail.jpg'),
    of('thumbnail of the same image, brighter', '-ThumbnailImage<=FOLDER/thumbnail-brighter.jpg'),
    of('thumbnail of the same image, sharper', '-ThumbnailImage<=FOLDER/thumbnail-sharper.jpg'),
    of('thumbnail of the same image, with bars', '-ThumbnailImage<=FOLDER/thumbnail-in-bars.jpg'),
    of('thumbnail of the same image, rotated', '-ThumbnailImage<=FOLDER/thumbnail-turned.jpg'),
    of('thumbnail of the middle of the image', '-ThumbnailImage<=FOLDER/thumbnail-square.jpg'),
    of('Photoshop thumbnail of the same image', '-PhotoshopThumbnail<=FOLDER/preview.jpg'),
    of('thumbnail of the same image', '-ThumbnailImage<=FOLDER/thumbnail.jpg', 'scene.png'),
    of('thumbnail of the same image', '-ThumbnailImage<=FOLDER/thumbnail.jpg', 'scene.webp'),
    of('thumbnail of a plain image', '-ThumbnailImage<=FOLDER/thumbnail-flat.jpg', 'flat.jpg'),
  ];
}

function media(): Recipe[] {
  const song = { title: 'Spring', artist: 'The Examples', album: 'Seasons', composer: 'A. Vivaldi', date: '2024' };
  return [
    taggedByFfmpeg('tone.mp3', 'a song', song),
    taggedByFfmpeg('tone.m4a', 'a song', song),
    taggedByFfmpeg('tone.flac', 'a song', song),
    taggedByFfmpeg('tone.ogg', 'a song', song),
    taggedByFfmpeg('tone.wav', 'a song', song),
    taggedByFfmpeg('clip.mp4', 'title, artist and date', { ...song, creation_time: '2024-05-01T10:00:00Z' }),
    taggedByFfmpeg('clip.mov', 'title', { title: 'Spring', copyright: '(c) 2024 Acme Ltd' }),
    taggedByFfmpeg('clip.mkv', 'title and language', { title: 'Spring', LANGUAGE: 'en' }),
    taggedByFfmpeg('clip.webm', 'title', { title: 'Spring' }),
    taggedByFfmpeg('clip.avi', 'title', { title: 'Spring' }),
    {
      label: 'subtitles that mention a position and a path',
      filename: 'clip.mov',
      from: 'clip.mov',
      ffmpeg: ['-i', 'FOLDER/subtitles.srt', '-map', '0', '-map', '1', '-c', 'copy', '-c:s', 'mov_text'],
      expected: [],
    },
  ];
}

function documents(): Recipe[] {
  const office = (kind: 'docx' | 'xlsx' | 'pptx', label: string, ...parts: Part[]) =>
    fileOfBytes(`a.${kind}`, label, makeOfficeFile(kind, parts));
  const pdf = (label: string, from: Uint8Array) => fileOfBytes('a.pdf', label, from);
  const text = (filename: string, content: string) => fileOfBytes(filename, 'text', Buffer.from(content));
  const program = officeProperties(
    'app',
    '<Application>Microsoft Office Word</Application><Template>Normal.dotm</Template>',
  );
  return [
    office('docx', 'title', officeProperties('core', '<dc:title>Report</dc:title>'), program),
    office(
      'docx',
      'author set to the default of a program',
      officeProperties('core', '<dc:creator>python-docx</dc:creator>'),
    ),
    office('docx', 'empty author', officeProperties('core', '<dc:creator></dc:creator><cp:lastModifiedBy/>')),
    office('xlsx', 'title', officeProperties('core', '<dc:title>Report</dc:title>')),
    office('xlsx', 'no properties'),
    office('pptx', 'title', officeProperties('core', '<dc:title>Report</dc:title>')),
    pdf('one page', makePdf()),
    pdf('title and software', pdfWithInfo('/Title (Report) /Producer (Acme PDF 3) /Creator (Acme Writer)')),
    pdf('dates', pdfWithInfo('/CreationDate (D:20240501100000Z) /ModDate (D:20240501100000Z)')),
    text('a.txt', 'Ann lives at /home/ann/ near +48.858222+002.294511/.\n'),
    text('a.srt', '1\n00:00:01,000 --> 00:00:02,000\nHello\n'),
    text('a.vtt', 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n'),
  ];
}
