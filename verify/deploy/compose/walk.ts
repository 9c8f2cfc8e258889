import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf } from '#verify/docs/blocks.ts';
import { inNamespace } from './engine.ts';

/** Enough for the longest command, `docker compose up`. */
const commandSecondsMax = 240;
/** Stops endless loops, in which each single command is short. */
const walkSecondsMax = 900;
/** The issue that the video of the quickstart must get. */
const expectedRule = 'PSE-LUMINANCE';
const linesMax = 60;

export type Walk = { output: string; secondsToIssue: number };

/** The commands for readers with Docker, in order. Blocks with pnpm are for an installation from source. */
export function commandsOf(page: string): string {
  return shellBlocksOf(page)
    .filter((text) => !text.includes('pnpm'))
    .join('');
}

export const blockWith = (words: string, page: string) => onlyOneWith(words, shellBlocksOf(page));
export const lineWith = (words: string, page: string) => onlyOneWith(words, commandsOf(page).split('\n'));

function shellBlocksOf(page: string): string[] {
  return blocksOf(page)
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text);
}

function onlyOneWith(words: string, texts: string[]): string {
  const [text = '', ...more] = texts.filter((one) => one.includes(words));
  if (text === '' || more.length > 0) throw new Error(`the page must contain exactly once: ${words}`);
  return text;
}

/**
 * Runs the commands in one shell, as a reader would in a terminal, until one fails or takes too long. Throws unless the
 * issue is printed; counts the seconds from `docker compose up` until then.
 */
export async function walk(
  name: string,
  commands: string,
  { folder, environment }: { folder: string; environment: Record<string, string> },
): Promise<Walk> {
  const script = join(folder, `${name.replaceAll(/\W+/g, '-')}.sh`);
  writeFileSync(script, `set -eu -o pipefail\ntrap 'echo "$BASH_COMMAND" >&3' DEBUG\n${commands}`);
  const bash = spawn('nsenter', inNamespace('bash', '--noprofile', '--norc', script), {
    cwd: folder,
    env: environment,
    // Standard input stays open, as in a terminal: a command that reads to its end would hang for a user of the page too.
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    detached: true, // so that what it started can be killed with it
  });
  let output = '';
  let command = '';
  let upAt = 0;
  let issueAt = 0;
  let isTooLong = false;
  const stopAfter = (seconds: number) =>
    setTimeout(() => {
      isTooLong = true;
      process.kill(-(bash.pid as number), 'SIGKILL');
    }, seconds * 1000);
  const walkTimer = stopAfter(walkSecondsMax);
  let commandTimer: NodeJS.Timeout | undefined;
  const keep = (piece: Buffer) => {
    output += piece;
    if (!issueAt && output.includes(expectedRule)) issueAt = performance.now();
  };
  bash.stdout.on('data', keep);
  bash.stderr.on('data', keep);
  bash.stdio[3]?.on('data', (piece: Buffer) => {
    command = `${piece}`.trim();
    if (/^docker compose up/m.test(command)) upAt = performance.now();
    clearTimeout(commandTimer);
    commandTimer = stopAfter(commandSecondsMax);
  });
  const [code] = await once(bash, 'close');
  clearTimeout(commandTimer);
  clearTimeout(walkTimer);
  const fail = (what: string) => {
    throw new Error(`${name}: ${what}\n${output.split('\n').slice(-linesMax).join('\n')}`);
  };
  if (isTooLong) fail(`took too long: ${command}`);
  if (code !== 0) fail(`exited with ${code}: ${command}`);
  if (!issueAt) fail(`did not print ${expectedRule}`);
  return { output, secondsToIssue: (issueAt - upAt) / 1000 };
}
