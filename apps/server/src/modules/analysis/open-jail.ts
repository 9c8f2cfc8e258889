import { categories } from '@assay/contract/schemas/sidekick.ts';
import { type JailLevel, jailLevels } from '@assay/jail/levels.ts';
import { checkJail, proveJail } from '@assay/jail/prove-jail.ts';
import type { Jail } from '@assay/jail/source/source.ts';
import type { Log } from '#platform/log.ts';

/** What an operator can do when no jail works. */
const jailAdvice = `bubblewrap needs user namespaces, and in a container also the system calls unshare, mount, umount2 and \
pivot_root, and an unmasked /proc. Landlock needs Linux 6.2 or later with Landlock enabled. TOOL_JAIL=off runs tools \
without a jail, for a machine that analyses trusted files only.`;

export type JailSetting = 'auto' | 'off' | JailLevel;
type OpenedJail = { jail: Jail; checkHealth: (() => Promise<void>) | null };

/** Whether a worker with these queues examines files. The others run no media tools, so they need no jail. */
export function needsJail(queues: readonly { name: string }[]): boolean {
  return queues.some(({ name }) => (categories as readonly string[]).includes(name));
}

/**
 * Opens the jail for media tools: the strongest whose test passes, or the one that is configured. The health check is
 * null when there is no jail.
 *
 * @param programs replaces the programs with which the levels create their jails
 */
export async function openJail(
  setting: JailSetting,
  log: Log,
  programs: Partial<Record<JailLevel, string>> = {},
): Promise<OpenedJail> {
  if (setting === 'off') {
    log.warn('TOOL_JAIL is off: media tools run without a jail. Analyse only files that you trust.');
    return { jail: 'none', checkHealth: null };
  }
  const failures: string[] = [];
  for (const level of setting === 'auto' ? jailLevels : [setting]) {
    try {
      await testLevelOnce(level, programs[level]);
      log.info({ jail: level, ...(failures.length > 0 && { failures }) }, 'media tools run in a jail');
      return { jail: level, checkHealth: () => checkJail(level, programs[level]) };
    } catch (cause) {
      failures.push(`${level}: ${(cause as Error).message}`);
    }
  }
  throw new Error(`media tools cannot be jailed. ${failures.join('. ')}. ${jailAdvice}`);
}

/** The jail levels already tested in this process, so that a second worker in it does not test them again. */
const levelTests = new Map<string, Promise<void>>();

async function testLevelOnce(level: JailLevel, program?: string): Promise<void> {
  const name = `${level} ${program ?? ''}`;
  const levelTest = levelTests.get(name) ?? proveJail(level, program);
  levelTests.set(name, levelTest);
  await levelTest.catch((error) => {
    levelTests.delete(name); // a level that did not work may work at the next start
    throw error;
  });
}
