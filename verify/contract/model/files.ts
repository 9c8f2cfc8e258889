import { makePdf, sample } from '@assay/testing/media/samples.ts';

const scriptedPdf = '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>';

/** The kinds of content, each with its bytes, its type, and the rules that the file safety check reports. */
export const contents = {
  text: { bytes: () => Buffer.from('hello'), extension: 'txt', ruleCodes: [] },
  pdf: { bytes: () => makePdf(), extension: 'pdf', ruleCodes: [] },
  'scripted pdf': {
    bytes: () => makePdf(scriptedPdf),
    extension: 'pdf',
    ruleCodes: ['SAFE-PDF-AUTOMATIC-ACTION', 'SAFE-PDF-JAVASCRIPT'],
  },
  image: { bytes: () => sample('still.png'), extension: 'png', ruleCodes: [] },
  // This type is not accepted.
  noise: { bytes: () => Buffer.from([0, 1, 2, 3]), extension: '', ruleCodes: [] },
} as const;

export type Content = keyof typeof contents;

/** Few names, so that a new version often has several candidates of its name or category. */
export const filenames = ['a.txt', 'b.txt', 'scan.pdf', 'logo.png', 'mark.png'] as const;

const contentTypes: Record<string, string> = { txt: 'text/plain', pdf: 'application/pdf', png: 'image/png' };

const extensionOf = (filename: string) => filename.slice(filename.lastIndexOf('.') + 1);

export const contentTypeOf = (filename: string) => contentTypes[extensionOf(filename)] as string;
export const categoryOf = (filename: string) => (extensionOf(filename) === 'png' ? 'image' : 'document');

export function fits(filename: string, content: Content): boolean {
  return contents[content].extension === extensionOf(filename);
}

/** Returns content that matches the file name; for a PDF, content with findings on request. */
export function matchingContent(filename: string, hasFindings: boolean): Content {
  const extension = extensionOf(filename);
  if (extension === 'pdf') return hasFindings ? 'scripted pdf' : 'pdf';
  return extension === 'png' ? 'image' : 'text';
}
