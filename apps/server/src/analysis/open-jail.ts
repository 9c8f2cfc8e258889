import { proveJail } from '@assay/sidekicks/evidence/jail/prove-jail.ts';
import type { Jail } from '@assay/sidekicks/evidence/source/source.ts';
import type { Log } from '../handles/log.ts';

/** What an operator can do when the jail does not work. */
const advice = `Install bubblewrap (apt-get install bubblewrap), and let the user of the worker make user namespaces: \
in a container that takes a security option that permits unshare and mount. TOOL_JAIL=off runs tools without a jail, \
for a machine that analyses trusted files only.`;

/** Opens the jail for media tools and proves that it works. The health check is null when there is no jail. */
export async function openJail(
  setting: 'auto' | 'off',
  log: Log,
  program?: string,
): Promise<{ jail: Jail; checkHealth: (() => Promise<void>) | null }> {
  if (setting === 'off') {
    log.warn('TOOL_JAIL is off: media tools run without a jail');
    return { jail: 'none', checkHealth: null };
  }
  const checkHealth = () => proveJail(program);
  try {
    await checkHealth();
  } catch (cause) {
    throw new Error(`media tools cannot be jailed: ${(cause as Error).message}. ${advice}`, { cause });
  }
  return { jail: 'bubblewrap', checkHealth };
}
