import { proveCage } from '@assay/sidekicks/evidence/prove-cage.ts';
import type { Cage } from '@assay/sidekicks/evidence/run-tool.ts';
import type { Log } from '../handles/log.ts';

/** What an operator can do about a cage that does not hold. */
const advice = `Install bubblewrap (apt-get install bubblewrap), and let the user of the worker make user namespaces: \
in a container that takes a security option that permits unshare and mount. TOOL_CAGE=off runs tools without a cage, \
for a machine that analyses trusted files alone.`;

/** Where tools run, and a question whether it still holds, if there is any. Without proof there is no cage. */
export async function openCage(
  setting: 'required' | 'off',
  log: Log,
  cageProgram?: string,
): Promise<{ cage: Cage; ask: (() => Promise<void>) | null }> {
  if (setting === 'off') {
    log.warn('TOOL_CAGE is off: tools look at files without a cage');
    return { cage: 'none', ask: null };
  }
  const ask = () => proveCage(cageProgram);
  try {
    await ask();
  } catch (cause) {
    throw new Error(`tools cannot be caged: ${(cause as Error).message}. ${advice}`, { cause });
  }
  return { cage: 'bubblewrap', ask };
}
