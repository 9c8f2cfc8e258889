import type { Severity } from '@assay/contract/schemas/severity.ts';

type Kind =
  | 'screen recording'
  | 'slides'
  | 'music'
  | 'voice'
  | 'sound'
  | 'phone video'
  | 'camera video'
  | 'interview'
  | 'cartoon'
  | 'game'
  | 'film'
  | 'test card'
  | 'photo'
  | 'drawing'
  | 'document'
  | 'captions';

/** A fault that a sensible reviewer would return the file for, or ask about. */
export type Fault = {
  /** One of these rules must report it. */
  rules: readonly string[];
  /** With at least this severity. */
  severityMin: Severity;
  why: string;
};

/** What a reviewer says of one file, written after looking at it and before any check ran on it. */
export type Verdict = {
  file: string;
  kind: Kind;
  looksLike: string;
  /** Empty: the file is clean. */
  faults: readonly Fault[];
  /** Rules whose issue below MAJOR is no surprise, and in a faulty file consequences of its fault. */
  mayAlsoSay: readonly string[];
};

type Note = readonly [file: string, kind: Kind, looksLike: string, mayAlsoSay?: readonly string[]];

export function clean(...[file, kind, looksLike, mayAlsoSay = []]: Note): Verdict {
  return { file, kind, looksLike, faults: [], mayAlsoSay };
}

export function faulty(
  [file, kind, looksLike, mayAlsoSay = []]: Note,
  severityMin: Severity,
  rules: readonly string[],
  why: string,
): Verdict {
  return { file, kind, looksLike, faults: [{ rules, severityMin, why }], mayAlsoSay };
}
