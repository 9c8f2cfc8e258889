import { makePdf, sample } from '@assay/testing/media/samples.ts';

export type RealFile = { filename: string; contentType: string; bytes: Uint8Array };

/** The content of a deadly file: die-by-file.ts kills every worker that examines it. */
export const deadlyWords = 'this file kills its worker';

export function makeDeadlyFile(): RealFile {
  return { filename: 'deadly.txt', contentType: 'text/plain', bytes: Buffer.from(`${deadlyWords}\n`) };
}

/** Makes small valid files of each category, a text note first: some have issues, none has a reason to fail. */
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
