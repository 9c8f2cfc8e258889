import { cpuMicrosOf } from '@assay/testing/measure/cpu-clock.ts';
import { compareRates } from '../measure/ratio.ts';
import { formatSlices } from '../measure/report.ts';
import type { ReportSection } from '../measure/section.ts';
import { type LoadTarget, runSlices, type Slice, type SliceSettings } from '../measure/slices.ts';
import type { SubmissionBench } from './submission-bench.ts';

/** GET /submissions/{id}, compared with a bare server with one select by primary key. */
export async function benchReads(
  bench: SubmissionBench,
  submissionId: string,
  settings: SliceSettings,
  required: number,
): Promise<ReportSection> {
  const { postgres, redis } = bench.clocks;
  const bareServer = await bench.startBare('pipeline/bare-fastify.ts', { WORKSPACE_ID: bench.workspace.workspaceId });
  const bare: LoadTarget = {
    name: 'bare Fastify, one select',
    request: { method: 'GET', url: `${bareServer.firstLine}/workspace` },
    clocks: { server: () => cpuMicrosOf(bareServer.pid), postgres, redis },
  };
  const ours: LoadTarget = {
    name: 'GET /submissions/{id}',
    request: readRequest(bench, submissionId),
    clocks: { server: () => cpuMicrosOf(bench.api.pid), postgres, redis },
  };
  const slices = await runSlices([bare, ours], settings);
  await bareServer.stop();
  const of = (target: LoadTarget) => slices.get(target) as Slice[];
  return {
    title: 'Reading',
    what: `A complete submission with one asset, read repeatedly by ${settings.connections} connections.`,
    table: formatSlices(slices),
    slices: [...slices.values()].flat(),
    ratio: compareRates('GET /submissions/{id} / bare select', of(ours), of(bare), required),
  };
}

export function readRequest({ apiUrl, workspace }: SubmissionBench, submissionId: string): LoadTarget['request'] {
  return { method: 'GET', url: `${apiUrl}/submissions/${submissionId}`, apiKey: workspace.liveKey };
}
