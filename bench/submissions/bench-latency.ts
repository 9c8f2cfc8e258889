import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '@assay/testing/measure/statistics.ts';
import { formatTable } from '@assay/testing/measure/table.ts';
import { type LoadSettings, sendLoad, type TimedLoad } from '../measure/load.ts';
import type { Section } from '../measure/section.ts';
import { inTurns } from '../measure/slices.ts';
import { createRequest } from './bench-creates.ts';
import { readRequest } from './bench-reads.ts';
import type { SubmissionBench } from './submission-bench.ts';

type Mix = { name: string; creating: number };
type Outcome = { reads: TimedLoad; creates: TimedLoad | undefined };

/** How long reads take while submissions are created. */
export async function benchLatency(
  bench: SubmissionBench,
  { submissionId, blobPath }: { submissionId: string; blobPath: string },
  { rounds, ...settings }: LoadSettings & { rounds: number },
): Promise<Section> {
  const { connections } = settings;
  const mixes: Mix[] = [0, connections].map((creating) => ({
    name: `${connections} reading, ${creating} creating`,
    creating,
  }));
  const outcomes = await inTurns(mixes, rounds, async ({ creating }): Promise<Outcome> => {
    await sleep(300, undefined, { signal: settings.signal });
    const [reads, creates] = await Promise.all([
      sendLoad(readRequest(bench, submissionId), settings),
      creating > 0 ? sendLoad(createRequest(bench, blobPath), { ...settings, connections: creating }) : undefined,
    ]);
    return { reads, creates };
  });
  return {
    title: 'Reads while submissions are created',
    what: 'Each connection sends its next request when it has received a response. No worker runs. Nothing is required here.',
    table: formatTable([...outcomes].map(([mix, own]) => mixRow(mix, own))),
    slices: [],
  };
}

function mixRow({ name }: Mix, outcomes: Outcome[]): Record<string, string> {
  const of = (value: (outcome: Outcome) => number) => median(outcomes.map(value));
  const perSecond = (load: TimedLoad | undefined) => (load ? load.requests / (load.micros / 1e6) : 0);
  return {
    connections: name,
    'reads/s': of(({ reads }) => perSecond(reads)).toFixed(0),
    'p50 ms': of(({ reads }) => reads.p50Micros / 1000).toFixed(1),
    'p99 ms': of(({ reads }) => reads.p99Micros / 1000).toFixed(1),
    'creates/s': of(({ creates }) => perSecond(creates)).toFixed(0),
    'p99 of creates ms': of(({ creates }) => (creates?.p99Micros ?? 0) / 1000).toFixed(0),
  };
}
