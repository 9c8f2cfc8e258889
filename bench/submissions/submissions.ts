import { submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { abortOnSignal, conclude } from '../measure/conclude.ts';
import { formatHead } from '../measure/report.ts';
import { formatReport } from '../measure/section.ts';
import { benchCreates } from './bench-creates.ts';
import { benchDrains } from './bench-drains.ts';
import { benchPolls } from './bench-polls.ts';
import { benchReads } from './bench-reads.ts';
import { openSubmissionBench, type SubmissionBench } from './submission-bench.ts';

const readConnections = 32;
const createConnections = 16; // at about 100 requests a second, more would only queue
const settings = {
  rounds: 6,
  seconds: 4,
  warmUpReads: 40_000,
  warmUpCreates: 1500,
  drainRounds: 4,
  drained: 1000,
};

/** Measures reading, creating and processing submissions, each compared with the bare parts. */
export async function benchSubmissions(args: string[]): Promise<boolean> {
  const signal = abortOnSignal();
  const bench = await openSubmissionBench();
  try {
    const { rounds, seconds } = settings;
    const load = { rounds, seconds, signal };
    const blobPath = await uploadText(bench.live);
    const submissionId = await completeOne(bench, blobPath);
    // Creates are measured after the drains, because the runs that they leave in the engine would be drained too.
    const reading = { ...load, connections: readConnections, warmUpRequests: settings.warmUpReads };
    const creating = { ...load, connections: createConnections, warmUpRequests: settings.warmUpCreates };
    const draining = { rounds: settings.drainRounds, count: settings.drained, signal };
    const sections = [
      await benchReads(bench, submissionId, reading, 0.45),
      await benchPolls(bench, submissionId, reading, 1 / 0.7),
      await benchDrains(bench, blobPath, draining, 0.8),
      await benchCreates(bench, blobPath, creating, 0.6),
    ];
    const ratios = sections.flatMap(({ ratio }) => ratio ?? []);
    const head = formatHead({
      title: 'What submissions cost',
      command: ['pnpm bench submissions', ...args].join(' '),
      settings: `${rounds} rounds of ${seconds} s by wrk with 1 thread, ${settings.drainRounds} rounds of ${settings.drained} runs, alternating`,
      versions: bench.versions,
    });
    return conclude(formatReport(head, sections, ratios), ratios, args, 'submissions/submissions.md');
  } finally {
    await bench.close();
  }
}

async function completeOne(bench: SubmissionBench, blobPath: string): Promise<string> {
  const worker = await bench.start('worker');
  const { submissionId } = await submit(bench.live, [blobPath], { sidekickIds: [] });
  await untilFinished(bench.live, submissionId);
  await worker.stop();
  return submissionId;
}
