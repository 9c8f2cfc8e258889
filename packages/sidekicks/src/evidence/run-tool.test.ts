import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sample } from '../../../../test/support/samples.ts';
import {
  findProcesses,
  openToolRunner,
  type ToolRunner,
  userNames,
  users,
} from '../../../../test/support/tool-runner.ts';
import { bubblewrap, runTool, type Tool } from './run-tool.ts';

const mebibyte = 1024 ** 2;
const forever = 'select undef, undef, undef, 600';
const untilNoneIsLeft = (mark: string) =>
  vi.waitFor(() => expect(findProcesses(mark)).toEqual([]), { timeout: 20_000, interval: 20 });
const untilItRuns = (mark: string) =>
  vi.waitFor(() => expect(findProcesses(mark).length).toBeGreaterThan(0), { timeout: 20_000, interval: 5 });

describe.each(userNames)('as %s', (user) => {
  const reason = users[user] ? '' : ' (skipped: only root can become somebody else)';
  describe.skipIf(reason)(`a tool${reason}`, () => {
    let runner: ToolRunner;
    beforeAll(async () => {
      runner = await openToolRunner(user);
    });
    afterAll(() => runner.stop());
    const exceeded = (cause: string) => ({
      message: 'resource_limit_exceeded',
      errorType: 'resource_limit_exceeded',
      cause: `/usr/bin/perl ${cause}`,
    });

    test('is heard, whatever its exit code', async () => {
      const { end, failure, listenersLeft } = await runner.attack('print "out"; print STDERR "err"; exit 3');
      expect([failure, end]).toEqual([null, { exitCode: 3, stdout: Buffer.from('out'), stderr: 'err' }]);
      expect(listenersLeft).toBe(0); // many tools are run under one signal
    });

    test('that crashes by a fault of its own has the exit code of its signal', async () => {
      const { end } = await runner.attack('unpack "p", pack "J", 8');
      expect(end?.exitCode).toBe(128 + 11);
    });

    test('that is not there is our failure, not the file’s', async () => {
      const { failure } = await runner.run({ program: '/usr/bin/no-such-tool' });
      expect(failure).toMatchObject({
        errorType: null,
        message: expect.stringMatching(/^\/usr\/bin\/no-such-tool could not be run: .*No such file/),
      });
    });

    test('gets no more CPU seconds than it may have, not even by ignoring the signal', async () => {
      const busy = { cpuSecondsMax: 1, secondsMax: 120 };
      expect((await runner.attack('1 while 1', busy)).failure).toEqual(exceeded('used up its CPU seconds'));
      expect((await runner.attack('$SIG{XCPU} = "IGNORE"; 1 while 1', busy)).failure).toEqual(
        exceeded('used up its CPU seconds, and ignored the signal'),
      );
    }, 120_000);

    test('that somebody else kills is a failure of the machine, not the file’s', async () => {
      const { failure } = await runner.attack('kill 9, $$', { cage: 'none' });
      expect(failure).toMatchObject({
        errorType: null,
        message: expect.stringMatching(/^\/usr\/bin\/perl was killed/),
      });
    });

    test('gets no more memory than it may have', async () => {
      const take = (megabytes: number) =>
        runner.attack(`my $x = "x" x (${megabytes} * 1024 * 1024); print length $x`, {
          memoryBytesMax: 256 * mebibyte,
        });
      expect((await take(50)).end?.stdout.toString()).toBe(`${50 * mebibyte}`);
      const { end, failure } = await take(300);
      expect([failure, end?.stdout.toString()]).toEqual([null, '']);
      expect(end?.exitCode).not.toBe(0);
      expect(end?.stderr).toMatch(/out of memory/i);
    });

    test('gets no more threads than it may have', async () => {
      const script = `use threads ("stack_size" => 65536); no warnings "threads"; my $n = 0;
        while ($n < 300) { threads->create(sub { ${forever} }) or last; $n++ }
        print $n; close STDOUT; require POSIX; POSIX::_exit(0)`;
      const { end, failure } = await runner.attack(script, {
        memoryBytesMax: 4 * 1024 * mebibyte,
        cpuSecondsMax: 60,
        secondsMax: 100,
      });
      expect(failure).toBeNull();
      expect(Number(end?.stdout)).toBeGreaterThan(16);
      expect(Number(end?.stdout)).toBeLessThan(128);
    }, 120_000);

    test('writes no larger file and no more output than it may', async () => {
      const { failure } = await runner.attack('open(my $f, ">", "/tmp/x"); syswrite $f, "x" x 1048576 for 1..48');
      expect(failure).toEqual(exceeded('wrote a larger file than it may'));
      const flood = await runner.attack('print "x" x 65536 while 1', { outputBytesMax: 100_000 });
      expect(flood.failure).toEqual(exceeded('wrote more than 100000 bytes'));
      const exact = await runner.attack('print "x" x 100000', { outputBytesMax: 100_000 });
      expect(exact.end?.stdout.length).toBe(100_000);
    });

    test('that complains at length is read to its end, and remembered in part', async () => {
      const { end } = await runner.attack('print STDERR "x" x 1024 for 1..4096; print "done"');
      expect([end?.stdout.toString(), end?.stderr.length]).toEqual(['done', 64 * 1024]);
    });

    test('that takes too long is ended, and nothing of it is left', async () => {
      const mark = randomUUID();
      const script = `close STDOUT; close STDERR; ${forever}`; // nobody waits for its pipes
      const { failure } = await runner.attack(script, { args: [mark], secondsMax: 1 });
      expect(failure).toEqual({
        message: 'analysis_timeout',
        errorType: 'analysis_timeout',
        cause: '/usr/bin/perl took longer than 1 s',
      });
      await untilNoneIsLeft(mark);
    });

    test('ends when the caller no longer wants it, with the caller’s reason, at whatever moment', async () => {
      for (const abortAfterMillis of [1, 5, 10, 15, 20, 30, 50, 400]) {
        const mark = randomUUID();
        const { failure, listenersLeft } = await runner.attack(forever, { args: [mark], abortAfterMillis });
        expect(failure).toMatchObject({ errorType: null, message: 'told to stop' });
        expect(listenersLeft).toBe(0);
        await untilNoneIsLeft(mark);
      }
    });

    test('does not outlive the worker, however that ends', async () => {
      const mark = randomUUID();
      const worker = await openToolRunner(user);
      void worker.attack(forever, { args: [mark], secondsMax: 600 });
      await untilItRuns(mark);
      await sleep(500); // now it is past the building of its cage
      expect(findProcesses(mark).length).toBeGreaterThan(1);
      worker.child.kill('SIGKILL');
      await untilNoneIsLeft(mark);
    });

    test('does not outlive a worker that is killed while the cage is built', async () => {
      for (let millis = 0; millis < 24; millis += 3) {
        const mark = randomUUID();
        const worker = await openToolRunner(user);
        await worker.countDescriptors(); // it is up
        void worker.attack(forever, { args: [mark], secondsMax: 600 });
        await untilItRuns(mark);
        await sleep(millis);
        worker.child.kill('SIGKILL');
        await untilNoneIsLeft(mark);
      }
    }, 120_000);

    test('is read by ffprobe and decoded by ffmpeg with threads', async () => {
      const content = sample('clip.mp4');
      const probe = ['-v', 'error', '-show_entries', 'stream=codec_type', '-of', 'csv=p=0', '/in'];
      const { end } = await runner.run({ program: '/usr/bin/ffprobe', args: probe }, { content });
      expect([end?.exitCode, end?.stdout.toString(), end?.stderr]).toEqual([0, 'video\naudio\n', '']);
      const decode = ['-nostdin', '-v', 'error', '-threads', '4', '-i', '/in', '-f', 'framemd5', '-'];
      const decoded = await runner.run({ program: '/usr/bin/ffmpeg', args: decode }, { content });
      expect([decoded.failure, decoded.end?.exitCode, decoded.end?.stderr]).toEqual([null, 0, '']);
      expect(decoded.end?.stdout.toString().match(/^0, /gm)).toHaveLength(25);
    });

    test('is read by exiftool', async () => {
      const args = ['-json', '-ImageWidth', '-MIMEType', '/in'];
      const { end } = await runner.run({ program: '/usr/bin/exiftool', args }, { content: sample('still.jpg') });
      expect(JSON.parse(end?.stdout.toString() ?? '')).toEqual([
        { SourceFile: '/in', ImageWidth: 176, MIMEType: 'image/jpeg' },
      ]);
    });

    test('without a cage sees the file too, has no environment of ours and ends in time', async () => {
      const args = ['-json', '-ImageWidth', '/in'];
      const read = await runner.run(
        { program: '/usr/bin/exiftool', args },
        { content: sample('still.jpg'), cage: 'none' },
      );
      expect(read.end?.stdout.toString()).toContain('"ImageWidth": 176');
      expect((await runner.attack('print %ENV', { cage: 'none' })).end?.stdout.toString()).toBe('');
      const mark = randomUUID();
      const late = await runner.attack(`fork; ${forever}`, { cage: 'none', secondsMax: 1, args: [mark] });
      expect(late.failure?.errorType).toBe('analysis_timeout');
      await untilNoneIsLeft(mark);
      expect((await runner.attack('1 while 1', { cage: 'none', cpuSecondsMax: 1 })).failure).toEqual(
        exceeded('used up its CPU seconds'),
      );
    }, 120_000);

    test('leaves no descriptor behind, however it ends', async () => {
      const ways: Parameters<ToolRunner['attack']>[] = [
        ['print 1'],
        ['print "x" x 65536 while 1', { outputBytesMax: 1000 }],
        [forever, { abortAfterMillis: 5 }],
        [forever, { secondsMax: 0.02 }],
        ['socket(my $s, 2, 1, 0)'],
      ];
      for (const way of ways) await runner.attack(...way);
      const before = await runner.countDescriptors();
      for (let i = 0; i < 200; i += 4) {
        await Promise.all([0, 1, 2, 3].map((j) => runner.attack(...(ways[(i + j) % ways.length] ?? ['']))));
      }
      await vi.waitFor(async () => expect(await runner.countDescriptors()).toBe(before), { timeout: 10_000 });
    }, 120_000);
  });
});

describe('a cage', () => {
  const fd = openSync(import.meta.filename, 'r');
  afterAll(() => closeSync(fd));
  const nothing: Tool = {
    program: '/usr/bin/true',
    args: [],
    secondsMax: 60,
    cpuSecondsMax: 10,
    memoryBytesMax: 256 * mebibyte,
    outputBytesMax: 1000,
  };
  const source = { fd, signal: new AbortController().signal, cage: 'bubblewrap' } as const;

  test('that is not installed says so', async () => {
    await expect(runTool(nothing, source, '/usr/bin/no-such-cage')).rejects.toThrow(
      /^bubblewrap is not installed: .*apt-get install bubblewrap/,
    );
  });

  test('that cannot be built says why, and does not pass for a tool that failed', async () => {
    await expect(runTool(nothing, { ...source, fd: 1_000_000 })).rejects.toThrow(/EBADF/);
    await expect(runTool({ ...nothing, memoryBytesMax: Number.NaN }, source)).rejects.toThrow(
      /could not be run: prlimit/,
    );
  });

  test('that cannot be built for want of descriptors is a failure, and no more', async () => {
    // Leaves ever more descriptors free, so that each step of a start is the first one without.
    const script = `const { openSync, closeSync } = require('node:fs');
      import(${JSON.stringify(join(import.meta.dirname, 'run-tool.ts'))}).then(async ({ runTool }) => {
        const tool = ${JSON.stringify(nothing)}, ends = [];
        const source = { fd: openSync('/dev/null'), cage: 'bubblewrap', signal: new AbortController().signal };
        const taken = [];
        try { for (;;) taken.push(openSync('/dev/null')); } catch {}
        for (let free = 0; free < 20; free++) {
          ends.push(await runTool(tool, source).then(() => 'ran', () => 'failed'));
          closeSync(taken.pop());
        }
        for (const fd of taken) closeSync(fd);
        ends.push(await runTool(tool, source).then(() => 'ran', () => 'failed'));
        console.log(ends.join(' '));
      })`;
    const { stdout } = await promisify(execFile)('/usr/bin/prlimit', [
      '--nofile=300',
      process.execPath,
      '--eval',
      script,
    ]);
    expect(stdout).toMatch(/^(failed ){2,}(failed |ran )*ran\n$/);
  });

  test('is not built for a caller who is no longer there', async () => {
    const reason = new Error('gone');
    await expect(
      runTool(nothing, { ...source, signal: AbortSignal.abort(reason) }, '/usr/bin/no-such-cage'),
    ).rejects.toBe(reason);
  });

  test('costs little more than bubblewrap itself', async () => {
    const bare = async (program: string, args: string[]) => {
      const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      await once(child, 'close');
    };
    const ways = {
      bare: () => bare('/usr/bin/true', []),
      bubblewrap: () => bare(bubblewrap, ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '/usr/bin/true']),
      cage: () => runTool(nothing, source),
    };
    const millis = { bare: [] as number[], bubblewrap: [] as number[], cage: [] as number[] };
    for (let i = 0; i < 50; i++) {
      for (const way of Object.keys(ways) as (keyof typeof ways)[]) {
        const beganAt = performance.now();
        await ways[way]();
        millis[way].push(performance.now() - beganAt);
      }
    }
    const median = (all: number[]) => all.toSorted((a, b) => a - b)[all.length >> 1] ?? Number.NaN;
    const [own, wrapped, caged] = [median(millis.bare), median(millis.bubblewrap), median(millis.cage)];
    console.log(
      `a caged call takes ${(caged - own).toFixed(1)} ms more than a bare one (${own.toFixed(1)} ms), bubblewrap alone ${(wrapped - own).toFixed(1)} ms`,
    );
    expect(caged).toBeLessThan(wrapped * 4);
  }, 120_000);
});
