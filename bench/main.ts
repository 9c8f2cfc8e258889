import { parseArgs } from 'node:util';
import { benchCheck } from './check/check.ts';
import { benchSmallFiles } from './check/small-files.ts';
import { benchCost } from './cost/cost.ts';
import { benchDeliverySpec } from './delivery-spec/delivery-spec.ts';
import { benchEvidence } from './evidence/evidence.ts';
import { benchJail } from './jail/jail.ts';
import { benchNeighbours } from './neighbours/neighbours.ts';
import { benchOrdinary } from './ordinary/ordinary.ts';
import { benchPhotosensitivity } from './photosensitivity/photosensitivity.ts';
import { benchPipeline } from './pipeline/request-pipeline.ts';
import { benchProgress } from './progress/progress.ts';
import { benchRetention } from './retention/retention.ts';
import { benchSubmissions } from './submissions/submissions.ts';
import { benchWebhookNeighbours } from './webhooks/beside-slow.ts';
import { benchWebhooks } from './webhooks/webhooks.ts';

const usage = `usage: pnpm bench <name> [--write]

  pipeline          the request pipeline, compared with a bare server
  submissions       reading, creating and processing submissions, compared with the dependencies alone
  webhooks          deliveries of events, compared with bare activities of Temporal
  webhook-neighbours
                    other receivers' latency while one hangs and one has a long queue
  evidence          examining a video, compared with bare decoding and with one pass per check;
                    --from <commit> compares with an earlier version
  delivery-spec     issues of generated files, compared with MediaConch
  photosensitivity  verdicts on labelled clips, compared with two other tools
  ordinary          what the checks say about ordinary media, compared with a reviewer’s verdicts
  check             uploading files from the command line, compared with the storage vendor's client; --storage s3
  small-files       how many small photos are checked in a second
  cost              what one submission costs each process and each part; nothing is required
  neighbours        other callers' latency while one caller sends hostile files or opens endless streams
  progress          the progress that callers see, compared with the time that has passed
  jail              a call of a tool in each kind of jail, compared with the bare tool
  retention         other callers' latency while old submissions are removed

--write saves the report in the folder of the bench.`;

/** Functions that run each bench and return whether the required values were reached. */
const benches: Record<string, (args: string[]) => Promise<boolean>> = {
  pipeline: benchPipeline,
  submissions: benchSubmissions,
  webhooks: benchWebhooks,
  'webhook-neighbours': benchWebhookNeighbours,
  evidence: benchEvidence,
  'delivery-spec': benchDeliverySpec,
  photosensitivity: benchPhotosensitivity,
  ordinary: benchOrdinary,
  check: benchCheck,
  'small-files': benchSmallFiles,
  cost: benchCost,
  jail: benchJail,
  neighbours: benchNeighbours,
  progress: benchProgress,
  retention: benchRetention,
};

const [name = '', ...args] = process.argv.slice(2);
const bench = benches[name];
if (!bench) {
  console.error(usage);
  process.exit(2);
}
// Throws for unknown options.
parseArgs({
  args,
  options: {
    write: { type: 'boolean' },
    ...(name === 'check' && { storage: { type: 'string' } }),
    ...(name === 'evidence' && { from: { type: 'string' } }),
  },
});
process.exitCode = (await bench(args)) ? 0 : 1;
