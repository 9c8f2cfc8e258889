import type { ProbeStream } from './probe-report.ts';

const languageCharactersMax = 20;

/** Whether enough is known about a video or audio stream to decode it. */
export function isDecodable({ kind, width, height, sampleRate, channels }: ProbeStream): boolean {
  return kind === 'video' ? Boolean(width && height) : Boolean(sampleRate && channels);
}

/** For display: `audio track 2 (fra)`. Languages are text from the file, so only letters and digits are shown. */
export function trackName(word: string, number: number, stream: ProbeStream): string {
  return `${word} track ${number}${languageSuffix(stream)}`;
}

/** ` (fra)`, or nothing if no language is declared. */
export function languageSuffix(stream: ProbeStream): string {
  const language = declaredLanguage(stream);
  return language === null ? '' : ` (${language})`;
}

/** The language of a stream; null if it is not declared, or declared as undetermined. */
export function declaredLanguage({ language }: ProbeStream): string | null {
  const clean = (language ?? '').replace(/[^\p{L}\p{N}-]/gu, '').slice(0, languageCharactersMax);
  return clean === '' || clean.toLowerCase() === 'und' ? null : clean;
}
