import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readPdfContent } from './pdf-content.ts';

const MiB = 1024 * 1024;

function readContent(bytes: Buffer) {
  const read = async (target: Uint8Array, offset: number) => bytes.copy(target, 0, offset);
  const signal = new AbortController().signal;
  return readPdfContent({ bytes: { sizeBytes: bytes.length, read }, fd: -1, signal, jail: 'none' });
}

/** Object streams with two filters: the first inflates to 15 MiB, which the second inflates to nothing. */
function pdfWithEmptyStreams(count: number): Buffer {
  const emptyBlocks = Buffer.alloc(15 * MiB, Buffer.from([0, 0, 0, 0xff, 0xff]));
  const packed = deflateSync(Buffer.concat([Buffer.from([0x78, 0x9c]), emptyBlocks]));
  const object = (number: number) =>
    Buffer.concat([
      Buffer.from(
        `${number} 0 obj\n<</Type/ObjStm/N 1/First 4/Filter[/FlateDecode/FlateDecode]/Length ${packed.length}>>\n`,
      ),
      Buffer.from('stream\n'),
      packed,
      Buffer.from('\nendstream\nendobj\n'),
    ]);
  return Buffer.concat([Buffer.from('%PDF-1.7\n'), ...Array.from({ length: count }, (_, i) => object(i + 1))]);
}

test('readPdfContent counts the output of every filter towards the limit on inflated bytes', async () => {
  expect(await readContent(pdfWithEmptyStreams(4))).toMatchObject({ hit: [], bombs: 0 });
  expect(await readContent(pdfWithEmptyStreams(40))).toMatchObject({ hit: ['pdfInflatedBytes'] });
});
