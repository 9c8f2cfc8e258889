import { benchCheck } from './check.ts';
import { benchCost } from './cost.ts';
import { benchDoor } from './door.ts';
import { benchEvidence } from './evidence.ts';
import { benchNeighbours } from './neighbours.ts';
import { benchPhotosensitivity } from './photosensitivity.ts';
import { benchRetention } from './retention.ts';
import { benchSubmissions } from './submissions.ts';
import { benchWebhooks } from './webhooks.ts';

const usage = `usage: pnpm bench <name>

  door [--quick] [--write]         what stands before every request, beside a bare server
  submissions [--quick] [--write]  reading, creating and processing submissions, beside the bare parts
  webhooks [--quick] [--write]     events to receivers, beside the bare engine and a bare client
  evidence [--quick] [--write]     seeing and hearing a film, beside bare decoding and a pass per check
  photosensitivity [--quick] [--write]  verdicts on labelled clips, beside two peers
  check [--quick] [--write]        bringing files from the command line, beside the storage's own client
  neighbours [--quick] [--write]   honest callers beside hostile files and beside streams without end
  retention [--quick] [--write]    other callers while old submissions are removed
  cost [--write]                   what one submission costs each process`;

/** Name of a bench → what runs it; it resolves with whether what is asked of it was reached. */
const benches: Record<string, (args: string[]) => Promise<boolean>> = {
  door: benchDoor,
  submissions: benchSubmissions,
  webhooks: benchWebhooks,
  evidence: benchEvidence,
  photosensitivity: benchPhotosensitivity,
  check: benchCheck,
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
