import { formatDecimals } from '#sidekick/format-values.ts';
import { listFirst, toPlainText } from '#sidekick/words.ts';

const wordsShownMax = 4;

/** The first few distinct labels. */
export function listLabels(labels: readonly string[]): string {
  return listFirst([...new Set(labels.map((label) => toPlainText(label)))]);
}

// Issues are stored and passed on, so they contain only as much of a value as users need to find it in the file.

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

/** `DSC-0012345678` → `…678`; nothing of values shorter than 6 characters. */
export function maskAllButEnd(value: string): string {
  const characters = [...value.replace(/[^\p{L}\p{N}]/gu, '')];
  return characters.length >= 6 ? `‘…${characters.slice(-3).join('')}’` : '‘…’';
}

/** Rounded to a tenth of a degree, which identifies a district at best: `near 51.5, −0.1` */
export function maskPosition(latitude: number, longitude: number): string {
  return `near ${formatDecimals(latitude, 1)}, ${formatDecimals(longitude, 1)}`;
}
