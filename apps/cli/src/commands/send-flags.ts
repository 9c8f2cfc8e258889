import type { Command } from 'commander';
import type { SendOptions } from '../send-files.ts';
import { requireSandbox, type Session } from '../session.ts';
import { listOption, wholeNumber } from './option-values.ts';

export type SendFlags = {
  concurrency: number;
  sidekick?: string[];
  profile?: string;
  previous?: string;
  simulationDelaySeconds?: number;
};

/** As long as the service delays a simulated run. */
const simulationDelaySecondsMax = 30;

/** What `check` and `submit` have in common. */
export function addSendOptions(command: Command): void {
  command
    .addOption(
      listOption(
        '--sidekick <name>',
        'run this only, by name or id; left out: every default one that fits (assay sidekicks)',
      ),
    )
    .option('--profile <name>', 'delivery profile: ebu-r128, atsc-a85; left out: that of the workspace')
    .option('--previous <submissionId>', 'these are new versions of the files of that submission')
    .option(
      '--simulation-delay-seconds <n>',
      `with a sandbox key: complete after this many seconds, 0 to ${simulationDelaySecondsMax}; left out: at once`,
      wholeNumber(0, simulationDelaySecondsMax),
    )
    .option('--concurrency <n>', 'files uploaded at once', wholeNumber(1), 4);
}

/** Refuses an unknown sidekick, and a simulation delay with a live key, before any file is uploaded. */
export async function readSendOptions(session: Session, flags: SendFlags): Promise<SendOptions> {
  const { assay, signal } = session;
  const { concurrency, sidekick, profile, previous, simulationDelaySeconds } = flags;
  if (simulationDelaySeconds !== undefined) await requireSandbox(session);
  return {
    concurrency,
    previous,
    simulationDelaySeconds,
    sidekickIds: sidekick && (await assay.sidekicks.resolve(sidekick, { signal })),
    metadata: profile ? { assay: { profile: profile.toLowerCase() } } : undefined,
  };
}
