import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describeTools, type Tools } from '@assay/testing/media/describe-tools.ts';
import { sample } from '@assay/testing/media/samples.ts';
import { findProcesses, openToolRunner } from '@assay/testing/media/tool-runner.ts';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { jailLevels } from './levels.ts';
import { runTool, type Tool } from './run-tool.ts';

const mebibyte = 1024 ** 2;
const sleepScript = 'select undef, undef, undef, 600';
const waitUntilGone = (mark: string) =>
  vi.waitFor(() => expect(findProcesses(mark)).toEqual([]), { timeout: 20_000, interval: 20 });
const waitUntilRunning = (mark: string) =>
  vi.waitFor(() => expect(findProcesses(mark).length).toBeGreaterThan(0), { timeout: 20_000, interval: 5 });

const limitFailure = (what: string) => ({
  message: `resource_limit_exceeded: /usr/bin/perl ${what}`,
  errorType: 'resource_limit_exceeded',
  cause: '',
});

for (const level of jailLevels) {
  describeTools(level, (runner) => {
    test('delivers its output whatever its exit code', async () => {
      const { end, failure, listenersLeft } = await runner.attack('print "out"; print STDERR "err"; exit 3');
      expect([failure, end]).toEqual([null, { exitCode: 3, stdout: Buffer.from('out'), stderr: 'err' }]);
      expect(listenersLeft).toBe(0); // otherwise listeners would accumulate, because many tools share one signal
    });

    test('has 128 plus the signal number as its exit code if it crashes', async () => {
      const { end } = await runner.attack('unpack "p", pack "J", 8');
      expect(end?.exitCode).toBe(128 + 11);
    });

    test('is reported as a failure of the service, not of the file, if it is not installed', async () => {
      const { failure } = await runner.run({ program: '/usr/bin/no-such-tool' });
      expect(failure).toMatchObject({
        errorType: null,
        message: expect.stringMatching(/^\/usr\/bin\/no-such-tool could not be run: .*No such file/),
      });
    });

    test('cannot exceed its CPU limit, even if it ignores the signal', async () => {
      const busy = { cpuSecondsMax: 1, secondsMax: 120 };
      expect((await runner.attack('1 while 1', busy)).failure).toEqual(limitFailure('exceeded its CPU limit of 1 s'));
      expect((await runner.attack('$SIG{XCPU} = "IGNORE"; 1 while 1', busy)).failure).toEqual(
        limitFailure('exceeded its CPU limit of 1 s and ignored the signal'),
      );
    }, 120_000);

    test('cannot exceed its memory limit', async () => {
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

    test('cannot exceed its thread limit', async () => {
      const script = `use threads ("stack_size" => 65536); no warnings "threads"; my $n = 0;
      while ($n < 300) { threads->create(sub { ${sleepScript} }) or last; $n++ }
      ${sleepScript} if $n == 300; # threads are counted every 100 ms at the landlock level
      print $n; close STDOUT; require POSIX; POSIX::_exit(0)`;
      const { end, failure } = await runner.attack(script, {
        memoryBytesMax: 4 * 1024 * mebibyte,
        cpuSecondsMax: 60,
        secondsMax: 100,
      });
      if (level === 'bubblewrap') {
        expect(failure).toBeNull();
        expect(Number(end?.stdout)).toBeGreaterThan(16);
        expect(Number(end?.stdout)).toBeLessThan(128);
      } else {
        expect([failure, end]).toEqual([limitFailure('exceeded its limit of 128 threads'), null]);
      }
    }, 120_000);

    test('cannot exceed its limit on output', async () => {
      const flood = await runner.attack('print "x" x 65536 while 1', { outputBytesMax: 100_000 });
      expect(flood.failure).toEqual(limitFailure('wrote more than 100000 bytes'));
      const exact = await runner.attack('print "x" x 100000', { outputBytesMax: 100_000 });
      expect(exact.end?.stdout.length).toBe(100_000);
    });

    test('runs to completion however much it writes to stderr, and only the start of stderr is kept', async () => {
      const { end } = await runner.attack('print STDERR "x" x 1024 for 1..4096; print "done"');
      expect([end?.stdout.toString(), end?.stderr.length]).toEqual(['done', 64 * 1024]);
    });

    test('is killed if it exceeds its time limit, and leaves no process behind', async () => {
      const mark = randomUUID();
      const script = `close STDOUT; close STDERR; ${sleepScript}`; // closing its pipes does not end the tool
      const { failure } = await runner.attack(script, { args: [mark], secondsMax: 1 });
      expect(failure).toEqual({
        message: 'analysis_timeout: /usr/bin/perl took longer than 1 s',
        errorType: 'analysis_timeout',
        cause: '',
      });
      await waitUntilGone(mark);
    });

    test('is killed whenever the caller aborts, and the call rejects with the caller’s reason', async () => {
      for (const abortAfterMillis of [1, 5, 10, 15, 20, 30, 50, 400]) {
        const mark = randomUUID();
        const { failure, listenersLeft } = await runner.attack(sleepScript, { args: [mark], abortAfterMillis });
        expect(failure).toMatchObject({ errorType: null, message: 'aborted by the test' });
        expect(listenersLeft).toBe(0);
        await waitUntilGone(mark);
      }
    });

    test('does not outlive a worker that is killed', async () => {
      const mark = randomUUID();
      const worker = await openToolRunner(runner.user, level);
      void worker.attack(sleepScript, { args: [mark], secondsMax: 600 });
      await waitUntilRunning(mark);
      await sleep(500); // by now the jail is set up
      expect(findProcesses(mark).length).toBeGreaterThan(level === 'bubblewrap' ? 1 : 0);
      worker.child.kill('SIGKILL');
      await waitUntilGone(mark);
    });

    test('does not outlive a worker that is killed during the setup of the jail', async () => {
      for (let millis = 0; millis < 24; millis += 6) {
        const mark = randomUUID();
        const worker = await openToolRunner(runner.user, level);
        await worker.countDescriptors(); // the worker is ready
        void worker.attack(sleepScript, { args: [mark], secondsMax: 600 });
        await waitUntilRunning(mark);
        await sleep(millis);
        worker.child.kill('SIGKILL');
        await waitUntilGone(mark);
      }
    }, 120_000);

    test('works if it is ffprobe or multi-threaded ffmpeg', async () => {
      const content = sample('clip.mp4');
      const probe = ['-v', 'error', '-show_entries', 'stream=codec_type', '-of', 'csv=p=0', '/in'];
      const { end } = await runner.run({ program: '/usr/bin/ffprobe', args: probe }, { content });
      expect([end?.exitCode, end?.stdout.toString(), end?.stderr]).toEqual([0, 'video\naudio\n', '']);
      const decode = ['-nostdin', '-v', 'error', '-threads', '4', '-i', '/in', '-f', 'framemd5', '-'];
      const decoded = await runner.run({ program: '/usr/bin/ffmpeg', args: decode }, { content });
      expect([decoded.failure, decoded.end?.exitCode, decoded.end?.stderr]).toEqual([null, 0, '']);
      expect(decoded.end?.stdout.toString().match(/^0, /gm)).toHaveLength(25);
    });

    test('works if it is ExifTool', async () => {
      const args = ['-json', '-ImageWidth', '-MIMEType', '/in'];
      const { end } = await runner.run({ program: '/usr/bin/exiftool', args }, { content: sample('still.jpg') });
      expect(JSON.parse(end?.stdout.toString() ?? '')).toEqual([
        { SourceFile: expect.stringMatching(/^\/(in|proc\/self\/fd\/3)$/), ImageWidth: 176, MIMEType: 'image/jpeg' },
      ]);
    });

    test('leaves no file descriptor open in the worker, however it ends', async () => {
      const ways: Parameters<Tools['attack']>[] = [
        ['print 1'],
        ['print "x" x 65536 while 1', { outputBytesMax: 1000 }],
        [sleepScript, { abortAfterMillis: 5 }],
        [sleepScript, { secondsMax: 0.02 }],
        ['socket(my $s, 2, 1, 0)'],
      ];
      for (const way of ways) await runner.attack(...way);
      const before = await runner.countDescriptors();
      for (let i = 0; i < 60; i += 4) {
        await Promise.all([0, 1, 2, 3].map((j) => runner.attack(...(ways[(i + j) % ways.length] ?? ['']))));
      }
      await vi.waitFor(async () => expect(await runner.countDescriptors()).toBe(before), { timeout: 10_000 });
    }, 120_000);
  });
}

describeTools('none', (runner) => {
  test('is reported as a failure of the host, not of the file, if it is killed by SIGKILL', async () => {
    const { failure } = await runner.attack('kill 9, $$');
    expect(failure).toMatchObject({
      errorType: null,
      message: expect.stringMatching(/^\/usr\/bin\/perl was killed/),
    });
  });

  test('can read the file, has an empty environment, and has a time limit and a CPU limit', async () => {
    const args = ['-json', '-ImageWidth', '/in'];
    const read = await runner.run({ program: '/usr/bin/exiftool', args }, { content: sample('still.jpg') });
    expect(read.end?.stdout.toString()).toContain('"ImageWidth": 176');
    expect((await runner.attack('print %ENV')).end?.stdout.toString()).toBe('');
    const mark = randomUUID();
    const late = await runner.attack(`fork; ${sleepScript}`, { secondsMax: 1, args: [mark] });
    expect(late.failure?.errorType).toBe('analysis_timeout');
    await waitUntilGone(mark);
    expect((await runner.attack('1 while 1', { cpuSecondsMax: 1 })).failure).toEqual(
      limitFailure('exceeded its CPU limit of 1 s'),
    );
  }, 120_000);
});

describe.each(jailLevels)('a %s jail', (level) => {
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
  const source = { fd, signal: new AbortController().signal, jail: level };

  test('is reported as not installed if the program that makes it is missing', async () => {
    await expect(runTool(nothing, source, '/usr/bin/no-such-jail')).rejects.toThrow(
      level === 'bubblewrap'
        ? /^bubblewrap is not installed \(apt-get install bubblewrap\): .*not found/
        : /^the launcher of the Landlock jail is not built \(pnpm kernel\): .*not found/,
    );
  });

  test('rejects with the cause, instead of returning an exit code, if it cannot be set up', async () => {
    await expect(runTool(nothing, { ...source, fd: 1_000_000 })).rejects.toThrow(/EBADF/);
    await expect(runTool({ ...nothing, memoryBytesMax: Number.NaN }, source)).rejects.toThrow(
      /could not be run: prlimit/,
    );
  });

  test('fails without crashing the worker when file descriptors run out, and works again later', async () => {
    // Frees one more descriptor each time, so that every step of the setup is at some point the first to fail.
    const script = `const { openSync, closeSync } = require('node:fs');
      import(${JSON.stringify(join(import.meta.dirname, 'run-tool.ts'))}).then(async ({ runTool }) => {
        const tool = ${JSON.stringify(nothing)}, ends = [];
        const source = { fd: openSync('/dev/null'), jail: ${JSON.stringify(level)}, signal: new AbortController().signal };
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

  test('is not set up if the signal is already aborted', async () => {
    const reason = new Error('gone');
    await expect(
      runTool(nothing, { ...source, signal: AbortSignal.abort(reason) }, '/usr/bin/no-such-jail'),
    ).rejects.toBe(reason);
  });
});
