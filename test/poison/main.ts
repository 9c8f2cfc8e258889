import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { describeMachine } from '../../bench/machine.ts';
import { formatTable } from '../../bench/table.ts';
import { familyOf, peakBytesOf } from '../chaos/process-table.ts';
import { patienceSeconds, type Served, serve, tracesOf } from './examine.ts';
import { type LoopDelays, openLoopDelays } from './loop-delay.ts';
import { openMemory } from './memory.ts';
import { openPantry } from './pantry.ts';
import { kindOf, recipes } from './recipes.ts';

/**
 * `pnpm poison`: every hostile file before every sidekick, one after the other; `--write` keeps the report. Names, or
 * parts of them, choose some:
 *
 *     node test/poison/main.ts endless/ atoms/wav
 */

const reportFile = join(import.meta.dirname, 'report.md');
const noteEvery = 25;
const residentBytesMax = 600 * 1000 * 1000;
/** Beyond what a process beside it shows that does nothing. */
const loopDelaySecondsMax = 1;
const lookEveryMs = 200;
const slowestShown = 10;

type Run = {
  served: Served[];
  faults: string[];
  seconds: number;
  residentBytes: number;
  toolBytes: number;
  /** Of the file that held up this process most. */
  delays: LoopDelays;
};

async function main(): Promise<boolean> {
  const asked = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
  const chosen = recipes.filter(({ name }) => asked.length === 0 || asked.some((part) => name.includes(part)));
  const run = await serveAll(chosen);
  const report = formatReport(run);
  console.log(report);
  if (process.argv.includes('--write')) writeFileSync(reportFile, report);
  return run.faults.length === 0;
}

async function serveAll(chosen: typeof recipes): Promise<Run> {
  const pantry = await openPantry();
  const faults: string[] = [];
  const complain = (text: string) => {
    faults.push(text);
    console.log(text);
  };
  process.on('unhandledRejection', (reason) => complain(`a rejection that nobody handled: ${reason}`));
  const loopDelays = openLoopDelays();
  let toolBytes = 0;
  const watching = setInterval(() => {
    toolBytes = Math.max(toolBytes, ...familyOf(process.pid).map(({ pid }) => peakBytesOf(pid)));
  }, lookEveryMs);
  const begin = performance.now();
  const served: Served[] = [];
  let worst: LoopDelays = { own: 0, bare: 0 };
  const memory = openMemory();
  const onMade = () => {
    memory.begin();
    return loopDelays.take();
  };
  for (const recipe of chosen) {
    const one = await serve(recipe, pantry, { onMade });
    memory.end();
    const delays = await loopDelays.take();
    served.push(one);
    for (const fault of [...one.faults, ...(await tracesOf(pantry, [loopDelays.pid]))])
      complain(`${recipe.name}: ${fault}`);
    const late = delays.own - delays.bare;
    if (late > loopDelaySecondsMax) complain(`${recipe.name}: held up the event loop for ${late.toFixed(1)} s`);
    if (late > worst.own - worst.bare) worst = delays;
    if (served.length % noteEvery === 0) console.log(`${served.length} of ${chosen.length} files`);
  }
  clearInterval(watching);
  loopDelays.close();
  pantry.close();
  const residentBytes = memory.residentBytes();
  if (residentBytes > residentBytesMax) complain(`resident memory reached ${megabytes(residentBytes)}`);
  return { served, faults, seconds: (performance.now() - begin) / 1000, residentBytes, toolBytes, delays: worst };
}

function formatReport({ served, faults, seconds, residentBytes, toolBytes, delays }: Run): string {
  const slowest = served.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowestShown);
  const rows = [...Map.groupBy(served, ({ recipe }) => kindOf(recipe))].map(([kind, group]) => {
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
  const heldUp = 1000 * Math.max(0, delays.own - delays.bare);
  const measured = [
    { measured: 'resident memory of this process at the most', value: megabytes(residentBytes) },
    { measured: 'largest process that was seen below it', value: megabytes(toolBytes) },
    {
      measured: 'longest delay of the event loop, beyond that of a process beside it',
      value: `${heldUp.toFixed(0)} ms`,
    },
  ];
  return `# Hostile files before every sidekick

\`pnpm poison --write\`, ${new Date().toISOString().slice(0, 10)}: ${served.length} files, one after the other, in ${(seconds / 60).toFixed(1)} min.
Machine: ${describeMachine()}, with a load of ${loadavg()[2]?.toFixed(1)} over the last 15 minutes.

Harm: ${faults.length === 0 ? 'none.' : `\n\n${faults.map((fault) => `- ${fault.replaceAll(/\s+/g, ' ')}`).join('\n')}`}

Harm is: a file that ends neither refused at the door, complete nor failed for good, or not as its recipe says; one that
takes ${patienceSeconds} s, where the least that a decoding may take is 120 s; one that is complete though nothing of it was measured; a
call to the listener that playlists and references point at; a tool that goes on afterwards; anything left in the folder for
temporary files; a rejection that nobody handles; resident memory of this process beyond ${megabytes(residentBytesMax)}, without
what it takes to make the files; an event loop that is held up ${loopDelaySecondsMax} s longer than that of a process beside it that does nothing.

${formatTable(measured)}

${formatTable(rows)}

The slowest:

${formatTable(slowest.map(({ recipe, sizeBytes, verdict, seconds: took }) => ({ file: recipe.name, bytes: `${sizeBytes}`, verdict, s: took.toFixed(1) })))}
`;
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

process.exitCode = (await main()) ? 0 : 1;
