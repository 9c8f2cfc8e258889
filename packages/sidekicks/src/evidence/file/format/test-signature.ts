import type { Source } from '@assay/jail/source/source.ts';
import { readBytes } from '../bytes/read-bytes.ts';

// Split, so that no scanner reports this source file.
const eicarTestString = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS', '-TEST-FILE!$H+H*'].join('');
const fileBytesMax = 128;
const byteOrderMark = '\u00ef\u00bb\u00bf';

/**
 * Whether the file starts with the EICAR test string, which every scanner must report and no file contains by accident.
 */
export async function readTestSignature({ bytes }: Source): Promise<boolean> {
  const head = (await readBytes(bytes, 0, fileBytesMax)).toString('latin1');
  return head.replace(byteOrderMark, '').trimStart().startsWith(eicarTestString);
}
