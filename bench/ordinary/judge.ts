import { type Severity, severities } from '@assay/contract/schemas/severity.ts';
import type { Fault, Verdict } from './verdict.ts';

/** What the checks said of a file: the most severe issue of each rule. */
export type Said = { ruleCode: string; severity: Severity; summary: string };

export type Judged = {
  verdict: Verdict;
  /** Issues that report a fault. */
  right: Said[];
  /** Issues of MAJOR or more that the reviewer does not see. */
  noise: Said[];
  /** MINOR issues that the reviewer did not expect. */
  unexpected: Said[];
  missed: Fault[];
};

export const shareMax = 0.05;

/** Compares what the checks said of a file with the verdict of its reviewer. */
export function judge(verdict: Verdict, said: readonly Said[]): Judged {
  const reports = ({ rules, severityMin }: Fault, { ruleCode, severity }: Said) =>
    rules.includes(ruleCode) && isAtLeast(severity, severityMin);
  const right = said.filter((one) => verdict.faults.some((fault) => reports(fault, one)));
  const isFaulty = verdict.faults.length > 0;
  const isConsequence = ({ ruleCode }: Said) =>
    isFaulty && [...verdict.mayAlsoSay, ...verdict.faults.flatMap(({ rules }) => rules)].includes(ruleCode);
  const others = said.filter((one) => !right.includes(one) && !isConsequence(one));
  return {
    verdict,
    right,
    noise: others.filter(({ severity }) => isAtLeast(severity, 'MAJOR')),
    unexpected: others.filter(
      ({ ruleCode, severity }) => severity === 'MINOR' && !verdict.mayAlsoSay.includes(ruleCode),
    ),
    missed: verdict.faults.filter((fault) => !said.some((one) => reports(fault, one))),
  };
}

export type Score = { clean: number; alarmed: number; share: number; faults: number; missed: number };

/** The two required figures: the share of clean files with an issue of MAJOR or more, and missed faults. */
export function score(judged: readonly Judged[]): Score {
  const clean = judged.filter(({ verdict }) => verdict.faults.length === 0);
  const alarmed = clean.filter(({ noise }) => noise.length > 0).length;
  const count = (list: (one: Judged) => readonly unknown[]) => judged.reduce((sum, one) => sum + list(one).length, 0);
  return {
    clean: clean.length,
    alarmed,
    share: clean.length > 0 ? alarmed / clean.length : 0,
    faults: count(({ verdict }) => verdict.faults),
    missed: count(({ missed }) => missed),
  };
}

export function isGood({ clean, faults, share, missed }: Score): boolean {
  return clean > 0 && faults > 0 && share <= shareMax && missed === 0;
}

/** Severities are in order, the most severe first. */
function isAtLeast(severity: Severity, min: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(min);
}
