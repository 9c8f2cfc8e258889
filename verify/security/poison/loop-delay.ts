import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The longest event loop delay of this process and of an idle process, in seconds. */
export type LoopDelays = { own: number; bare: number };

// Replies to each message with its longest delay since the previous one.
const bareProgram = `
  const delays = require('node:perf_hooks').monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  process.on('message', () => {
    process.send(delays.max / 1e9);
    delays.reset();
  });`;

/** Measures this process and, because a busy host delays every process, an idle one for comparison. */
export function openLoopDelays() {
  const own = monitorEventLoopDelay({ resolution: 10 });
  own.enable();
  const bare: ChildProcess = spawn(process.execPath, ['--eval', bareProgram], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return {
    pid: bare.pid,
    /** Returns the longest delays since the previous call. */
    async take(): Promise<LoopDelays> {
      const ownSeconds = own.max / 1e9;
      bare.send('take');
      const [bareSeconds] = (await once(bare, 'message')) as [number];
      own.reset();
      return { own: ownSeconds, bare: bareSeconds };
    },
    close: () => void bare.kill(),
  };
}
