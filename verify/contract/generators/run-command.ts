import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const linesMax = 30;

/** Runs a program and returns its output. A failure contains the last lines of both outputs. */
export async function runCommand(
  [program, ...args]: string[],
  { cwd, secondsMax, environment }: { cwd: string; secondsMax: number; environment?: Record<string, string> },
): Promise<string> {
  const options = {
    cwd,
    timeout: secondsMax * 1000,
    maxBuffer: 64 * 1024 ** 2,
    env: { ...process.env, ...environment },
  };
  try {
    const { stdout } = await promisify(execFile)(program as string, args, options);
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    const lines = `${stdout}\n${stderr}`.trim().split('\n').slice(-linesMax);
    throw new Error(lines.join('\n').trim() || message, { cause: error });
  }
}
