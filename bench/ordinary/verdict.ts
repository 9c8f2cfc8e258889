import type { Severity } from '@assay/contract/schemas/severity.ts';

type FileKind =
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

/** A fault for which a sensible reviewer would return the file or ask about it. */
export type Fault = {
  /** One of these rules must report the fault. */
  rules: readonly string[];
  /** The severity must be at least this. */
  severityMin: Severity;
  why: string;
};

/** A reviewer's verdict on one file, written after inspecting it and before any check ran on it. */
export type Verdict = {
  file: string;
  kind: FileKind;
  looksLike: string;
  /** Empty if the file is clean. */
  faults: readonly Fault[];
  /**
   * Rules that are expected to report an issue below MAJOR, and in a faulty file also rules that report consequences of
   * its fault.
   */
  mayAlsoSay: readonly string[];
};

type VerdictNote = readonly [file: string, kind: FileKind, looksLike: string, mayAlsoSay?: readonly string[]];

export function cleanVerdict(...[file, kind, looksLike, mayAlsoSay = []]: VerdictNote): Verdict {
  return { file, kind, looksLike, faults: [], mayAlsoSay };
}

export function faultyVerdict(
  [file, kind, looksLike, mayAlsoSay = []]: VerdictNote,
  severityMin: Severity,
  rules: readonly string[],
  why: string,
): Verdict {
  return { file, kind, looksLike, faults: [{ rules, severityMin, why }], mayAlsoSay };
}
