import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeDoor, type Ratio } from './door-report.ts';
import { openDoorTargets } from './door-targets.ts';
import { runSlices, type Slice } from './slices.ts';
import { median } from './statistics.ts';

// One thread of wrk is far from busy at these rates and leaves the cores to the servers. 32 connections
// are about three for each database connection: always enough waiting work, and no queue that is merely long.
const connections = 32;
const full = { rounds: 6, seconds: 4, warmUpRequests: 40_000, marginShare: 0 };
// Two short rounds of half-warm code tell a ratio less exactly than six: see `marginReason`.
const quick = { rounds: 2, seconds: 2, warmUpRequests: 10_000, marginShare: 0.3 };
const marginReason = 'two rounds of 2 s scatter, the more so on a machine that does other things';

/** What the door costs: GET /me beside a bare server with one select, POST uploads/url beside GET /me. */
export async function benchDoor(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: { quick: { type: 'boolean' }, write: { type: 'boolean' } } });
  const mode = values.quick ? quick : full;
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());

  const { targets, versions, close } = await openDoorTargets();
  try {
    const slices = await runSlices(Object.values(targets), { ...mode, connections, signal: interrupted.signal });
    const of = (target: (typeof targets)[keyof typeof targets]) => slices.get(target) as Slice[];
    const ratios = [
      compare('GET /me / bare', of(targets.me), of(targets.bare), 0.45 * (1 - mode.marginShare)),
      compare('POST uploads/url / GET /me', of(targets.url), of(targets.me), 0.8 * (1 - mode.marginShare)),
    ];
    const settings = `${mode.rounds} rounds of ${mode.seconds} s, wrk with 1 thread and ${connections} connections`;
    const text = describeDoor({ command: ['pnpm bench door', ...args].join(' '), settings, versions, slices, ratios });
    console.log(text);
    if (mode.marginShare > 0)
      console.log(`\nRequired here is ${mode.marginShare * 100} % less than in full: ${marginReason}.`);
    if (values.write) writeFileSync(join(import.meta.dirname, 'door.md'), `${text}\n`);
    return ratios.every((ratio) => ratio.median >= ratio.required);
  } finally {
    await close();
  }
}

/** Round by round, as what disturbs one round disturbs both. */
function compare(name: string, ours: Slice[], theirs: Slice[], required: number): Ratio {
  const values = ours.map((slice, i) => slice.requestsPerSecond / (theirs[i]?.requestsPerSecond ?? Number.NaN));
  return { name, values, median: median(values), required };
}
