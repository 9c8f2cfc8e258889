import { cpuMicrosOf } from '@assay/testing/measure/cpu-clock.ts';
import { compareCpu } from '../measure/ratio.ts';
import { formatSlices } from '../measure/report.ts';
import type { ReportSection } from '../measure/section.ts';
import { type LoadTarget, runSlices, type Slice, type SliceSettings } from '../measure/slices.ts';
import { readRequest } from './bench-reads.ts';
import type { SubmissionBench } from './submission-bench.ts';

/** A poll with If-None-Match, compared with a full read. */
export async function benchPolls(
  bench: SubmissionBench,
  submissionId: string,
  settings: SliceSettings,
  required: number,
): Promise<ReportSection> {
  const { postgres, redis } = bench.clocks;
  const clocks = { server: () => cpuMicrosOf(bench.api.pid), postgres, redis };
  const read = readRequest(bench, submissionId);
  const { headers } = await bench.live.get(`/submissions/${submissionId}`);
  const full: LoadTarget = { name: 'full read', request: read, clocks };
  const poll: LoadTarget = {
    name: 'unchanged poll (304)',
    request: { ...read, ifNoneMatch: headers.get('etag') as string },
    clocks,
  };
  const slices = await runSlices([full, poll], settings);
  const of = (target: LoadTarget) => slices.get(target) as Slice[];
  return {
    title: 'Polling',
    what: `A complete submission with one asset, read in full and polled by its ETag, ${settings.connections} connections.`,
    table: formatSlices(slices),
    slices: [...slices.values()].flat(),
    ratio: compareCpu('unchanged polls for the CPU of a full read', of(poll), of(full), required),
  };
}
