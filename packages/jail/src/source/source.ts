import type { ReserveMemory } from './memory.ts';
import type { RandomAccess } from './random-access.ts';

/** How tools run: in a jail of this kind, or with process limits only. */
export type Jail = 'bubblewrap' | 'landlock' | 'none';

/** The file on local disk, as gatherers read it. */
export type Source = {
  bytes: RandomAccess;
  /** A read-only file descriptor of the same bytes. */
  fd: number;
  signal: AbortSignal;
  jail: Jail;
  /** Called before each tool is started. Without it, tools do not wait for memory. */
  reserveMemory?: ReserveMemory | undefined;
  /** Called from time to time with the progress of the stage, 0 to 1, and whether it is measured or guessed. */
  report?: (share: number, isMeasured?: boolean) => void;
  /** Called with the duration of the media once it is known. */
  onDuration?: (seconds: number) => void;
};

/** What a tool needs of a source. */
export type ToolSource = Pick<Source, 'fd' | 'signal' | 'jail' | 'reserveMemory'>;
