import { compare, formatRatios } from '../measure/ratio.ts';
import { footnote, formatForeign, formatHead, formatSlices } from '../measure/report.ts';
import { abortOnSignal, conclude, readMode } from '../measure/run-mode.ts';
import { runSlices, type Slice, type Target } from '../measure/slices.ts';
import { openPipelineTargets } from './request-pipeline-targets.ts';

// One wrk thread is far from busy at these rates and leaves the cores to the servers. 32 connections are about
// three per database connection: always enough pending work without a needlessly long queue.
const connections = 32;
const full = { rounds: 6, seconds: 4, warmUpRequests: 40_000, marginShare: 0 };
const quick = { rounds: 3, seconds: 2, warmUpRequests: 10_000, marginShare: 0.5 };

/** What the request pipeline costs: GET /me against a bare server with one select, POST uploads/url against GET /me. */
export async function benchPipeline(args: string[]): Promise<boolean> {
  const { mode, isWritten } = readMode(args, { full, quick });
  const signal = abortOnSignal();
  const { targets, versions, close } = await openPipelineTargets();
  try {
    const slices = await runSlices(Object.values(targets), { ...mode, connections, signal });
    const of = (target: Target) => slices.get(target) as Slice[];
    const ratios = [
      compare('GET /me / bare', of(targets.me), of(targets.bare), 0.45 * (1 - mode.marginShare)),
      compare('POST uploads/url / GET /me', of(targets.url), of(targets.me), 0.8 * (1 - mode.marginShare)),
    ];
    const head = formatHead({
      title: 'What the request pipeline costs',
      command: ['pnpm bench pipeline', ...args].join(' '),
      settings: `${mode.rounds} rounds of ${mode.seconds} s, wrk with 1 thread and ${connections} connections, alternating`,
      versions,
    });
    const text = [
      `${head}\n${formatForeign([...slices.values()].flat())}`,
      formatSlices(slices),
      formatRatios(ratios),
      footnote,
    ].join('\n\n');
    return conclude(text, ratios, { mode, isWritten, file: 'pipeline/pipeline.md' });
  } finally {
    await close();
  }
}
