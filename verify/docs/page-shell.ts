import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtCli } from '@assay/testing/run/built-cli.ts';
import { nodeEnvironment } from '@assay/testing/run/node-environment.ts';
import { root } from '@assay/testing/run/root.ts';
import type { Block } from './blocks.ts';

const blockSecondsMax = 90;
const cliProgram = await builtCli();

type Runnable = Pick<Block, 'language' | 'text'>;
export type PageShell = ReturnType<typeof openPageShell>;

/** One bash for a whole page, like a reader's terminal: variables, functions and files persist. */
export function openPageShell(folder: string, environment: Record<string, string>) {
  mkdirSync(folder, { recursive: true });
  const bash = spawn('bash', ['--noprofile', '--norc'], {
    cwd: folder,
    env: {
      ...nodeEnvironment,
      ...environment,
      PATH: `${makeCommands(folder)}:${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
      HOME: folder,
      LANG: 'C.UTF-8',
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true, // so that its background processes can be stopped with it
  });
  let output = '';
  const logs: string[] = [];
  const keep = (piece: Buffer) => {
    output += piece;
  };
  bash.stdout.on('data', keep);
  bash.stderr.on('data', keep);
  bash.stdin.write('set -eu -o pipefail\n');

  const until = async (isReached: () => boolean, what: string) => {
    for (const deadline = Date.now() + blockSecondsMax * 1000; Date.now() < deadline; await sleep(20)) {
      if (isReached()) return;
      if (bash.exitCode !== null) throw new Error(`${what} exited with ${bash.exitCode}:\n${output}`);
    }
    throw new Error(`${what} took longer than ${blockSecondsMax} s:\n${output}`);
  };
  /** The shell commands that run a block; a program is written to a file first. */
  const commandsOf = (name: string, { language, text }: Runnable): string => {
    if (language !== 'ts') return text;
    writeFileSync(join(folder, `${name}.ts`), text);
    return `node ${name}.ts`;
  };
  const run = async (name: string, text: string): Promise<string> => {
    const file = join(folder, `${name}.sh`);
    const end = `end of ${name} ${randomUUID()}`;
    output = '';
    writeFileSync(file, text);
    // A block must not read the shell's input, which contains the next block.
    // The end of a block is marked in both output streams: a marker file would exist before the last output is read.
    bash.stdin.write(`. ${file} </dev/null\necho '${end}'\necho '${end}' >&2\n`);
    await until(() => output.split(end).length === 3, name);
    output = output.replaceAll(`${end}\n`, '');
    writeFileSync(join(folder, `${name}.out`), output); // kept so that it can be inspected, or quoted in the page
    return output;
  };
  return {
    folder,
    /** Runs commands and returns their output; throws if a line fails. */
    run,
    /** Runs a shell block, or a TypeScript program. */
    runBlock: (name: string, block: Runnable) => run(name, commandsOf(name, block)),
    /** Starts a long-running block, as in another terminal, and waits for its first output. */
    async startBlock(name: string, block: Runnable): Promise<void> {
      const log = join(folder, `${name}.log`);
      writeFileSync(join(folder, `${name}.sh`), commandsOf(name, block));
      bash.stdin.write(`(. ${join(folder, `${name}.sh`)}) </dev/null >${log} 2>&1 &\n`);
      await until(() => existsSync(log) && readFileSync(log, 'utf8').trim() !== '', name);
      logs.push(log);
    },
    /** Resolves once a background process has printed these words. */
    untilLogged: (words: string) =>
      until(() => logs.some((log) => readFileSync(log, 'utf8').includes(words)), `to print ${words}`),
    async close(): Promise<void> {
      if (bash.exitCode === null && bash.pid) {
        process.kill(-bash.pid, 'SIGKILL');
        await once(bash, 'exit');
      }
    },
  };
}

/** `assay` and `pnpm assay`, as in an installation and in a clone. */
function makeCommands(folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'assay'), `#!/bin/sh\nexec node ${cliProgram} "$@"\n`, { mode: 0o755 });
  const pnpm = `#!/bin/sh\n[ "$1" = assay ] || { echo "only pnpm assay is here" >&2; exit 127; }\nshift\nexec assay "$@"\n`;
  writeFileSync(join(bin, 'pnpm'), pnpm, { mode: 0o755 });
  return bin;
}
