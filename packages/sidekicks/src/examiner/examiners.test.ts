import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { familyOf, isAlive, isExaminer, type Process } from '../../../../test/chaos/process-table.ts';
import { declaredAs } from '../../../../test/support/declared-as.ts';
import { withSource } from '../../../../test/support/film-source.ts';
import { makePlainVideo } from '../../../../test/support/plain-video.ts';
import { makePdf } from '../../../../test/support/samples.ts';
import { chooseSidekicks } from '../catalogue.ts';
import { MachineFailure } from '../evidence/machine-failure.ts';
import { runSidekicks } from '../run.ts';
import { ExaminerDied, type ExaminerLimits, secondsFor } from './examiner.ts';
import { type Examiners, openExaminers } from './examiners.ts';

const limits: ExaminerLimits = { heapMegabytes: 256, secondsMin: 300, secondsPerSecond: 20, secondsMax: 3600 };
const folder = mkdtempSync(join(tmpdir(), 'assay-examiner-'));
const opened: Examiners[] = [];
afterAll(async () => {
  await Promise.all(opened.map((examiners) => examiners.close()));
  rmSync(folder, { recursive: true });
});

function open(more: Partial<ExaminerLimits> = {}, spareCount = 0): Examiners {
  const examiners = openExaminers({ ...limits, ...more }, spareCount);
  opened.push(examiners);
  return examiners;
}

function fileOf(filename: string, bytes: Uint8Array) {
  const path = join(folder, filename);
  writeFileSync(path, bytes);
  return {
    path,
    sizeBytes: bytes.length,
    filename,
    sidekickIds: null,
    profile: 'ebu-r128',
    cage: 'bubblewrap',
  } as const;
}

const pdf = fileOf('scripted.pdf', makePdf('/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>'));
const text = fileOf('note.txt', Buffer.from('hello'));
const pdfOf = (filename: string, mebibytes: number, head: string, unit: string) =>
  fileOf(filename, Buffer.concat([Buffer.from(`%PDF-1.7\n1 0 obj\n${head}`), Buffer.alloc(mebibytes * 2 ** 20, unit)]));
/** Each name is kept until the end of a dictionary that never ends. */
const takesMemory = pdfOf('memory.pdf', 40, '<<', '/S/abcdefg');
const takesTime = pdfOf('time.pdf', 90, '', '<</S/Launch>>');
const watch = { signal: new AbortController().signal, report: () => {} };

/** The processes of this test's examiners, whatever else runs below this process. */
const examinersOf = (pid = process.pid) => familyOf(pid).filter(({ name }) => !name.startsWith('esbuild'));

async function untilGone(processes: Process[]): Promise<void> {
  while (processes.some(isAlive)) await sleep(20);
}

describe('an examiner', () => {
  test('finds what the sidekicks find in this process', async () => {
    const here = await withSource(pdf.path, (source) =>
      runSidekicks(chooseSidekicks(null), source, declaredAs(pdf.filename)),
    );
    expect(here.findings.length).toBeGreaterThan(0);
    const durations = here.durations.map(({ sidekick }) => ({ sidekick, seconds: expect.any(Number) }));
    expect(await open().examine('a', pdf, watch)).toEqual({ ...here, durations });
  });

  test('serves assets of one owner one after another, never those of two, and 20 at the most', async () => {
    const examiners = open({}, 1);
    const countAfter = async (owner: string) => {
      await examiners.examine(owner, text, watch);
      return examinersOf().length;
    };
    // Each owner has a process, and one is fresh.
    expect([await countAfter('a'), await countAfter('a'), await countAfter('b'), await countAfter('a')]).toEqual([
      2, 2, 3, 3,
    ]);
    const first = examinersOf();
    for (let i = 0; i < 40; i++) await examiners.examine('a', text, watch);
    expect(first.filter(isAlive).length).toBeLessThan(first.length - 1); // that of a, and the one that followed it
    await examiners.close();
    expect(examinersOf()).toEqual([]);
  });

  test('one owner with many assets does not take the idle processes of another', async () => {
    const examiners = open({}, 1);
    await examiners.examine('quiet', text, watch);
    const [own] = examinersOf().filter(({ pid }) => isExaminer(pid));
    await Promise.all(Array.from({ length: 6 }, () => examiners.examine('busy', text, watch)));
    await examiners.examine('quiet', text, watch);
    expect(own && isAlive(own)).toBe(true);
    await examiners.close();
  });

  describe('gives way to others', () => {
    const prioritiesNow = () =>
      examinersOf()
        .map(({ pid }) => getPriority(pid))
        .sort();

    test('once it plays media; short work is then given to another', async () => {
      const examiners = open({}, 1);
      await examiners.examine('a', fileOf('video.mp4', readFileSync(await makePlainVideo())), watch);
      expect(prioritiesNow()).toEqual([0, 7]); // one is fresh
      await examiners.examine('a', text, watch);
      expect(prioritiesNow()).toEqual([0, 0, 7]);
      await examiners.close();
    });

    test('once it takes longer than a second', async () => {
      const stop = new AbortController();
      const examining = open().examine('a', takesTime, { ...watch, signal: stop.signal });
      examining.catch(() => {});
      while (examinersOf().length === 0) await sleep(10);
      expect(prioritiesNow()).toEqual([0]);
      await expect.poll(prioritiesNow).toContain(7);
      stop.abort();
      await examining.catch(() => {});
    });
  });

  test('a file that takes more heap than it may fails, and this process goes on', async () => {
    const examining = open({ heapMegabytes: 64 }).examine('a', takesMemory, watch);
    await expect(examining).rejects.toMatchObject({ errorType: 'resource_limit_exceeded' });
  });

  test('a file that takes longer than it may is stopped, and nothing of it goes on', async () => {
    const examining = open({ secondsMin: 0.5 }).examine('a', takesTime, watch);
    await expect(examining).rejects.toMatchObject({ errorType: 'analysis_timeout' });
    expect(examinersOf()).toEqual([]);
  });

  test('is stopped by its signal, and nothing of it goes on', async () => {
    const reason = new Error('told to stop');
    const examining = open().examine('a', takesTime, { ...watch, signal: AbortSignal.timeout(500) });
    await expect(examining).rejects.toThrow(/timeout/i);
    const stopped = open().examine('a', pdf, { ...watch, signal: AbortSignal.abort(reason) });
    await expect(stopped).rejects.toBe(reason);
    expect(examinersOf()).toEqual([]);
  });

  test.each([
    ['SIGKILL', 'is a failure of the machine, as nobody of us killed it', MachineFailure],
    ['SIGSEGV', 'is its death', ExaminerDied],
  ] as const)('one that ends by %s %s', async (signal, _, expected) => {
    const examining = open().examine('a', takesTime, watch);
    examining.catch(() => {});
    for (;;) {
      const [examiner] = examinersOf();
      await sleep(300);
      if (examiner && process.kill(examiner.pid, signal)) break;
    }
    await expect(examining).rejects.toBeInstanceOf(expected);
  });

  test('dies with the worker, whatever it is doing', async () => {
    const request = takesTime;
    const script = `
      import { openExaminers } from ${JSON.stringify(join(import.meta.dirname, 'examiners.ts'))};
      const examiners = openExaminers(${JSON.stringify(limits)}, 1);
      void examiners.examine('a', ${JSON.stringify(request)}, { signal: new AbortController().signal, report() {} });`;
    const worker = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore' });
    while (familyOf(worker.pid as number).length < 2) await sleep(50);
    const examiners = familyOf(worker.pid as number);
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    await untilGone(examiners);
  });
});

describe('the time limit', () => {
  test('follows how long the file plays, up to a ceiling', () => {
    const ofSeconds = (seconds: number) => secondsFor(seconds, { ...limits, secondsMin: 600, secondsMax: 43_200 });
    expect([0, 60, 600, 7200].map(ofSeconds)).toEqual([600, 1800, 12_600, 43_200]);
  });

  /** Examines a video in a process that stands still for longer than `secondsMin` once it knows how long the video plays. */
  async function examineSlowly(secondsPerSecond: number) {
    const secondsMin = 10;
    const video = fileOf('video.mp4', readFileSync(await makePlainVideo()));
    const { promise: decoding, resolve: tellDecoding } = Promise.withResolvers<void>();
    const report = () => tellDecoding(); // how far it is can be said only once the duration is known
    const examining = open({ secondsMin, secondsPerSecond }).examine('a', video, { ...watch, report });
    await Promise.race([decoding, examining]);
    const [examiner] = examinersOf().filter(({ pid }) => isExaminer(pid)) as [Process];
    process.kill(examiner.pid, 'SIGSTOP');
    await sleep((secondsMin + 1) * 1000);
    if (isAlive(examiner)) process.kill(examiner.pid, 'SIGCONT');
    return examining;
  }

  test('of a file that plays is longer, as soon as its duration is known', async () => {
    const { checks } = await examineSlowly(20);
    expect(checks.map(({ outcome }) => outcome)).toContain('ran');
  });

  test('of a file whose duration gives it no more time stays as it is', async () => {
    await expect(examineSlowly(0)).rejects.toMatchObject({ errorType: 'analysis_timeout' });
  });
});
