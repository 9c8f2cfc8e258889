/** Scripts rely on these codes. The help prints the codes and their meanings; `--json` prints the names. */
export const exitCodes = {
  ok: [0, 'success: no issue at or above the gate, which is --fail-on or else that of the delivery profile'],
  unexpected: [1, 'unexpected error: a bug in assay, please report it'],
  usage: [2, 'invalid arguments, settings or files'],
  findings: [3, 'issues found at or above the gate'],
  failed: [4, 'a file could not be analysed or was not checked'],
  refused: [
    5,
    'rejected: API key, plan, limits, unknown ids, files that are not supported or changed while they were sent',
  ],
  unreachable: [6, 'the service is unreachable, unavailable, or did not finish in time'],
  interrupted: [130, 'cancelled with Ctrl-C, or not confirmed'],
} as const;

export type Outcome = keyof typeof exitCodes;

export function exitCodeOf(outcome: Outcome): number {
  return exitCodes[outcome][0];
}

export function formatExitCodes(): string {
  const rows = Object.values(exitCodes).map(([code, meaning]) => `  ${String(code).padEnd(5)}${meaning}`);
  return ['Exit codes:', ...rows].join('\n');
}
