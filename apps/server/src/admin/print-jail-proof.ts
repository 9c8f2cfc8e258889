import { tryExaminerEscapes } from '@assay/jail/examiner/prove-examiner-jail.ts';
import { type JailLevel, jailLevels } from '@assay/jail/levels.ts';
import { type EscapeResult, tryEscapes } from '@assay/jail/prove-jail.ts';
import { examinerPaths } from '@assay/sidekicks/run/examiner/examiner-paths.ts';
import { proveExaminer } from '@assay/sidekicks/run/examiner/prove-examiner.ts';

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
  const complete: JailLevel[] = [];
  for (const level of tried) {
    if (!(await printLevel(level, print))) continue;
    working.push(level);
    if (await printExaminer(level, print)) complete.push(level);
  }
  const strongest = complete[0] ?? working[0];
  print(strongest ? `Media tools can run in this jail: ${strongest}.` : 'Media tools cannot be jailed here.');
  if (strongest) print(`The process that starts them ${complete[0] ? 'can too' : 'can run in no jail here'}.`);
  return strongest !== undefined;
}

async function printLevel(level: JailLevel, print: (line: string) => void): Promise<boolean> {
  return printAttempts(level, 'a tool', print, () => tryEscapes(level));
}

/** The examiner is the process that reads the file and starts the tools. */
async function printExaminer(level: JailLevel, print: (line: string) => void): Promise<boolean> {
  return printAttempts(`${level}, for the examiner`, 'an examiner', print, async () => {
    const attempts = await tryExaminerEscapes(level, examinerPaths());
    await proveExaminer(level);
    return attempts;
  });
}

async function printAttempts(
  name: string,
  who: string,
  print: (line: string) => void,
  attempt: () => Promise<EscapeResult[]>,
): Promise<boolean> {
  try {
    const attempts = await attempt();
    const isClosed = attempts.every(({ result }) => result !== 'succeeded');
    print(`${name}: ${isClosed ? 'works' : `${who} can leave this jail`} (uid ${process.getuid?.()})`);
    for (const { name: what, result } of attempts) print(`  ${result.padEnd(10)}${what}`);
    return isClosed;
  } catch (error) {
    print(`${name}: does not work (uid ${process.getuid?.()}): ${(error as Error).message}`);
    return false;
  }
}
