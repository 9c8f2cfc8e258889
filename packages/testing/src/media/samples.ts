import { readFileSync } from 'node:fs';
import { madeByFfmpegSync } from './made-by-ffmpeg.ts';
import { makeArchive } from './make-office.ts';

const video = ['-f', 'lavfi', '-i', 'testsrc=s=176x144:d=1:r=25'];
const tone = ['-f', 'lavfi', '-i', 'sine=d=1:r=44100'];
const still = [...video, '-frames:v', '1'];

// File name → ffmpeg arguments. The extension determines the container unless the arguments name one.
const ffmpegArguments: Record<string, string[]> = {
  'clip.mp4': [...video, ...tone],
  'clip.m4v': [...video, ...tone, '-f', 'ipod', '-c:v', 'mpeg4'],
  'clip.mov': [...video, ...tone],
  'clip.webm': [...video, ...tone],
  'clip.mkv': [...video, ...tone],
  'clip.avi': [...video, ...tone],
  'clip.mpg': [...video, ...tone],
  'clip.mpeg': [...video, ...tone, '-f', 'vob'],
  'clip.ts': [...video, ...tone],
  'clip.m2ts': [...video, ...tone, '-f', 'mpegts', '-mpegts_m2ts_mode', '1'],
  'clip.3gp': [...video, ...tone, '-c:v', 'h263', '-c:a', 'aac', '-ar', '8000', '-ac', '1'],
  'clip.mxf': ['-f', 'lavfi', '-i', 'testsrc=s=720x576:d=1:r=25', '-f', 'lavfi', '-i', 'sine=d=1:r=48000'],
  'tone.mp3': tone,
  'tone.m4a': tone,
  'tone.aac': tone,
  'tone.wav': tone,
  'tone.flac': tone,
  'tone.ogg': tone,
  'tone.opus': [...tone, '-c:a', 'libopus'],
  'tone.aiff': tone,
  'still.jpg': still,
  'still.png': still,
  'still.gif': video,
  'still.webp': still,
  'still.tiff': still,
  'still.bmp': still,
  'still.avif': [...still, '-c:v', 'libaom-av1', '-f', 'avif'],
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
  return madeByFfmpegSync(`-${name}`, recipe);
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
