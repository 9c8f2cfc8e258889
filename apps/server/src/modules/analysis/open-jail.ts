import { categories } from '@assay/contract/schemas/sidekick.ts';
import { type JailLevel, jailLevels } from '@assay/jail/levels.ts';
import { checkJail, proveJail } from '@assay/jail/prove-jail.ts';
import type { Jail } from '@assay/jail/source/source.ts';
import { proveExaminer } from '@assay/sidekicks/run/examiner/prove-examiner.ts';
import type { Log } from '#platform/log.ts';

/** What an operator can do when no jail works. */
const jailAdvice = `bubblewrap needs user namespaces, and in a container also the system calls unshare, mount, umount2 and \
pivot_root, and an unmasked /proc. Landlock needs Linux 6.2 or later with Landlock enabled. TOOL_JAIL=off runs tools \
without a jail, for a machine that analyses trusted files only.`;

export type JailSetting = 'auto' | 'off' | JailLevel;
export type OpenedJail = {
  jail: Jail;
  /** The jail of the process that examines, which starts the tools. `none` if it can have none here. */
  examinerJail: Jail;
  checkHealth: (() => Promise<void>) | null;
};

/** Whether a worker with these queues examines files. The others run no media tools, so they need no jail. */
export function needsJail(queues: readonly { name: string }[]): boolean {
  return queues.some(({ name }) => (categories as readonly string[]).includes(name));
}

/**
 * Opens the jails for media tools and for the process that starts them: the strongest level whose test passes, or the
 * one that is configured. A level that can confine both is preferred to a stronger one that can confine only the tools.
 * The health check is null when there is no jail.
 *
 * @param programs replaces the programs with which the levels create the jails of tools
 */
export async function openJail(
  setting: JailSetting,
  log: Log,
  programs: Partial<Record<JailLevel, string>> = {},
): Promise<OpenedJail> {
  if (setting === 'off') {
    log.warn('TOOL_JAIL is off: media tools run without a jail. Analyse only files that you trust.');
    return { jail: 'none', examinerJail: 'none', checkHealth: null };
  }
  const failures: string[] = [];
  let forToolsOnly: JailLevel | undefined;
  const open = (jail: JailLevel, examinerJail: Jail) => {
    const all = { jail, examinerJail, ...(failures.length > 0 && { failures }) };
    if (examinerJail === 'none') log.warn(all, 'media tools run in a jail, but the process that starts them does not');
    else log.info(all, 'media tools run in a jail, and so does the process that starts them');
    return { jail, examinerJail, checkHealth: () => checkJail(jail, programs[jail]) };
  };
  for (const level of setting === 'auto' ? jailLevels : [setting]) {
    try {
      await testOnce(`${level} ${programs[level] ?? ''}`, () => proveJail(level, programs[level]));
    } catch (cause) {
      failures.push(`${level}: ${(cause as Error).message}`);
      continue;
    }
    try {
      await testOnce(`examiner ${level}`, () => proveExaminer(level));
      return open(level, level);
    } catch (cause) {
      failures.push(`${level}, of the examiner: ${(cause as Error).message}`);
      forToolsOnly ??= level;
    }
  }
  if (forToolsOnly) return open(forToolsOnly, 'none');
  throw new Error(`media tools cannot be jailed. ${failures.join('. ')}. ${jailAdvice}`);
}

/** The tests already made in this process, so that a second worker in it does not repeat them. */
const tests = new Map<string, Promise<void>>();

async function testOnce(name: string, prove: () => Promise<void>): Promise<void> {
  const test = tests.get(name) ?? prove();
  tests.set(name, test);
  await test.catch((error) => {
    tests.delete(name); // what did not work may work at the next start
    throw error;
  });
}
