import type { HostileFile } from './hostile-file.ts';
import { hostileImages } from './hostile-images.ts';
import { hostilePackages } from './hostile-packages.ts';
import { hostilePdfs } from './hostile-pdfs.ts';
import { patch } from './make-image.ts';
import { makeArchive } from './make-office.ts';
import { makePdf } from './make-pdf.ts';

const archive = makeArchive([{ name: 'payload.sh', data: 'echo' }]);
const program = Buffer.concat([
  Buffer.from('MZ\x90\0', 'latin1'),
  Buffer.alloc(60),
  Buffer.from('PE\0\0'),
  Buffer.alloc(400, 7),
]);
const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EI', 'CAR-STANDARD-ANTIVIRUS-TEST', '-FILE!$H+H*'].join('');

/** At least one for every rule, most of them in the disguises that are known for it. */
export function hostileFiles(sample: (name: string) => Uint8Array): HostileFile[] {
  const after = (name: string, ...more: (string | Uint8Array)[]) =>
    Buffer.concat([sample(name), ...more.map((one) => Buffer.from(one as string))]);
  const longText = Buffer.from('A line of text.\n'.repeat(200_000));
  return [...kinds(after, sample, longText), ...hostilePdfs(), ...hostilePackages(), ...hostileImages(sample)];
}

function kinds(
  after: (name: string, ...more: (string | Uint8Array)[]) => Buffer,
  sample: (name: string) => Uint8Array,
  longText: Buffer,
): HostileFile[] {
  return [
    ['the test string', 'a.txt', Buffer.from(eicar), ['SAFE-TEST-SIGNATURE']],
    ['the test string with a line end', 'a.txt', Buffer.from(`${eicar}\r\n`), ['SAFE-TEST-SIGNATURE']],
    ['the test string behind a mark', 'a.srt', Buffer.from(`\ufeff${eicar}`), ['SAFE-TEST-SIGNATURE']],
    ['the test string as a film', 'a.mp4', Buffer.from(eicar), ['SAFE-TEST-SIGNATURE', 'SAFE-TYPE-MISMATCH']],
    ['a Windows program as a film', 'a.mp4', program, ['SAFE-EXECUTABLE']],
    [
      'a Linux program as a text',
      'a.txt',
      Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01'), Buffer.alloc(200)]),
      ['SAFE-EXECUTABLE'],
    ],
    ['a Windows program as a PDF', 'a.pdf', program, ['SAFE-EXECUTABLE']],
    ['a PNG as a JPEG', 'a.jpg', sample('still.png'), ['SAFE-TYPE-MISMATCH']],
    ['a zip as a film', 'a.mp4', archive, ['SAFE-TYPE-MISMATCH']],
    ['a film as sound', 'a.mp3', sample('clip.mkv'), ['SAFE-TYPE-MISMATCH']],
    ['a PDF as a text', 'a.txt', makePdf(), ['SAFE-TYPE-MISMATCH']],
    ['a text as a picture', 'a.png', Buffer.from('hello'), ['SAFE-TYPE-MISMATCH']],
    ['binary between the samples', 'a.txt', patch(longText, 70_000, [0, 1, 2, 0]), ['SAFE-TEXT-BINARY']],
    ['broken characters between the samples', 'a.srt', patch(longText, 70_000, [0xc3, 0x28]), ['SAFE-TEXT-BINARY']],
    ['a zip behind a PNG', 'a.png', after('still.png', archive), ['SAFE-POLYGLOT']],
    ['a zip behind a JPEG', 'a.jpg', after('still.jpg', archive), ['SAFE-POLYGLOT']],
    ['a zip behind a GIF', 'a.gif', after('still.gif', archive), ['SAFE-POLYGLOT']],
    ['a zip behind sound', 'a.mp3', after('tone.mp3', archive), ['SAFE-POLYGLOT']],
    ['a zip behind a film', 'a.mp4', after('clip.mp4', archive), ['SAFE-POLYGLOT']],
    ['a zip behind a PDF', 'a.pdf', Buffer.concat([makePdf(), archive]), ['SAFE-POLYGLOT']],
    ['the head of a zip without its end', 'a.png', after('still.png', archive.subarray(0, 60)), ['SAFE-POLYGLOT']],
    [
      'a RAR behind a JPEG',
      'a.jpg',
      after('still.jpg', Buffer.from('Rar!\x1a\x07\x01\0', 'latin1')),
      ['SAFE-POLYGLOT'],
    ],
    ['a program behind a PNG', 'a.png', after('still.png', program), ['SAFE-POLYGLOT']],
    ['a program behind a padded GIF', 'a.gif', after('still.gif', Buffer.alloc(512), program), ['SAFE-POLYGLOT']],
    ['a PDF behind a WebP', 'a.webp', after('still.webp', makePdf()), ['SAFE-POLYGLOT']],
    ['a web page behind a JPEG', 'a.jpg', after('still.jpg', '<html><script>1</script>'), ['SAFE-POLYGLOT']],
    [
      'a script deep behind a PNG',
      'a.png',
      after('still.png', Buffer.alloc(999, 9), '<script >1</script>'),
      ['SAFE-POLYGLOT'],
    ],
    ['a shell script behind a GIF', 'a.gif', after('still.gif', '\n#!/bin/sh\nid'), ['SAFE-POLYGLOT']],
    [
      'PHP in a comment of a JPEG',
      'a.jpg',
      withComment(sample('still.jpg'), '<?php system($_GET[0]); ?>'),
      ['SAFE-POLYGLOT'],
    ],
    [
      'a PDF in a comment of a JPEG',
      'a.jpg',
      withComment(sample('still.jpg'), makePdf().toString('latin1')),
      ['SAFE-POLYGLOT'],
    ],
    [
      'a PDF behind a line of text',
      'a.txt',
      Buffer.from('note\n%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF'),
      ['SAFE-POLYGLOT'],
    ],
    ['a shell script as a text', 'a.txt', Buffer.from('#!/bin/sh\nrm -rf /\n'), ['SAFE-POLYGLOT']],
    ['a web page as a subtitle', 'a.srt', Buffer.from('<!DOCTYPE html><script>1</script>'), ['SAFE-POLYGLOT']],
    ['much unknown data behind a PNG', 'a.png', after('still.png', Buffer.alloc(70_000, 0xa5)), ['SAFE-APPENDED-DATA']],
    [
      'much unknown data behind a JPEG',
      'a.jpg',
      after('still.jpg', Buffer.alloc(70_000, 0x5a)),
      ['SAFE-APPENDED-DATA'],
    ],
  ];
}

function withComment(jpeg: Uint8Array, text: string): Buffer {
  const comment = Buffer.from(text, 'latin1');
  const head = Buffer.from([0xff, 0xfe, (comment.length + 2) >> 8, (comment.length + 2) & 0xff]);
  return Buffer.concat([jpeg.subarray(0, 2), head, comment, jpeg.subarray(2)]);
}
