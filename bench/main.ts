import { benchCheck } from './check/check.ts';
import { benchCost } from './cost/cost.ts';
import { benchDeliverySpec } from './delivery-spec/delivery-spec.ts';
import { benchEvidence } from './evidence/evidence.ts';
import { benchJail } from './jail/jail.ts';
import { benchNeighbours } from './neighbours/neighbours.ts';
import { benchOrdinary } from './ordinary/ordinary.ts';
import { benchPhotosensitivity } from './photosensitivity/photosensitivity.ts';
import { benchPipeline } from './pipeline/request-pipeline.ts';
import { benchRetention } from './retention/retention.ts';
import { benchSubmissions } from './submissions/submissions.ts';
import { benchWebhooks } from './webhooks/webhooks.ts';

const usage = `usage: pnpm bench <name>

  pipeline [--quick] [--write]     the request pipeline, compared with a bare server
  submissions [--quick] [--write]  reading, creating and processing submissions, compared with the bare parts
  webhooks [--quick] [--write]     events to receivers, compared with the bare engine and a bare client
  evidence [--quick] [--write]     examining a video, compared with bare decoding and with one pass per check
  delivery-spec [--quick] [--write]  issues of generated files, compared with MediaConch
  photosensitivity [--quick] [--write]  verdicts on labelled clips, compared with two other tools
  ordinary [--quick] [--write]     what the checks say about ordinary media, compared with a reviewer’s verdicts
  check [--quick] [--write] [--storage s3]  uploading files from the command line, compared with the storage vendor's client
  neighbours [--quick] [--write]   other callers' latency while one caller sends hostile files or opens endless streams
  jail [--quick] [--write]         a call of a tool in each kind of jail, compared with the bare tool
  retention [--quick] [--write]    other callers' latency while old submissions are removed
  cost [--write]                   the cost of one submission in each process`;

/** Name of a bench → its function, which resolves with whether the required values were reached. */
const benches: Record<string, (args: string[]) => Promise<boolean>> = {
  pipeline: benchPipeline,
  submissions: benchSubmissions,
  webhooks: benchWebhooks,
  evidence: benchEvidence,
  'delivery-spec': benchDeliverySpec,
  photosensitivity: benchPhotosensitivity,
  ordinary: benchOrdinary,
  check: benchCheck,
  jail: benchJail,
  neighbours: benchNeighbours,
  retention: benchRetention,
  cost: benchCost,
};

const [name = '', ...args] = process.argv.slice(2);
const bench = benches[name];
if (!bench) {
  console.error(usage);
  process.exit(2);
}
process.exitCode = (await bench(args)) ? 0 : 1;
