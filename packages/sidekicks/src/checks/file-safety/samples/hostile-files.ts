import { makeArchive } from '@assay/testing/media/make-office.ts';
import { makePdf } from '@assay/testing/media/make-pdf.ts';
import { patchBytes } from '#evidence/file/samples/make-image.ts';
import type { HostileFile } from './hostile-file.ts';
import { hostileImages } from './hostile-images.ts';
import { hostilePackages } from './hostile-packages.ts';
import { hostilePdfs } from './hostile-pdfs.ts';

const appendedArchive = makeArchive([{ name: 'payload.sh', data: 'echo' }]);
const windowsProgram = Buffer.concat([
  Buffer.from('MZ\x90\0', 'latin1'),
  Buffer.alloc(60),
  Buffer.from('PE\0\0'),
  Buffer.alloc(400, 7),
]);
const eicarTestString = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EI', 'CAR-STANDARD-ANTIVIRUS-TEST', '-FILE!$H+H*'].join('');

/** At least one file for every rule, and for most rules one file for each known variant of the attack. */
export function hostileFiles(sample: (name: string) => Uint8Array): HostileFile[] {
  const after = (name: string, ...more: (string | Uint8Array)[]) =>
    Buffer.concat([sample(name), ...more.map((one) => Buffer.from(one as string))]);
  const longText = Buffer.from('A line of text.\n'.repeat(200_000));
  return [...hostileKinds(after, sample, longText), ...hostilePdfs(), ...hostilePackages(), ...hostileImages(sample)];
}

function hostileKinds(
  after: (name: string, ...more: (string | Uint8Array)[]) => Buffer,
  sample: (name: string) => Uint8Array,
  longText: Buffer,
): HostileFile[] {
  return [
    ['the test string', 'a.txt', Buffer.from(eicarTestString), ['SAFE-TEST-SIGNATURE']],
    ['the test string with a line end', 'a.txt', Buffer.from(`${eicarTestString}\r\n`), ['SAFE-TEST-SIGNATURE']],
    [
      'the test string after a byte order mark',
      'a.srt',
      Buffer.from(`\ufeff${eicarTestString}`),
      ['SAFE-TEST-SIGNATURE'],
    ],
    [
      'the test string as a video',
      'a.mp4',
      Buffer.from(eicarTestString),
      ['SAFE-TEST-SIGNATURE', 'SAFE-TYPE-MISMATCH'],
    ],
    ['a Windows program as a video', 'a.mp4', windowsProgram, ['SAFE-EXECUTABLE']],
    [
      'a Linux program as text',
      'a.txt',
      Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01'), Buffer.alloc(200)]),
      ['SAFE-EXECUTABLE'],
    ],
    ['a Windows program as a PDF', 'a.pdf', windowsProgram, ['SAFE-EXECUTABLE']],
    ['a PNG as a JPEG', 'a.jpg', sample('still.png'), ['SAFE-TYPE-MISMATCH']],
    ['a zip as a video', 'a.mp4', appendedArchive, ['SAFE-TYPE-MISMATCH']],
    ['a video as audio', 'a.mp3', sample('clip.mkv'), ['SAFE-TYPE-MISMATCH']],
    ['a PDF as text', 'a.txt', makePdf(), ['SAFE-TYPE-MISMATCH']],
    ['text as an image', 'a.png', Buffer.from('hello'), ['SAFE-TYPE-MISMATCH']],
    [
      'binary content between the sampled parts',
      'a.txt',
      patchBytes(longText, 70_000, [0, 1, 2, 0]),
      ['SAFE-TEXT-BINARY'],
    ],
    [
      'damaged characters between the sampled parts',
      'a.srt',
      patchBytes(longText, 70_000, [...Buffer.from('éé'), 0xc3, 0x28]),
      ['SAFE-TEXT-BINARY'],
    ],
    ['a zip after a PNG', 'a.png', after('still.png', appendedArchive), ['SAFE-POLYGLOT']],
    ['a zip after a JPEG', 'a.jpg', after('still.jpg', appendedArchive), ['SAFE-POLYGLOT']],
    ['a zip after a GIF', 'a.gif', after('still.gif', appendedArchive), ['SAFE-POLYGLOT']],
    ['a zip after audio', 'a.mp3', after('tone.mp3', appendedArchive), ['SAFE-POLYGLOT']],
    ['a zip after a video', 'a.mp4', after('clip.mp4', appendedArchive), ['SAFE-POLYGLOT']],
    ['a zip after a PDF', 'a.pdf', Buffer.concat([makePdf(), appendedArchive]), ['SAFE-POLYGLOT']],
    [
      'the start of a zip without its directory',
      'a.png',
      after('still.png', appendedArchive.subarray(0, 60)),
      ['SAFE-POLYGLOT'],
    ],
    ['a RAR after a JPEG', 'a.jpg', after('still.jpg', Buffer.from('Rar!\x1a\x07\x01\0', 'latin1')), ['SAFE-POLYGLOT']],
    ['a program after a PNG', 'a.png', after('still.png', windowsProgram), ['SAFE-POLYGLOT']],
    ['a program after a padded GIF', 'a.gif', after('still.gif', Buffer.alloc(512), windowsProgram), ['SAFE-POLYGLOT']],
    ['a PDF after a WebP', 'a.webp', after('still.webp', makePdf()), ['SAFE-POLYGLOT']],
    ['a web page after a JPEG', 'a.jpg', after('still.jpg', '<html><script>1</script>'), ['SAFE-POLYGLOT']],
    [
      'a script 999 bytes after a PNG',
      'a.png',
      after('still.png', Buffer.alloc(999, 9), '<script >1</script>'),
      ['SAFE-POLYGLOT'],
    ],
    ['a shell script after a GIF', 'a.gif', after('still.gif', '\n#!/bin/sh\nid'), ['SAFE-POLYGLOT']],
    [
      'PHP in a JPEG comment',
      'a.jpg',
      withComment(sample('still.jpg'), '<?php system($_GET[0]); ?>'),
      ['SAFE-POLYGLOT'],
    ],
    [
      'a PDF in a JPEG comment',
      'a.jpg',
      withComment(sample('still.jpg'), makePdf().toString('latin1')),
      ['SAFE-POLYGLOT'],
    ],
    [
      'a PDF after a line of text',
      'a.txt',
      Buffer.from('note\n%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF'),
      ['SAFE-POLYGLOT'],
    ],
    ['a shell script as text', 'a.txt', Buffer.from('#!/bin/sh\nrm -rf /\n'), ['SAFE-POLYGLOT']],
    ['a web page as a subtitle', 'a.srt', Buffer.from('<!DOCTYPE html><script>1</script>'), ['SAFE-POLYGLOT']],
    [
      '70 kB of unknown data after a PNG',
      'a.png',
      after('still.png', Buffer.alloc(70_000, 0xa5)),
      ['SAFE-APPENDED-DATA'],
    ],
    [
      '70 kB of unknown data after a JPEG',
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
