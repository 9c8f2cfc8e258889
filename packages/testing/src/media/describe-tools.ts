import type { Jail } from '@assay/jail/source/source.ts';
import { afterAll, beforeAll, describe } from 'vitest';
import { openToolRunner, type ToolRunner, type UserName, userNames, users } from './tool-runner.ts';

export type Tools = Omit<ToolRunner, 'stop'> & {
  user: UserName;
  /** Runs the script and returns its output; throws if the script did not run to its end. */
  readOutput(script: string, options?: Parameters<ToolRunner['attack']>[1]): Promise<string>;
};

/** Defines the same tests of tools in this jail twice: for a worker run by root, and for one run by another user. */
export function describeTools(
  jail: Jail,
  define: (tools: Tools) => void,
  open: (user: UserName) => Promise<ToolRunner> = (user) => openToolRunner(user, jail),
): void {
  for (const user of userNames) {
    const place = jail === 'none' ? 'without a jail' : `in a ${jail} jail`;
    const reason = users[user] ? '' : ' (skipped: only root can change the user)';
    describe.skipIf(reason)(`a tool ${place}, started by ${user}${reason}`, () => {
      let runner: ToolRunner;
      beforeAll(async () => {
        runner = await open(user);
      });
      afterAll(() => runner.stop());
      define({
        user,
        get child() {
          return runner.child;
        },
        run: (...args) => runner.run(...args),
        attack: (...args) => runner.attack(...args),
        countDescriptors: () => runner.countDescriptors(),
        readOutput: (...args) => readOutput(runner, ...args),
      });
    });
  }
}

async function readOutput(runner: ToolRunner, script: string, options: Parameters<ToolRunner['attack']>[1] = {}) {
  const { end, failure } = await runner.attack(`${script}; print "\\nend"`, options);
  const text = end?.stdout.toString() ?? '';
  if (failure || end?.stderr || !text.endsWith('\nend')) {
    throw new Error(`the script did not run to its end: ${failure?.message} ${failure?.cause} ${end?.stderr}`);
  }
  return text.slice(0, -'\nend'.length);
}
