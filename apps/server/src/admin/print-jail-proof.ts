import { type JailLevel, jailLevels } from '@assay/jail/levels.ts';
import { tryEscapes } from '@assay/jail/prove-jail.ts';

/**
 * Prints each attempt to leave each jail and its result, for an operator who sets up a host or container.
 *
 * @param wanted the levels to try; all of them if empty
 * @returns whether at least one of these levels works, so that a worker can start
 */
export async function printJailProof(wanted: string[], print: (line: string) => void): Promise<boolean> {
  const unknown = wanted.filter((name) => !jailLevels.some((level) => level === name));
  if (unknown.length > 0) {
    print(`Unknown level: ${unknown.join(', ')}. Levels: ${jailLevels.join(', ')}.`);
    return false;
  }
  const tried = jailLevels.filter((level) => wanted.length === 0 || wanted.includes(level));
  const working: JailLevel[] = [];
  for (const level of tried) if (await printLevel(level, print)) working.push(level);
  const [strongest] = working;
  print(strongest ? `Media tools can run in this jail: ${strongest}.` : 'Media tools cannot be jailed here.');
  return strongest !== undefined;
}

async function printLevel(level: JailLevel, print: (line: string) => void): Promise<boolean> {
  try {
    const attempts = await tryEscapes(level);
    const isClosed = attempts.every(({ result }) => result !== 'succeeded');
    print(`${level}: ${isClosed ? 'works' : 'a tool can leave this jail'} (uid ${process.getuid?.()})`);
    for (const { name, result } of attempts) print(`  ${result.padEnd(10)}${name}`);
    return isClosed;
  } catch (error) {
    print(`${level}: does not work (uid ${process.getuid?.()}): ${(error as Error).message}`);
    return false;
  }
}
