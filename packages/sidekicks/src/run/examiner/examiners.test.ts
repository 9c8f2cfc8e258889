import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openAnonymousFile } from '@assay/jail/anonymous-file.ts';
import { jailLevels } from '@assay/jail/levels.ts';
import { MachineFailure } from '@assay/jail/machine-failure.ts';
import {
  belongsToExaminer,
  childrenOf,
  descendantsOf,
  isAlive,
  isExaminer,
  type Process,
} from '@assay/testing/faults/process-table.ts';
import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { makePlainVideo } from '@assay/testing/media/plain-video.ts';
import { makePdf, sample } from '@assay/testing/media/samples.ts';
import { withSource } from '@assay/testing/media/video-source.ts';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { builtInProfile, originOfBuiltIn } from '#profiles/built-in-profiles.ts';
import { chooseSidekicks } from '#sidekick/catalogue.ts';
import { runSidekicks } from '../run.ts';
import { ExaminerDied, type ExaminerLimits, lowPriorityNiceness, startExaminer, timeLimitSeconds } from './examiner.ts';
import { examinerProgram } from './examiner-program.ts';
import { type Examiners, openExaminers } from './examiners.ts';
import { createToolMemory } from './tool-memory.ts';

const limits: ExaminerLimits = {
  heapMegabytes: 256,
  secondsMin: 300,
  secondsPerSecond: 20,
  secondsMax: 3600,
  jail: 'bubblewrap',
};
const folder = mkdtempSync(join(tmpdir(), 'assay-examiner-'));
afterAll(() => rmSync(folder, { recursive: true }));

function openForTest(more: Partial<ExaminerLimits> = {}, spareCount = 0, memory = 2 ** 40): Examiners {
  const examiners = openExaminers({ ...limits, ...more }, spareCount, createToolMemory(memory));
  onTestFinished(examiners.close);
  return examiners;
}

function fileOf(filename: string, bytes: Uint8Array) {
  const path = join(folder, filename);
  writeFileSync(path, bytes);
  return {
    path,
    fd: openSync(path, 'r'),
    sizeBytes: bytes.length,
    filename,
    sidekickIds: null,
    profile: builtInProfile('ebu-r128'),
    origin: originOfBuiltIn('ebu-r128'),
    jail: 'bubblewrap',
  } as const;
}

const scriptedPdf = fileOf('scripted.pdf', makePdf('/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>'));
const textFile = fileOf('note.txt', Buffer.from('hello'));
const pdfOf = (filename: string, mebibytes: number, head: string, unit: string) =>
  fileOf(filename, Buffer.concat([Buffer.from(`%PDF-1.7\n1 0 obj\n${head}`), Buffer.alloc(mebibytes * 2 ** 20, unit)]));
/** The parser keeps every name until the end of the dictionary, which never ends. */
const memoryHungryPdf = pdfOf('memory.pdf', 40, '<<', '/S/abcdefg');
const slowPdf = pdfOf('time.pdf', 90, '', '<</S/Launch>>');
const watch = { signal: new AbortController().signal, report: () => {} };

/** The processes of this test's examiners, without other child processes. */
const examinersOf = (pid = process.pid) => descendantsOf(pid).filter((one) => isExaminer(one.pid));
/** All processes of this test's examiners: bubblewrap's, around an examiner, as well. */
const processesLeft = () => descendantsOf(process.pid).filter((one) => belongsToExaminer(one.pid));
/** The first process of each examiner, which exists as soon as it is started. */
const startedExaminers = () => childrenOf(process.pid).filter((one) => belongsToExaminer(one.pid));

async function waitUntilGone(processes: Process[]): Promise<void> {
  while (processes.some(isAlive)) await sleep(20);
}

describe('an examiner', () => {
  test.each([...jailLevels, 'none'] as const)(
    'in the jail %s returns the same findings as running the sidekicks in this process',
    async (jail) => {
      for (const { filename, path, ...rest } of [scriptedPdf, fileOf('still.jpg', sample('still.jpg'))]) {
        const here = await withSource(path, (source) =>
          runSidekicks(chooseSidekicks(null), source, declarationFor(filename)),
        );
        expect(here.findings.length + here.checks.length).toBeGreaterThan(0);
        const durations = here.durations.map(({ sidekick }) => ({ sidekick, seconds: expect.any(Number) }));
        const { file, reading } = await openAnonymousFile();
        await file.writeFile(readFileSync(path));
        const request = { ...rest, filename, fd: reading.fd, jail };
        expect(await openForTest({ jail }).examine('a', request, watch)).toEqual({ ...here, durations });
        await Promise.all([file.close(), reading.close()]);
      }
    },
  );

  test('is reused for up to 20 assets of one owner, but never for another owner', async () => {
    const examiners = openForTest({}, 1);
    const countAfter = async (owner: string) => {
      await examiners.examine(owner, textFile, watch);
      return startedExaminers().length;
    };
    // One process per owner and one spare.
    expect([await countAfter('a'), await countAfter('a'), await countAfter('b'), await countAfter('a')]).toEqual([
      2, 2, 3, 3,
    ]);
    const first = startedExaminers();
    for (let i = 0; i < 40; i++) await examiners.examine('a', textFile, watch);
    // At least two processes were replaced: owner a's process and its successor.
    expect(first.filter(isAlive).length).toBeLessThan(first.length - 1);
    await examiners.close();
    expect(processesLeft()).toEqual([]);
  });

  test('is kept for its owner after use, even if there are no spare processes', async () => {
    const examiners = openForTest();
    await examiners.examine('a', textFile, watch);
    const first = startedExaminers();
    await examiners.examine('a', textFile, watch);
    expect([first.length, startedExaminers()]).toEqual([1, first]);
  });

  test('that is idle is not evicted by an owner with many assets', async () => {
    const examiners = openForTest({}, 1);
    await examiners.examine('quiet', textFile, watch);
    const [own] = startedExaminers();
    await Promise.all(Array.from({ length: 6 }, () => examiners.examine('busy', textFile, watch)));
    await examiners.examine('quiet', textFile, watch);
    expect(own && isAlive(own)).toBe(true);
    await examiners.close();
  });

  describe('priority', () => {
    const low = lowPriorityNiceness;
    const prioritiesNow = () =>
      startedExaminers()
        .map(({ pid }) => getPriority(pid))
        .sort();

    test('is low for audio and video, so that the next document of the owner gets another process', async () => {
      const examiners = openForTest({}, 1);
      await examiners.examine('a', fileOf('video.mp4', sample('clip.mp4')), watch);
      expect(prioritiesNow()).toEqual([0, low]); // one process is a spare
      await examiners.examine('a', textFile, watch);
      expect(prioritiesNow()).toEqual([0, 0, low]);
      await examiners.close();
    });

    test('is not lowered for a document while a video of the same owner is examined', async () => {
      const examiners = openForTest({}, 2);
      const video = fileOf('video.mp4', sample('clip.mp4'));
      await Promise.all([video, textFile].map((file) => examiners.examine('a', file, watch)));
      expect(prioritiesNow().filter((niceness) => niceness > 0)).toEqual([low]);
      await examiners.close();
    });

    test("is low for an owner's concurrent documents after the first, but not for the first of another owner", async () => {
      const examiners = openForTest({}, 2);
      await Promise.all(['many', 'many', 'few'].map((owner) => examiners.examine(owner, textFile, watch)));
      expect(prioritiesNow().filter((niceness) => niceness > 0)).toEqual([low]);
      await examiners.close();
    });

    test('is lowered when an examination takes longer than a second', async () => {
      const stop = new AbortController();
      const examining = openForTest().examine('a', slowPdf, { ...watch, signal: stop.signal });
      examining.catch(() => {});
      while (examinersOf().length === 0) await sleep(10);
      expect(prioritiesNow()).toEqual([0]);
      await expect.poll(prioritiesNow).toContain(low);
      stop.abort();
      await examining.catch(() => {});
    });
  });

  test('fails a file that exceeds the heap limit, without affecting the calling process', async () => {
    const examining = openForTest({ heapMegabytes: 64 }).examine('a', memoryHungryPdf, watch);
    await expect(examining).rejects.toMatchObject({ errorType: 'resource_limit_exceeded' });
  });

  test('fails a file that exceeds the time limit, and leaves no process running', async () => {
    const examining = openForTest({ secondsMin: 0.5 }).examine('a', slowPdf, watch);
    await expect(examining).rejects.toMatchObject({ errorType: 'analysis_timeout' });
    expect(processesLeft()).toEqual([]);
  });

  test('stops when aborted and leaves no process running', async () => {
    const reason = new Error('aborted');
    const examining = openForTest().examine('a', slowPdf, { ...watch, signal: AbortSignal.timeout(500) });
    await expect(examining).rejects.toThrow(/timeout/i);
    const stopped = openForTest().examine('a', scriptedPdf, { ...watch, signal: AbortSignal.abort(reason) });
    await expect(stopped).rejects.toBe(reason);
    expect(processesLeft()).toEqual([]);
  });

  test('can be ended at any moment of its start, and leaves no process running', async () => {
    const program = examinerProgram();
    for (let millis = 0; millis < 40; millis += 2) {
      const examiner = startExaminer(limits, program);
      examiner.ready.catch(() => {});
      await sleep(millis);
      await examiner.kill();
      expect(processesLeft()).toEqual([]);
    }
  });

  test.each([
    ['SIGKILL', 'MachineFailure, because the worker did not send the signal', MachineFailure],
    ['SIGSEGV', 'ExaminerDied', ExaminerDied],
  ] as const)('that is ended by %s fails its asset with %s', async (signal, _, expected) => {
    const examining = openForTest().examine('a', slowPdf, watch);
    examining.catch(() => {});
    for (;;) {
      const [examiner] = examinersOf();
      await sleep(300);
      if (examiner && process.kill(examiner.pid, signal)) break;
    }
    await expect(examining).rejects.toBeInstanceOf(expected);
  });

  test('is killed when the worker dies, even if it is busy', async () => {
    const request = slowPdf;
    const script = `
      import { openSync } from 'node:fs';
      import { openExaminers } from ${JSON.stringify(join(import.meta.dirname, 'examiners.ts'))};
      import { createToolMemory } from ${JSON.stringify(join(import.meta.dirname, 'tool-memory.ts'))};
      const examiners = openExaminers(${JSON.stringify(limits)}, 1, createToolMemory(2 ** 30));
      const fd = openSync(${JSON.stringify(request.path)}, 'r');
      void examiners.examine('a', { ...${JSON.stringify(request)}, fd }, { signal: new AbortController().signal, report() {} });`;
    const worker = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore' });
    while (descendantsOf(worker.pid as number).length < 2) await sleep(50);
    const examiners = descendantsOf(worker.pid as number);
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    await waitUntilGone(examiners);
  });
});

describe('the time limit of an examination', () => {
  test('grows with the duration of the file, up to a maximum', () => {
    const limitFor = (seconds: number) => timeLimitSeconds(seconds, { ...limits, secondsMin: 600, secondsMax: 43_200 });
    expect([0, 60, 600, 7200].map(limitFor)).toEqual([600, 1800, 12_600, 43_200]);
  });

  /** Examines a video in a process that is suspended for longer than `secondsMin` once the duration is known. */
  async function examineSlowly(secondsPerSecond: number) {
    const secondsMin = 4;
    const examiners = openForTest({ secondsMin, secondsPerSecond }, 1);
    await examiners.examine('a', textFile, watch); // so that a process is ready, and the limit covers only the video
    const video = fileOf('video.mp4', readFileSync(await makePlainVideo(8)));
    const { promise: decoding, resolve: tellDecoding } = Promise.withResolvers<void>();
    // A larger share is reported only once the duration is known.
    const report = (share: number) => void (share > 0.1 && tellDecoding());
    const examining = examiners.examine('a', video, { ...watch, report });
    await Promise.race([decoding, examining]);
    // Idle examiners have the usual priority.
    const isBusy = ({ pid }: Process) => getPriority(pid) === lowPriorityNiceness;
    const busy = examinersOf().filter(isBusy);
    expect(busy).toHaveLength(1);
    const [examiner] = busy as [Process];
    process.kill(examiner.pid, 'SIGSTOP');
    await sleep((secondsMin + 1) * 1000);
    if (isAlive(examiner)) process.kill(examiner.pid, 'SIGCONT');
    return examining.finally(examiners.close);
  }

  test('is extended as soon as the duration is known', async () => {
    const { checks } = await examineSlowly(20);
    expect(checks.map(({ outcome }) => outcome)).toContain('ran');
  });

  test('is not extended if no time is added for the duration', async () => {
    await expect(examineSlowly(0)).rejects.toMatchObject({ errorType: 'analysis_timeout' });
  });
});

describe('the memory of the tools of all examiners', () => {
  const image = fileOf('still.png', sample('still.png'));
  const video = fileOf('clip.mp4', sample('clip.mp4'));

  test('lets files of several owners be examined at once where a tool needs more than there is', async () => {
    const examiners = openForTest({}, 0, 1);
    const examinations = ['a', 'a', 'b', 'c'].flatMap((owner) =>
      [image, video].map((file) => examiners.examine(owner, file, watch)),
    );
    for (const { checks } of await Promise.all(examinations)) expect(checks.length).toBeGreaterThan(0);
  });

  test('is free again after an examination is stopped while its tools run or wait', async () => {
    const examiners = openForTest({}, 0, 1);
    const long = fileOf('long.mp4', readFileSync(await makePlainVideo(60)));
    const stop = new AbortController();
    const stopped = [1, 2].map(() => examiners.examine('a', long, { ...watch, signal: stop.signal }));
    for (const one of stopped) one.catch(() => {});
    while (!descendantsOf(process.pid).some(({ name }) => name.startsWith('ffmpeg'))) await sleep(20);
    stop.abort(new Error('stopped'));
    for (const one of stopped) await expect(one).rejects.toThrow('stopped');
    expect((await examiners.examine('b', video, watch)).checks.length).toBeGreaterThan(0);
  });
});
