import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtCli } from '@assay/testing/run/built-cli.ts';
import { nodeEnvironment } from '@assay/testing/run/node-environment.ts';
import { afterAll } from 'vitest';

const scratch = mkdtempSync(join(tmpdir(), 'assay-cli-'));
afterAll(() => rmSync(scratch, { recursive: true }));
export const mainFile = await builtCli();

type RunResult = { code: number | null; stdout: string; stderr: string };
export type RunningProcess = {
  child: ChildProcess;
  printed: { stdout: string; stderr: string };
  ended: Promise<RunResult>;
};
type Options = { key?: string | undefined; environment?: Record<string, string>; input?: string; cwd?: string };

/** Runs the CLI as a user does, with a home folder and a working folder of its own. */
export function openAssay(baseUrl: string, defaultKey?: string) {
  const home = mkdtempSync(join(scratch, 'home-'));
  const folder = mkdtempSync(join(scratch, 'files-'));

  function start(
    args: string[],
    { environment = {}, input = '', cwd = folder, ...options }: Options = {},
  ): RunningProcess {
    const key = 'key' in options ? options.key : defaultKey;
    const child = spawn(process.execPath, [mainFile, ...args], {
      cwd,
      env: {
        ...nodeEnvironment,
        XDG_CONFIG_HOME: home,
        ASSAY_BASE_URL: baseUrl,
        ...(key && { ASSAY_API_KEY: key }),
        ...environment,
      },
    });
    const printed = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      printed.stdout += piece;
    });
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      printed.stderr += piece;
    });
    child.stdin.end(input);
    const ended = once(child, 'close').then(([code]) => ({ code, ...printed }));
    return { child, printed, ended };
  }
  return { home, folder, start, run: (args: string[], options?: Options) => start(args, options).ended };
}

/** Waits until the condition is true; throws if that takes too long. */
export async function waitUntil(isTrue: () => boolean, secondsMax = 60): Promise<void> {
  for (const deadline = Date.now() + secondsMax * 1000; !isTrue(); await sleep(20)) {
    if (Date.now() > deadline) throw new Error(`the condition is still false after ${secondsMax} s`);
  }
}
