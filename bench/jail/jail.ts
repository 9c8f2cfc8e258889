import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { release } from 'node:os';
import { openAnonymousFile, withAnonymousFile } from '@assay/jail/anonymous-file.ts';
import { fileByDescriptor } from '@assay/jail/jail.ts';
import { jailLevels } from '@assay/jail/levels.ts';
import { runTool } from '@assay/jail/run-tool.ts';
import type { Jail } from '@assay/jail/source/source.ts';
import { builtInProfile, originOfBuiltIn } from '@assay/sidekicks/profiles/built-in-profiles.ts';
import { type Examiner, startExaminer } from '@assay/sidekicks/run/examiner/examiner.ts';
import { median, spreadPercent } from '@assay/testing/measure/statistics.ts';
import { formatTable } from '@assay/testing/measure/table.ts';
import { sample } from '@assay/testing/media/samples.ts';
import { conclude } from '../measure/conclude.ts';
import { formatRatios, type Ratio } from '../measure/ratio.ts';
import { formatHead, sliceFootnote } from '../measure/report.ts';

const settings = { rounds: 10, calls: 12 };

const probe = ['-v', 'error', '-show_entries', 'stream=codec_type', '-of', 'csv=p=0'];
const tools = {
  true: { program: '/usr/bin/true', args: (_path: string): string[] => [] },
  ffprobe: { program: '/usr/bin/ffprobe', args: (path: string) => [...probe, path] },
};
const limits = { secondsMax: 60, cpuSecondsMax: 20, memoryBytesMax: 1024 ** 3, outputBytesMax: 1024 ** 2 };

/** Measures how much time each kind of jail adds to a tool call. */
export async function benchJail(args: string[]): Promise<boolean> {
  const rows: Record<string, string>[] = [];
  const ratios: Ratio[] = [];
  await withAnonymousFile(sample('clip.mp4'), (fd) => benchTools(fd, rows, ratios));
  const examinerRows = await benchExaminers();
  const head = formatHead({
    title: 'What the jail adds to a call of a tool and to an examination',
    command: ['pnpm bench jail', ...args].join(' '),
    settings: `${settings.rounds} rounds of ${settings.calls} calls, alternating; a round counts with its median call`,
    versions: { Node: process.versions.node, Linux: release(), bubblewrap: versionOf('/usr/bin/bwrap') },
  });
  const text = [
    head,
    formatRatios(ratios, 'calls/s'),
    formatTable(rows),
    formatTable(examinerRows),
    sliceFootnote,
  ].join('\n\n');
  return conclude(text, ratios, args, 'jail/jail.md');
}

async function benchTools(fd: number, rows: Record<string, string>[], ratios: Ratio[]) {
  const { signal } = new AbortController();
  for (const [name, { program, args: argsFor }] of Object.entries(tools)) {
    const ways: Record<string, () => Promise<unknown>> = {
      bare: () => runBare(program, argsFor(fileByDescriptor), fd),
      ...Object.fromEntries(
        ['none' as const, ...jailLevels].map((jail) => [
          jail,
          () => runTool({ program, args: argsFor('/in'), ...limits }, { fd, signal, jail }),
        ]),
      ),
    };
    const millis = await timeInTurns(ways);
    const bare = millis.get('bare') ?? [];
    for (const [way, values] of millis) {
      rows.push({
        tool: name,
        jail: way === 'none' ? 'limits only' : way,
        'ms per call': median(values).toFixed(1),
        spread: `${spreadPercent(values).toFixed(0)} %`,
        'more than bare': `${median(values.map((value, i) => value - (bare[i] ?? Number.NaN))).toFixed(1)} ms`,
      });
    }
    const shares = (millis.get('bubblewrap') ?? []).map(
      (value, i) => value / (millis.get('landlock')?.[i] ?? Number.NaN),
    );
    ratios.push({ name: `${name}: Landlock / bubblewrap`, values: shares, median: median(shares), required: 1 });
  }
}

/** Starts a process that examines, and examines an image in one that is running; its tools are in the same jail. */
async function benchExaminers(): Promise<Record<string, string>[]> {
  const { file, reading } = await openAnonymousFile();
  const image = sample('still.jpg');
  await file.write(image);
  const { signal } = new AbortController();
  const profile = builtInProfile('ebu-r128');
  const running = new Map<Jail, Examiner>();
  const starts: Record<string, () => Promise<unknown>> = {};
  const examinations: Record<string, () => Promise<unknown>> = {};
  for (const jail of ['none' as const, ...jailLevels]) {
    const start = () =>
      startExaminer({ heapMegabytes: 512, secondsMin: 60, secondsPerSecond: 0, secondsMax: 60, jail });
    running.set(jail, start());
    const request = {
      fd: reading.fd,
      sizeBytes: image.length,
      filename: 'still.jpg',
      sidekickIds: null,
      profile,
      origin: originOfBuiltIn('ebu-r128'),
      jail,
    };
    const reserveMemory = async () => () => {};
    starts[jail] = async () => {
      const examiner = start();
      await examiner.ready;
      await examiner.kill();
    };
    examinations[jail] = () =>
      running.get(jail)?.examine(request, { signal, report() {}, reserveMemory }, 'usual') ?? Promise.reject();
  }
  try {
    return [
      ...rowsOf('start of an examiner', await timeInTurns(starts)),
      ...rowsOf('examination of an image', await timeInTurns(examinations)),
    ];
  } finally {
    await Promise.all([...running.values()].map((examiner) => examiner.kill()));
    await Promise.all([file.close(), reading.close()]);
  }
}

function rowsOf(work: string, millis: Map<string, number[]>): Record<string, string>[] {
  const without = millis.get('none') ?? [];
  return [...millis].map(([jail, values]) => ({
    work,
    jail,
    ms: median(values).toFixed(1),
    spread: `${spreadPercent(values).toFixed(0)} %`,
    'of that without a jail': median(values.map((value, i) => value / (without[i] ?? Number.NaN))).toFixed(2),
  }));
}

async function timeInTurns(ways: Record<string, () => Promise<unknown>>) {
  const { rounds, calls } = settings;
  const medians = new Map(Object.keys(ways).map((way) => [way, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    const times = new Map(Object.keys(ways).map((way) => [way, [] as number[]]));
    for (let i = 0; i < calls; i++) {
      for (const [way, call] of Object.entries(ways)) {
        const startedAt = performance.now();
        await call();
        times.get(way)?.push(performance.now() - startedAt);
      }
    }
    for (const [way, values] of times) medians.get(way)?.push(median(values));
  }
  return medians;
}

async function runBare(program: string, args: string[], fd: number): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe', fd] });
  child.stdout?.resume();
  child.stderr?.resume();
  await once(child, 'close');
}

function versionOf(program: string): string {
  return /\d+(\.\d+)+/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[0] ?? 'unknown';
}
