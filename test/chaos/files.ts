import { makePdf, sample } from '../support/samples.ts';

export type RealFile = { filename: string; contentType: string; bytes: Uint8Array };

/** Small honest files of each category but audio, made once, a note first. None of them has a reason to fail. */
export function makeFiles(): RealFile[] {
  return [
    { filename: 'note.txt', contentType: 'text/plain', bytes: Buffer.from('A plain note.\n'.repeat(200)) },
    { filename: 'page.pdf', contentType: 'application/pdf', bytes: makePdf() },
    { filename: 'still.jpg', contentType: 'image/jpeg', bytes: sample('still.jpg') },
    { filename: 'clip.mp4', contentType: 'video/mp4', bytes: sample('clip.mp4') },
  ];
}
