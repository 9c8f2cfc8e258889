import type { Command } from 'commander';
import type { SendOptions } from '../send-files.ts';
import type { Session } from '../session.ts';
import { listOption, wholeNumber } from './option-values.ts';

export type SendFlags = {
  concurrency: number;
  sidekick?: string[];
  profile?: string;
  previous?: string;
};

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
    .option('--concurrency <n>', 'files uploaded at once', wholeNumber(1), 4);
}

/** Refuses an unknown sidekick before any file is uploaded. */
export async function readSendOptions({ assay, signal }: Session, flags: SendFlags): Promise<SendOptions> {
  const { concurrency, sidekick, profile, previous } = flags;
  return {
    concurrency,
    previous,
    sidekickIds: sidekick && (await assay.sidekicks.resolve(sidekick, { signal })),
    metadata: profile ? { assay: { profile: profile.toLowerCase() } } : undefined,
  };
}
