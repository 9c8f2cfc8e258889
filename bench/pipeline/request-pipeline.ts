import { abortOnSignal, conclude } from '../measure/conclude.ts';
import { compareRates, formatRatios } from '../measure/ratio.ts';
import { formatForeignCpu, formatHead, formatSlices, sliceFootnote } from '../measure/report.ts';
import { type LoadTarget, runSlices, type Slice } from '../measure/slices.ts';
import { openPipelineTargets } from './request-pipeline-targets.ts';

// One wrk thread is far from busy at these rates and leaves the cores to the servers. 32 connections are about three
// per database connection: there is always pending work, but no needlessly long queue.
const connections = 32;
const settings = { rounds: 6, seconds: 4, warmUpRequests: 40_000 };

/**
 * Measures what the request pipeline costs: GET /me compared with a bare server with one select, and POST /uploads/url
 * compared with GET /me.
 */
export async function benchPipeline(args: string[]): Promise<boolean> {
  const signal = abortOnSignal();
  const { targets, versions, close } = await openPipelineTargets();
  try {
    const slices = await runSlices(Object.values(targets), { ...settings, connections, signal });
    const of = (target: LoadTarget) => slices.get(target) as Slice[];
    const ratios = [
      compareRates('GET /me / bare', of(targets.me), of(targets.bare), 0.45),
      compareRates('POST uploads/url / GET /me', of(targets.url), of(targets.me), 0.8),
    ];
    const head = formatHead({
      title: 'What the request pipeline costs',
      command: ['pnpm bench pipeline', ...args].join(' '),
      settings: `${settings.rounds} rounds of ${settings.seconds} s, wrk with 1 thread and ${connections} connections, alternating`,
      versions,
    });
    const text = [
      `${head}\n${formatForeignCpu([...slices.values()].flat())}`,
      formatSlices(slices),
      formatRatios(ratios),
      sliceFootnote,
    ].join('\n\n');
    return conclude(text, ratios, args, 'pipeline/pipeline.md');
  } finally {
    await close();
  }
}
