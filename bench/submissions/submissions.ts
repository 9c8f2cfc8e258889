import { submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { formatHead } from '../measure/report.ts';
import { abortOnSignal, conclude, readMode } from '../measure/run-mode.ts';
import { formatReport } from '../measure/section.ts';
import { benchCreates } from './bench-creates.ts';
import { benchDrains } from './bench-drains.ts';
import { benchLatency } from './bench-latency.ts';
import { benchPolls } from './bench-polls.ts';
import { benchReads } from './bench-reads.ts';
import { openSubmissionBench, type SubmissionBench } from './submission-bench.ts';

const readConnections = 32;
const createConnections = 16; // at about 100 a second, more would only wait longer
const mixedConnections = 8;
const full = {
  rounds: 6,
  seconds: 4,
  warmUpReads: 40_000,
  warmUpCreates: 1500,
  drainRounds: 4,
  drained: 1000,
  marginShare: 0,
};
const quick = {
  rounds: 5, // the median of five tolerates two disturbed rounds
  seconds: 2,
  warmUpReads: 10_000,
  warmUpCreates: 200,
  drainRounds: 2,
  drained: 150,
  marginShare: 0.5,
};

/** Reading, creating and processing submissions, each compared with the bare parts. */
export async function benchSubmissions(args: string[]): Promise<boolean> {
  const { mode, isWritten } = readMode(args, { full, quick });
  const signal = abortOnSignal();
  const bench = await openSubmissionBench();
  try {
    const { rounds, seconds, marginShare } = mode;
    const required = (share: number) => share * (1 - marginShare);
    const load = { rounds, seconds, signal };
    const blobPath = await uploadText(bench.live);
    const submissionId = await completeOne(bench, blobPath);
    // Creating comes after the drains, because the runs that it leaves in the engine would be drained too.
    const reading = { ...load, connections: readConnections, warmUpRequests: mode.warmUpReads };
    const creating = { ...load, connections: createConnections, warmUpRequests: mode.warmUpCreates };
    const draining = { rounds: mode.drainRounds, count: mode.drained, signal };
    const sections = [
      await benchReads(bench, submissionId, reading, required(0.45)),
      await benchPolls(bench, submissionId, reading, required(1 / 0.7)),
      await benchDrains(bench, blobPath, draining, required(0.8)),
      await benchCreates(bench, blobPath, creating, required(0.6)),
      await benchLatency(bench, { submissionId, blobPath }, { ...load, connections: mixedConnections }),
    ];
    const ratios = sections.flatMap(({ ratio }) => ratio ?? []);
    const head = formatHead({
      title: 'What submissions cost',
      command: ['pnpm bench submissions', ...args].join(' '),
      settings: `${rounds} rounds of ${seconds} s by wrk with 1 thread, ${mode.drainRounds} rounds of ${mode.drained} runs, alternating`,
      versions: bench.versions,
    });
    return conclude(formatReport(head, sections, ratios), ratios, {
      mode,
      isWritten,
      file: 'submissions/submissions.md',
    });
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
