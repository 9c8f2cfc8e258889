import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { describeMachine } from '../../bench/machine.ts';
import { formatTable } from '../../bench/table.ts';
import { familyOf, peakBytesOf } from '../chaos/process-table.ts';
import { patienceSeconds, type Served, serve, tracesOf } from './examine.ts';
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
const growthBytesMax = 200 * 1000 * 1000;
const lookEveryMs = 200;
const slowestShown = 10;

type Run = { served: Served[]; faults: string[]; seconds: number; growthBytes: number; toolBytes: number };

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
  let toolBytes = 0;
  const watching = setInterval(() => {
    toolBytes = Math.max(toolBytes, ...familyOf(process.pid).map(({ pid }) => peakBytesOf(pid)));
  }, lookEveryMs);
  const begin = performance.now();
  const served: Served[] = [];
  let firstBytes = 0;
  let mostBytes = 0;
  for (const recipe of chosen) {
    const one = await serve(recipe, pantry);
    served.push(one);
    for (const fault of [...one.faults, ...(await tracesOf(pantry))]) complain(`${recipe.name}: ${fault}`);
    mostBytes = Math.max(mostBytes, process.memoryUsage.rss());
    if (served.length === noteEvery) firstBytes = mostBytes; // what a busy process holds anyway
    if (served.length % noteEvery === 0) console.log(`${served.length} of ${chosen.length} files`);
  }
  clearInterval(watching);
  pantry.close();
  const growthBytes = mostBytes - (firstBytes || mostBytes);
  if (growthBytes > growthBytesMax) complain(`resident memory grew by ${megabytes(growthBytes)}`);
  return { served, faults, seconds: (performance.now() - begin) / 1000, growthBytes, toolBytes };
}

function formatReport({ served, faults, seconds, growthBytes, toolBytes }: Run): string {
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
  return `# Hostile files before every sidekick

\`pnpm poison --write\`, ${new Date().toISOString().slice(0, 10)}: ${served.length} files, one after the other, in ${(seconds / 60).toFixed(1)} min.
Machine: ${describeMachine()}, with a load of ${loadavg()[2]?.toFixed(1)} over the last 15 minutes.

Harm: ${faults.length === 0 ? 'none.' : `\n\n${faults.map((fault) => `- ${fault.replaceAll(/\s+/g, ' ')}`).join('\n')}`}

Harm is: a file that ends neither refused at the door, complete nor failed for good, or not as its recipe says; one that
takes ${patienceSeconds} s, where the least that a decoding may take is 120 s; one that is complete though nothing of it was measured; a
call to the listener that playlists and references point at; a tool that goes on afterwards; anything left in the folder for
temporary files; a rejection that nobody handles; resident memory of this process that grows by more than ${megabytes(growthBytesMax)}. It
grew by ${megabytes(growthBytes)} from the first ${noteEvery} files on; the largest tool that was seen held ${megabytes(toolBytes)}.

${formatTable(rows)}

The slowest:

${formatTable(slowest.map(({ recipe, sizeBytes, verdict, seconds: took }) => ({ file: recipe.name, bytes: `${sizeBytes}`, verdict, s: took.toFixed(1) })))}
`;
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

process.exitCode = (await main()) ? 0 : 1;
