import { makePdf, sample } from '../support/samples.ts';

export type RealFile = { filename: string; contentType: string; bytes: Uint8Array };

/** In a file that kills each worker which takes it; die-by-file.ts sees to that. */
export const deadlyWords = 'this file kills its worker';

export function makeDeadlyFile(): RealFile {
  return { filename: 'deadly.txt', contentType: 'text/plain', bytes: Buffer.from(`${deadlyWords}\n`) };
}

/** Small honest files of each category, made once, a note first: some with issues, none with a reason to fail. */
export function makeFiles(): RealFile[] {
  return [
    { filename: 'note.txt', contentType: 'text/plain', bytes: Buffer.from('A plain note.\n'.repeat(200)) },
    { filename: 'page.pdf', contentType: 'application/pdf', bytes: makePdf() },
    {
      filename: 'script.pdf',
      contentType: 'application/pdf',
      bytes: makePdf('/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>'),
    },
    { filename: 'tone.wav', contentType: 'audio/wav', bytes: sample('tone.wav') },
    { filename: 'still.jpg', contentType: 'image/jpeg', bytes: sample('still.jpg') },
    { filename: 'clip.mp4', contentType: 'video/mp4', bytes: sample('clip.mp4') },
  ];
}
