import { readFileSync } from 'node:fs';
import { makeWithFfmpegSync } from './made-by-ffmpeg.ts';
import { makeArchive } from './make-office.ts';

const videoArguments = ['-f', 'lavfi', '-i', 'testsrc=s=176x144:d=1:r=25'];
const toneArguments = ['-f', 'lavfi', '-i', 'sine=d=1:r=44100'];
const stillArguments = [...videoArguments, '-frames:v', '1'];

// Maps a file name to ffmpeg arguments. The extension determines the container unless the arguments name one.
const ffmpegArguments: Record<string, string[]> = {
  'clip.mp4': [...videoArguments, ...toneArguments],
  'clip.m4v': [...videoArguments, ...toneArguments, '-f', 'ipod', '-c:v', 'mpeg4'],
  'clip.mov': [...videoArguments, ...toneArguments],
  'clip.webm': [...videoArguments, ...toneArguments],
  'clip.mkv': [...videoArguments, ...toneArguments],
  'clip.avi': [...videoArguments, ...toneArguments],
  'clip.mpg': [...videoArguments, ...toneArguments],
  'clip.mpeg': [...videoArguments, ...toneArguments, '-f', 'vob'],
  'clip.ts': [...videoArguments, ...toneArguments],
  'clip.m2ts': [...videoArguments, ...toneArguments, '-f', 'mpegts', '-mpegts_m2ts_mode', '1'],
  'clip.3gp': [...videoArguments, ...toneArguments, '-c:v', 'h263', '-c:a', 'aac', '-ar', '8000', '-ac', '1'],
  'clip.mxf': ['-f', 'lavfi', '-i', 'testsrc=s=720x576:d=1:r=25', '-f', 'lavfi', '-i', 'sine=d=1:r=48000'],
  'tone.mp3': toneArguments,
  'tone.m4a': toneArguments,
  'tone.aac': toneArguments,
  'tone.wav': toneArguments,
  'tone.flac': toneArguments,
  'tone.ogg': toneArguments,
  'tone.opus': [...toneArguments, '-c:a', 'libopus'],
  'tone.aiff': toneArguments,
  'still.jpg': stillArguments,
  'still.png': stillArguments,
  'still.gif': videoArguments,
  'still.webp': stillArguments,
  'still.tiff': stillArguments,
  'still.bmp': stillArguments,
  'still.avif': [...stillArguments, '-c:v', 'libaom-av1', '-f', 'avif'],
};

export const sampleNames = Object.keys(ffmpegArguments);

/** The content of the sample file with this name, which ffmpeg makes on first use. */
export function sample(name: string): Uint8Array {
  return readFileSync(samplePath(name));
}

/** The path of the sample file, which ends with the name. */
export function samplePath(name: string): string {
  const recipe = ffmpegArguments[name];
  if (!recipe) throw new Error(`no recipe for ${name}`);
  return makeWithFfmpegSync(`-${name}`, recipe);
}

/** A zip with stored entries: enough to be a docx, a docm or a plain zip. */
export function makeZip(entries: Record<string, string>): Uint8Array {
  return makeArchive(Object.entries(entries).map(([name, data]) => ({ name, data, isStored: true })));
}

/** An Office file whose main part has this content type, which distinguishes docx from docm. */
export function makeOffice(mainPart: string, contentType: string): Uint8Array {
  return makeZip({
    '[Content_Types].xml': `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/${mainPart}" ContentType="${contentType}"/></Types>`,
    [mainPart]: '<?xml version="1.0"?><document/>',
  });
}

/**
 * A minimal valid PDF with these catalogue entries, such as `/OpenAction << /S /JavaScript /JS (…) >>` to run a script.
 */
export function makePdf(catalogueEntries = ''): Uint8Array {
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${catalogueEntries} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const offset = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const xref = text.length;
  text += `xref\n0 4\n0000000000 65535 f \n${entries}trailer\n<< /Root 1 0 R /Size 4 >>\nstartxref\n${xref}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
