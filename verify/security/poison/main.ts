import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { descendantsOf, peakBytesOf } from '@assay/testing/faults/process-table.ts';
import { describeMachine } from '@assay/testing/measure/machine.ts';
import { formatTable } from '@assay/testing/measure/table.ts';
import { describeSeed } from '@assay/testing/run/seed.ts';
import { type ExaminedFile, examine, openPoisonExaminers, timeLimitSeconds, tracesOf } from './examine.ts';
import { openFixture } from './fixture.ts';
import { seed } from './formats/seeded-random.ts';
import { type LoopDelays, openLoopDelays } from './loop-delay.ts';
import { openMemory } from './memory.ts';
import { kindOf, recipes } from './recipes.ts';

/**
 * `pnpm poison`: runs every sidekick on every hostile file, one after the other; `--write` writes the report to a file.
 * Arguments select files by a part of their name:
 *
 *     node verify/security/poison/main.ts endless/ atoms/wav
 */

const reportFile = join(import.meta.dirname, 'report.md');
const logEvery = 25;
const residentBytesMax = 600 * 1000 * 1000;
/** Allowed in addition to the delay of an idle process on the same host. */
const loopDelaySecondsMax = 1;
const sampleEveryMs = 200;
const slowestShown = 10;

type Run = {
  examined: ExaminedFile[];
  faults: string[];
  seconds: number;
  residentBytes: number;
  toolBytes: number;
  /** The delays for the file that blocked this process longest. */
  delays: LoopDelays;
};

async function main(): Promise<boolean> {
  const nameParts = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
  const chosen = recipes.filter(({ name }) => nameParts.length === 0 || nameParts.some((part) => name.includes(part)));
  const run = await examineAll(chosen);
  const report = formatReport(run);
  console.log(report);
  if (process.argv.includes('--write')) writeFileSync(reportFile, report);
  if (run.faults.length > 0) console.log(describeSeed(seed, ['pnpm poison', ...nameParts].join(' ')));
  return run.faults.length === 0;
}

async function examineAll(chosen: typeof recipes): Promise<Run> {
  const fixture = await openFixture();
  const faults: string[] = [];
  const reportFault = (text: string) => {
    faults.push(text);
    console.log(text);
  };
  process.on('unhandledRejection', (reason) => reportFault(`unhandled rejection: ${reason}`));
  const loopDelays = openLoopDelays();
  let toolBytes = 0;
  const sampling = setInterval(() => {
    toolBytes = Math.max(toolBytes, ...descendantsOf(process.pid).map(({ pid }) => peakBytesOf(pid)));
  }, sampleEveryMs);
  const startedAt = performance.now();
  const examined: ExaminedFile[] = [];
  let worst: LoopDelays = { own: 0, bare: 0 };
  const memory = openMemory();
  const examiners = openPoisonExaminers(0);
  const onMade = () => {
    memory.begin();
    return loopDelays.take();
  };
  for (const recipe of chosen) {
    const one = await examine(examiners, recipe, fixture, { onMade, owner: recipe.name }); // one process per file
    memory.end();
    const delays = await loopDelays.take();
    examined.push(one);
    for (const fault of [...one.faults, ...(await tracesOf(fixture, [loopDelays.pid]))])
      reportFault(`${recipe.name}: ${fault}`);
    const late = delays.own - delays.bare;
    if (late > loopDelaySecondsMax) reportFault(`${recipe.name}: blocked the event loop for ${late.toFixed(1)} s`);
    if (late > worst.own - worst.bare) worst = delays;
    if (examined.length % logEvery === 0) console.log(`${examined.length} of ${chosen.length} files`);
  }
  clearInterval(sampling);
  loopDelays.close();
  fixture.close();
  const residentBytes = memory.residentBytes();
  if (residentBytes > residentBytesMax) reportFault(`resident memory reached ${megabytes(residentBytes)}`);
  return { examined, faults, seconds: (performance.now() - startedAt) / 1000, residentBytes, toolBytes, delays: worst };
}

function formatReport({ examined, faults, seconds, residentBytes, toolBytes, delays }: Run): string {
  const slowest = examined.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowestShown);
  const rows = [...Map.groupBy(examined, ({ recipe }) => kindOf(recipe))].map(([kind, group]) => {
    const count = (isOne: (verdict: string) => boolean) => `${group.filter(({ verdict }) => isOne(verdict)).length}`;
    const known = ['refused 415', 'complete', 'corrupt_media', 'unsupported_codec'];
    return {
      kind,
      files: `${group.length}`,
      ...Object.fromEntries(known.map((name) => [name, count((verdict) => verdict === name)])),
      'too large or long': count((verdict) => ['resource_limit_exceeded', 'media_too_long'].includes(verdict)),
      'longest s': Math.max(...group.map((one) => one.seconds)).toFixed(1),
    };
  });
  const blockedMs = 1000 * Math.max(0, delays.own - delays.bare);
  const measured = [
    { measured: 'peak resident memory of this process', value: megabytes(residentBytes) },
    { measured: 'largest child process', value: megabytes(toolBytes) },
    {
      measured: 'longest event loop delay, in addition to that of an idle process',
      value: `${blockedMs.toFixed(0)} ms`,
    },
  ];
  return `# Every sidekick on hostile files

\`pnpm poison --write\`, ${new Date().toISOString().slice(0, 10)}: ${examined.length} files, one after the other, in ${(seconds / 60).toFixed(1)} min, with seed ${seed}.
Machine: ${describeMachine()}, with a load of ${loadavg()[2]?.toFixed(1)} over the last 15 minutes.

Harm: ${faults.length === 0 ? 'none.' : `\n\n${faults.map((fault) => `- ${fault.replaceAll(/\s+/g, ' ')}`).join('\n')}`}

Harm is: a file that is neither refused at upload, complete nor failed permanently, or whose outcome its recipe does not
allow; a file that takes ${timeLimitSeconds} s (the shortest time limit of a decoding is 120 s); a file that is complete although nothing in
it was measured; a connection to the listener that playlists and references point at; a tool that keeps running
afterwards; a file left in the folder for temporary files; an unhandled rejection; resident memory of this process above
${megabytes(residentBytesMax)}, not counting the memory for making the files; an event loop that is blocked ${loopDelaySecondsMax} s longer than that of an idle process.

${formatTable(measured)}

${formatTable(rows)}

Slowest files:

${formatTable(slowest.map(({ recipe, sizeBytes, verdict, seconds: took }) => ({ file: recipe.name, bytes: `${sizeBytes}`, verdict, s: took.toFixed(1) })))}
`;
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

process.exitCode = (await main()) ? 0 : 1;
