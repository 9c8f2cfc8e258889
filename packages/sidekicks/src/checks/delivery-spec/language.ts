import type { ProbeStream } from '#evidence/media/probe/probe-report.ts';
import { toPlainText } from '#sidekick/words.ts';

/** Codes for an undetermined language, and for several or no languages. */
const noLanguageCodes = new Set(['und', 'mis', 'mul', 'zxx', '']);

/** The declared language of a track; null if there is none. */
export function languageOf({ language }: ProbeStream): string | null {
  const code = toPlainText(language ?? '', 20).trim();
  return noLanguageCodes.has(code.toLowerCase()) ? null : code;
}

/** `eng`, `en` and `en-GB` are the same language, and so are the two codes `ger` and `deu`. */
export function isSameLanguage(a: string, b: string): boolean {
  return canonicalLanguage(a) === canonicalLanguage(b);
}

function canonicalLanguage(code: string): string {
  try {
    return new Intl.Locale(code).language;
  } catch {
    return code.toLowerCase(); // not a language tag
  }
}
