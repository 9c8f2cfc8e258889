import type { Command } from 'commander';
import type { SendOptions } from '../send-files.ts';
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
    .addOption(listOption('--sidekick <id>', 'run this only; left out: every default one that fits (assay sidekicks)'))
    .option('--profile <name>', 'house profile: ebu-r128, atsc-a85; left out: that of the workspace')
    .option('--previous <submissionId>', 'these are new versions of the files of that submission')
    .option('--concurrency <n>', 'files uploaded at once', wholeNumber(1), 4);
}

export function sendOptionsOf({ concurrency, sidekick, profile, previous }: SendFlags): SendOptions {
  return {
    concurrency,
    previous,
    sidekickIds: sidekick,
    metadata: profile ? { assay: { profile } } : undefined,
  };
}
