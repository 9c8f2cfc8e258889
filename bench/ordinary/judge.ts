import type { Severity } from '@assay/contract/schemas/severity.ts';
import { isAtLeast } from '@assay/contract/verdict.ts';
import { notVerifiedRuleCodes } from '@assay/sidekicks/sidekick/catalogue.ts';
import type { Fault, Verdict } from './verdict.ts';

/** An issue that the checks reported on a file: the most severe one of its rule. */
export type ReportedIssue = { ruleCode: string; severity: Severity; summary: string };

export type JudgedFile = {
  verdict: Verdict;
  /** Issues that report one of the faults. */
  right: ReportedIssue[];
  /** Issues of MAJOR or more for which the reviewer sees no fault. */
  noise: ReportedIssue[];
  /** MINOR issues that the reviewer did not expect. */
  unexpected: ReportedIssue[];
  missed: Fault[];
  /** Issues that say what was not examined in a file without a fault. */
  incomplete: ReportedIssue[];
};

export const alarmShareMax = 0.02;
export const incompleteShareMax = 0.03;

/** Compares the issues of a file with its reviewer's verdict. */
export function judgeFile(verdict: Verdict, said: readonly ReportedIssue[]): JudgedFile {
  const reports = ({ rules, severityMin }: Fault, { ruleCode, severity }: ReportedIssue) =>
    rules.includes(ruleCode) && isAtLeast(severity, severityMin);
  const right = said.filter((one) => verdict.faults.some((fault) => reports(fault, one)));
  const isFaulty = verdict.faults.length > 0;
  const isConsequence = ({ ruleCode }: ReportedIssue) =>
    isFaulty && [...verdict.mayAlsoSay, ...verdict.faults.flatMap(({ rules }) => rules)].includes(ruleCode);
  const isIncomplete = ({ ruleCode }: ReportedIssue) => notVerifiedRuleCodes.has(ruleCode);
  const others = said.filter((one) => !right.includes(one) && !isConsequence(one) && !isIncomplete(one));
  return {
    verdict,
    right,
    noise: others.filter(({ severity }) => isAtLeast(severity, 'MAJOR')),
    unexpected: others.filter(
      ({ ruleCode, severity }) => severity === 'MINOR' && !verdict.mayAlsoSay.includes(ruleCode),
    ),
    missed: verdict.faults.filter((fault) => !said.some((one) => reports(fault, one))),
    // A damaged or encrypted file cannot be examined as a whole.
    incomplete: isFaulty ? [] : said.filter(isIncomplete),
  };
}

export type Score = {
  clean: number;
  alarmed: number;
  share: number;
  incomplete: number;
  incompleteShare: number;
  faults: number;
  missed: number;
};

/**
 * Computes the figures with a required value: the shares of clean files with an issue of MAJOR or more and of those that
 * were not examined as a whole, and the number of missed faults.
 */
export function scoreFiles(judged: readonly JudgedFile[]): Score {
  const clean = judged.filter(({ verdict }) => verdict.faults.length === 0);
  const alarmed = clean.filter(({ noise }) => noise.length > 0).length;
  const incomplete = clean.filter((one) => one.incomplete.length > 0).length;
  const shareOf = (files: number) => (clean.length > 0 ? files / clean.length : 0);
  const count = (list: (one: JudgedFile) => readonly unknown[]) =>
    judged.reduce((sum, one) => sum + list(one).length, 0);
  return {
    clean: clean.length,
    alarmed,
    share: shareOf(alarmed),
    incomplete,
    incompleteShare: shareOf(incomplete),
    faults: count(({ verdict }) => verdict.faults),
    missed: count(({ missed }) => missed),
  };
}

export function isGood({ clean, faults, share, incompleteShare, missed }: Score): boolean {
  const isQuiet = share <= alarmShareMax && incompleteShare <= incompleteShareMax;
  return clean > 0 && faults > 0 && isQuiet && missed === 0;
}
