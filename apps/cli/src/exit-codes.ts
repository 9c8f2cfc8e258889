/** What a script may rely on. The help prints this table. */
export const exitCodes = {
  ok: [0, 'done; with --fail-on: no finding that counts'],
  unexpected: [1, 'something nobody expected: a defect, please report it'],
  usage: [2, 'wrong use: arguments, settings, files'],
  findings: [3, 'there are findings at or above --fail-on'],
  failed: [4, 'a file could not be analysed; with --fail-on also: nobody looked at it'],
  refused: [5, 'the service refused: key, plan, limits, unknown ids, files it does not accept'],
  unreachable: [6, 'the service cannot be reached, is in trouble, or did not finish in time'],
  interrupted: [130, 'ended by Ctrl-C, or by the answer no'],
} as const;

export type Outcome = keyof typeof exitCodes;

export function exitCodeOf(outcome: Outcome): number {
  return exitCodes[outcome][0];
}

export function formatExitCodes(): string {
  const rows = Object.values(exitCodes).map(([code, meaning]) => `  ${String(code).padEnd(5)}${meaning}`);
  return ['Exit codes:', ...rows].join('\n');
}
