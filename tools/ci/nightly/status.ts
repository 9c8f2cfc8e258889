import { execFileSync } from 'node:child_process';
import { readUnstableTests } from '../gate/kept.ts';
import { type ReportRow, readReport, readSuites } from './suites.ts';

const daysMax = 7;
const commitsMax = 150;
const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', cwd: import.meta.dirname }).trim();

/** Suites that never ran, failed, or passed too long ago; and tests of the gate that needed a second run on this machine. */
export function describeStatus(): string[] {
  const rows = new Map(readReport().map((row) => [row.suite, row]));
  const suites = readSuites().flatMap(({ suite }) => describeRow(suite, rows.get(suite)) ?? []);
  return [...suites, ...readUnstableTests().map((line) => `needed a second run in the gate: ${line}`)];
}

function describeRow(suite: string, row?: ReportRow): string | undefined {
  if (!row) return `${suite}: has never run`;
  if (row.commit.endsWith('+')) return `${suite}: ran with uncommitted changes on ${row.date} at ${row.commit}`;
  if (row.result !== 'passed') return `${suite}: failed on ${row.date} at ${row.commit}: ${row.figure}`;
  const days = Math.floor((Date.now() - Date.parse(row.date)) / 86_400_000);
  const commits = Number(git('rev-list', '--count', `${row.commit}..HEAD`));
  return days > daysMax || commits > commitsMax
    ? `${suite}: passed ${days} days and ${commits} commits ago`
    : undefined;
}

/** All files except those that suites write: a change to one of those is not a code change. */
const codePathspec = [':/', ':(exclude,top)*.md', ':(exclude,top)verify/resilience/chaos/results'];

/** Whether a suite passed on this code. */
export function hasPassedOnThisCode(suite: string): boolean {
  const row = readReport().find((one) => one.suite === suite);
  return (
    row?.result === 'passed' &&
    !row.commit.endsWith('+') &&
    git('diff', '--name-only', row.commit, '--', ...codePathspec) === ''
  );
}

/** The commit that is checked out, followed by a plus if the working tree differs from it. */
export function currentCommit(): string {
  return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '--', ...codePathspec) === '' ? '' : '+');
}
