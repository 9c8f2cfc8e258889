import { bubblewrap, bubblewrapArguments } from './bubblewrap.ts';
import { builtLauncher, launcherArguments } from './landlock.ts';
import type { Jail } from './source/source.ts';

/** The kinds of jail, strongest first. */
export const jailLevels = ['bubblewrap', 'landlock'] as const satisfies Jail[];
export type JailLevel = (typeof jailLevels)[number];

type JailProgram = {
  /** The path of the program that makes the jail. */
  program: () => string;
  /** That program's arguments before the program to run, which can then be executed wherever it is. */
  args: (program: string) => string[];
  ifMissing: string;
};

export const jailPrograms: Record<JailLevel, JailProgram> = {
  bubblewrap: {
    program: () => bubblewrap,
    args: bubblewrapArguments,
    ifMissing: 'bubblewrap is not installed (apt-get install bubblewrap)',
  },
  landlock: {
    program: builtLauncher,
    args: launcherArguments,
    ifMissing: 'the launcher of the Landlock jail is not built (pnpm kernel)',
  },
};
