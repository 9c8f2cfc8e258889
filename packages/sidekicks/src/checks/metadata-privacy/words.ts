import { plain } from '../../words.ts';

const labelsShownMax = 3;
const wordsShownMax = 4;

export function quote(text: string): string {
  return `‘${plain(text)}’`;
}

/** The first few, each once. */
export function listLabels(labels: readonly string[]): string {
  const distinct = [...new Set(labels.map((label) => plain(label)))];
  const shown = distinct.slice(0, labelsShownMax).join(', ');
  return distinct.length > labelsShownMax ? `${shown} and ${distinct.length - labelsShownMax} more` : shown;
}

// Findings are kept and passed on. They say enough to find the value in the file, and do not repeat it.

/** `Ann Example` → `A… E…` */
export function maskName(name: string): string {
  const initials = name
    .slice(0, 200)
    .split(/[\s,;]+/)
    .flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  return `‘${
    initials
      .slice(0, wordsShownMax)
      .map((initial) => `${initial}…`)
      .join(' ') || '…'
  }’`;
}

/** `DSC-0012345678` → `…678`; of a short one nothing is shown. */
export function maskEnd(value: string): string {
  const signs = [...value.replace(/[^\p{L}\p{N}]/gu, '')];
  return signs.length >= 6 ? `‘…${signs.slice(-3).join('')}’` : '‘…’';
}

/** To a tenth of a degree: a district at best. */
export function near(latitude: number, longitude: number): string {
  return `near ${latitude.toFixed(1)}, ${longitude.toFixed(1)}`;
}
