import { makeOfficeFile, relationships, withZip64End } from '@assay/testing/media/make-office.ts';
import { makePdf, objectStream, streamObject } from '@assay/testing/media/make-pdf.ts';
import { makeBigTiff, makePng, makeTiff } from '#evidence/file/samples/make-image.ts';

export type CleanFile = [label: string, filename: string, bytes: Uint8Array];

/** Output of ordinary tools that a careless rule would take for an attack. */
export function cleanFiles(names: readonly string[], sample: (name: string) => Uint8Array): CleanFile[] {
  return [
    ...names.map((name): CleanFile => ['made by ffmpeg', name, sample(name)]),
    ...images(sample),
    ...pdfs(),
    ...packages(),
    ...texts(),
  ];
}

function images(sample: (name: string) => Uint8Array): CleanFile[] {
  const after = (name: string, ...more: (string | Uint8Array)[]) =>
    Buffer.concat([sample(name), ...more.map((one) => Buffer.from(one as string))]);
  const jpeg = sample('still.jpg');
  return [
    ['a line end after the image', 'a.png', after('still.png', '\n')],
    ['padding with zeros', 'a.png', after('still.png', Buffer.alloc(100_000))],
    ['padding with ones', 'a.jpg', after('still.jpg', Buffer.alloc(4096, 0xff))],
    ['padding with zeros', 'a.jpg', after('still.jpg', Buffer.alloc(200_000))],
    ['a second image', 'a.jpg', after('still.jpg', jpeg)],
    [
      'a second image after padding, and more padding',
      'a.jpg',
      after('still.jpg', Buffer.alloc(64), jpeg, Buffer.alloc(9)),
    ],
    ['a motion photo', 'a.jpg', after('still.jpg', sample('clip.mp4'))],
    ['a camera trailer', 'a.jpg', after('still.jpg', Buffer.alloc(80_000, 3), 'SEFHxxxxSEFT')],
    ['a few unknown bytes', 'a.jpg', after('still.jpg', 'camera model 7')],
    ['a line end after the image', 'a.gif', after('still.gif', '\r\n')],
    ['a zero after the image', 'a.webp', after('still.webp', Buffer.alloc(1))],
    ['the size of the largest cameras', 'a.png', makePng(16_320, 12_240)],
    ['a long animation', 'a.png', makePng(800, 600, 900)],
    ['a panorama', 'a.tiff', makeTiff(60_000, 4_000)],
    ['BigTIFF', 'a.tiff', makeBigTiff(6_000, 4_000)],
    ['big-endian', 'a.tif', makeTiff(6_000, 4_000, false)],
    ['a directory that points to itself', 'a.tiff', makeTiff(6_000, 4_000, true, true)],
    ['a long video', 'a.ts', Buffer.concat(Array.from({ length: 8 }, () => sample('clip.ts')))],
    ['an ID3v1 tag', 'a.mp3', after('tone.mp3', 'TAG', Buffer.alloc(125))],
  ];
}

function pdfs(): CleanFile[] {
  const pdf = (label: string, bytes: Buffer): CleanFile => [label, 'a.pdf', bytes];
  return [
    pdf('one page', makePdf()),
    pdf('opens at a page by destination', makePdf({ catalog: '/OpenAction [3 0 R /Fit]' })),
    pdf(
      'opens at a page by action',
      makePdf({ catalog: '/OpenAction 4 0 R', objects: ['<< /S /GoTo /D [3 0 R /Fit] >>'] }),
    ),
    pdf(
      'a link',
      makePdf({ objects: ['<< /Type /Annot /Subtype /Link /A << /S /URI /URI (https://example.com) >> >>'] }),
    ),
    pdf(
      'a title about scripts',
      makePdf({ objects: ['<< /Title (What /S /JavaScript /JS \\(x\\) and /Launch do) >>'] }),
    ),
    pdf('a comment about scripts', makePdf({ objects: ['<< >> % << /S /JavaScript /JS (x) >>'] })),
    pdf('a page about scripts', makePdf({ page: 'BT (<< /S /JavaScript /JS (x) >>) Tj ET' })),
    pdf(
      'an uncompressed page about scripts',
      makePdf({ objects: [streamObject('', Buffer.from('BT (<< /S /JavaScript /JS (x) >>) Tj ET'))] }),
    ),
    pdf('a font called JS', makePdf({ objects: ['<< /Font << /JS 9 0 R /AA 9 0 R /EF 9 0 R >> >>'] })),
    pdf('a style called Launch', makePdf({ objects: ['<< /Type /StructElem /S /Launch /P 9 0 R >>'] })),
    pdf('a style called JavaScript', makePdf({ objects: ['<< /Type /StructElem /S /JavaScript /K 0 >>'] })),
    pdf(
      'packed objects',
      makePdf({ packed: ['<< /Type /Font /BaseFont /Helvetica >>', '(text with ( brackets ))', '/Name', '[1 2 3]'] }),
    ),
    pdf('an object stream', makePdf({ objects: [objectStream(['<< /A 1 >>'])] })),
    pdf('an uncompressed object stream', makePdf({ objects: [objectStream(['<< /A 1 >>'], '', (plain) => plain)] })),
    pdf(
      'pixels that look like names',
      makePdf({
        objects: [streamObject('/Subtype /Image', Buffer.from('/JS (x) /S /JavaScript /AA /Launch '.repeat(99)))],
      }),
    ),
    pdf('a form without actions', makePdf({ catalog: '/AcroForm << /Fields [] >>' })),
    pdf('a number before the word obj in a string', makePdf({ objects: ['<< /Title (7 obj) /S /D >>'] })),
    pdf('hex strings', makePdf({ trailer: '/ID [<2F4A53> <2F4A617661536372697074>]' })),
    pdf('larger than a read window', makePdf({ objects: [streamObject('', Buffer.alloc(700_000, 0x41))] })),
    pdf(
      'an incremental update',
      Buffer.concat([
        makePdf(),
        Buffer.from('9 0 obj\n<< /A 1 >>\nendobj\ntrailer << /Root 1 0 R /Prev 9 >>\n%%EOF\n'),
      ]),
    ),
  ];
}

function packages(): CleanFile[] {
  const related = (kind: string, target: string): CleanFile => [
    `${kind} to ${target}`,
    'a.docx',
    makeOfficeFile('docx', [{ name: 'word/_rels/document.xml.rels', data: relationships([[kind, target, true]]) }]),
  ];
  const rows = Buffer.from('<row r="1"><c r="A1"><v>1</v></c></row>'.repeat(100_000));
  return [
    ['laid out as by Office', 'a.docx', makeOfficeFile('docx')],
    ['laid out as by Office', 'a.xlsx', makeOfficeFile('xlsx')],
    ['laid out as by Office', 'a.pptx', makeOfficeFile('pptx')],
    ['a ZIP64 archive', 'a.docx', withZip64End(makeOfficeFile('docx'))],
    related('hyperlink', 'https://example.com/'),
    related('hyperlink', 'mailto:a@example.com'),
    related('image', 'https://example.com/logo.png'),
    related('attachedTemplate', 'file:///C:\\Users\\a\\Templates\\House.dotx'),
    related('attachedTemplate', 'C:/Templates/House.dotx'),
    related('externalLinkPath', 'Budget.xlsx'),
    [
      'an online video',
      'a.pptx',
      makeOfficeFile('pptx', [
        { name: 'ppt/slides/_rels/slide1.xml.rels', data: relationships([['video', 'https://example.com/v', true]]) },
      ]),
    ],
    [
      'the data of a chart',
      'a.pptx',
      makeOfficeFile('pptx', [
        { name: 'ppt/embeddings/Microsoft_Excel_Sheet1.xlsx', data: makeOfficeFile('xlsx'), isStored: true },
      ]),
    ],
    ['a sheet of identical rows', 'a.xlsx', makeOfficeFile('xlsx', [{ name: 'xl/worksheets/sheet1.xml', data: rows }])],
    ['parts with backslashes', 'a.docx', makeOfficeFile('docx', [{ name: 'word\\styles.xml', data: '<x/>' }])],
    ['a name with dots', 'a.docx', makeOfficeFile('docx', [{ name: 'word/media/image..1.png', data: 'x' }])],
    ['an empty part', 'a.docx', makeOfficeFile('docx', [{ name: 'word/empty.xml', data: '', isStored: true }])],
    [
      'printer settings',
      'a.xlsx',
      makeOfficeFile('xlsx', [{ name: 'xl/printerSettings/printerSettings1.bin', data: 'x' }]),
    ],
  ];
}

function texts(): CleanFile[] {
  const utf16 = (text: string, isBig = false) => {
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
    return isBig ? bytes.swap16() : bytes;
  };
  const long = 'Grüße aus dem Süden, 東京 und 🎬.\n'.repeat(60_000);
  return [
    ['plain', 'a.txt', Buffer.from('Hello.\n')],
    ['with a byte order mark', 'a.txt', Buffer.from('\ufeffHello.\n')],
    ['longer than the sampled parts', 'a.txt', Buffer.from(long)],
    ['UTF-16, little-endian', 'a.txt', utf16('Grüße 🎬\n')],
    ['UTF-16, big-endian', 'a.txt', utf16('Grüße 🎬\n', true)],
    ['long UTF-16, little-endian', 'a.srt', utf16(`x${long}`)],
    ['long UTF-16, big-endian', 'a.srt', utf16(long, true)],
    ['Windows-1252', 'a.txt', Buffer.from('Gr\xfc\xdfe aus K\xf6ln\n', 'latin1')],
    ['long Windows-1252', 'a.srt', Buffer.from('Gr\xfc\xdfe aus K\xf6ln\n'.repeat(200_000), 'latin1')],
    ['subtitles', 'a.srt', Buffer.from('1\n00:00:01,000 --> 00:00:02,000\n<i>Hello</i>\n')],
    ['captions', 'a.vtt', Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Hello\n')],
    ['about PDF', 'a.txt', Buffer.from('A file begins with %PDF-1.7 and ends with %%EOF.\n')],
    [
      'about the test string',
      'a.txt',
      Buffer.from(`Scanners know ${['X5O!P%@AP', '[4\\PZX54(P^)7CC)7}$'].join('')} by heart.\n`),
    ],
    ['about web pages', 'a.txt', Buffer.from('Write <html> and <script>alert(1)</script>.\n')],
    ['starts like a bitmap', 'a.txt', Buffer.from('BMW opens a plant.\n')],
    ['starts like a GIF', 'a.txt', Buffer.from('GIFs are loved.\n')],
    ['starts like a transport stream', 'a.txt', Buffer.from(`G${'x'.repeat(187)}G${'x'.repeat(187)}G\n`)],
    ['about archives', 'a.txt', Buffer.from('A zip ends with PK and two bytes.\n')],
  ];
}
