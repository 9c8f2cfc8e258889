/** Scripts rely on these codes. The help prints the codes and their meanings; `--json` prints the names. */
export const exitCodes = {
  ok: [0, 'success: passed, also with waivers; or, with --fail-on none, whatever the verdict'],
  unexpected: [1, 'unexpected error: a bug in assay, please report it'],
  usage: [2, 'invalid arguments or settings'],
  findings: [3, 'failed: issues at or above the gate, which is --fail-on or else that of the delivery profile'],
  failed: [4, 'not checked: a file could not be analysed, no check applies to it, or the run was only simulated'],
  refused: [
    5,
    'rejected: API key, plan, limits, unknown ids, files that are missing, not supported or changed while they were sent',
  ],
  unreachable: [6, 'the service is unreachable, unavailable, or did not finish in time'],
  needs_review: [7, 'needs review: an issue awaits review, or a check could not examine everything'],
  interrupted: [130, 'cancelled with Ctrl-C, or not confirmed'],
  terminated: [143, 'ended by SIGTERM, such as by a cancelled pipeline'],
} as const;

export type Outcome = keyof typeof exitCodes;

export function exitCodeOf(outcome: Outcome): number {
  return exitCodes[outcome][0];
}

export function formatExitCodes(): string {
  const rows = Object.values(exitCodes).map(([code, meaning]) => `  ${String(code).padEnd(5)}${meaning}`);
  return [
    'Exit codes:',
    ...rows,
    'Of several files, the worst counts: a file that was rejected (5), then 3, 4 and 7.',
  ].join('\n');
}

/** The name of an exit code. */
export function outcomeOf(exitCode: number): Outcome {
  const names = Object.keys(exitCodes) as Outcome[];
  return names.find((name) => exitCodeOf(name) === exitCode) ?? 'unexpected';
}
