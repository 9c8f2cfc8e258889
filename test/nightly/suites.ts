import { type Step, vitest } from '../gate/step.ts';

/** A full-size suite, and its short run in the gate. */
export type Suite = Step & { shortRun: string };

const long = (name: string, file: string, environment: Record<string, string>, shortRun: string): Suite => ({
  name,
  command: vitest(file),
  environment,
  hasTests: true,
  shortRun,
});
const bench = (name: string, shortRun = `\`pnpm bench ${name} --quick\``): Suite => ({
  name: `${name} bench`,
  command: ['pnpm', 'bench', name, '--write'],
  shortRun,
});

/** In this order, one after another: each needs the machine for itself. */
export const suites: Suite[] = [
  long('races', 'test/submission-races', { RACES: '1000', RETRY_ROUNDS: '100' }, '60 races, 10 rounds of retries'),
  long('fairness', 'test/fairness', { FAIRNESS_BACKLOG: '2000' }, 'a backlog of 600'),
  long('crash points', 'test/crash-points', { CRASH_POINTS: 'all' }, 'every seventh point'),
  long('partitions', 'test/partitions', { PARTITION_SECONDS: '20' }, 'cuts of 6 s'),
  long('lost engine', 'test/lost-engine', { IN_FLIGHT: '200', RECONCILE_SECONDS: '120' }, '12 submissions in flight'),
  long('killed examination', 'test/killed-examination', { FILM_SECONDS: '600' }, 'a video of 150 s'),
  long('upload memory', 'test/upload-memory', { UPLOADS: '200' }, '60 uploads at once'),
  long('stopped worker', 'test/stopped-worker', { STOP_SECONDS: '90' }, 'stops of 15 s'),
  long('bad receivers', 'test/bad-receivers', { ROUNDS: '20' }, '2 rounds'),
  long(
    'rate limits',
    'test/rate-limits',
    { LIMIT_REQUESTS: '100000', FLOOD_REQUESTS: '50000' },
    '8,000 requests, 2,000 wrong keys',
  ),
  long('event loop', 'test/event-loop', { HOSTILE: 'all' }, 'a few of the hostile texts for each field'),
  long('file names', 'uploads/filename', { FILENAME_RUNS: '10000' }, '1,500 names'),
  long('matching', 'matching/pair-nearest', { SETS: '10000' }, '1,000 sets'),
  long('ledger', 'access/get-me', { LEDGER: '1000000' }, '40,000 entries'),
  long(
    'download over a bad line',
    'blobs/blob-download',
    { MEGABYTES: '2000', CUT_AFTER_MILLIS: '5000' },
    '48 MB, cut every 0.3 s',
  ),
  long('upload in parts over a bad line', 'sdk/src/big-upload', { UPLOAD_MEGABYTES: '300' }, '96 MB'),
  long('large files', 'sdk/src/large-file', { LARGE_FILE_GIB: '4.5,5' }, '72 MiB to one store'),
  long('storage move', 'move/killed-move', { OBJECTS: '10000' }, '200 objects'),
  long('object stores', 'handles/blobs/conformance', { RACES: '1000', NAMES: '10000' }, '30 races, 300 file names'),
  long('object stores, MinIO', 'handles/blobs/conformance', { ASSAY_TEST_MINIO: '1' }, 'Azurite and versitygw'),
  {
    name: 'everything on S3',
    command: vitest('--project', 'service', '--project', 'slow'),
    environment: { ASSAY_TEST_STORAGE: 's3' },
    hasTests: true,
    shortRun: 'tests of storage: `pnpm test:s3`',
  },
  long('video and audio quality', 'qc-picture-sound/sidekick', { CLIPS: 'all' }, 'a third of the videos'),
  long('flashes near a limit', 'test/flash-corpus/near-limit', { CLIPS: '200' }, '24 clips, two near each limit'),
  { name: 'schemathesis', command: ['pnpm', 'schemathesis'], shortRun: '`--quick`: half as many cases' },
  {
    name: 'generators',
    command: ['pnpm', 'generators'],
    shortRun: 'the document is validated: `pnpm lint:openapi`, `contract/src/openapi`',
  },
  {
    name: 'chart',
    command: ['pnpm', 'chart', 'check'],
    hasTests: true,
    shortRun: 'what needs no helm: `test/chart`',
  },
  {
    name: 'compose',
    command: ['pnpm', 'compose-check'],
    shortRun: 'what needs no containers: `stack/compose`',
  },
  {
    name: 'backup drill',
    command: ['pnpm', 'drill', 'backup'],
    hasTests: true,
    shortRun: 'a restored dump instead of an archive: `test/lost-engine`',
  },
  {
    name: 'poison',
    command: ['pnpm', 'poison', '--write'],
    shortRun: '2 files of each kind, and all regressions: `test/poison`',
  },
  { name: 'chaos', command: ['pnpm', 'chaos', '--write'], shortRun: '`pnpm chaos --quick`: 11 strikes' },
  {
    name: 'chaos on S3',
    command: ['pnpm', 'chaos', '--storage', 's3', '--write'],
    shortRun: '`pnpm chaos --quick`, on Azure',
  },
  { name: 'chaos, webhooks', command: ['pnpm', 'chaos', '--webhooks', '--write'], shortRun: '`pnpm chaos --quick`' },
  {
    name: 'upgrade',
    command: ['pnpm', 'upgrade-check', '--write'],
    shortRun: 'histories of earlier versions are replayed: `test/histories`',
  },
  bench('pipeline'),
  bench('submissions'),
  bench('webhooks'),
  bench('evidence'),
  bench('check'),
  {
    name: 'check bench on S3',
    command: ['pnpm', 'bench', 'check', '--storage', 's3', '--write'],
    shortRun: '`pnpm bench check --quick`, on Azure',
  },
  bench('neighbours', 'limits and fairness: `test/stream-limits`, `test/fairness`'),
  bench('retention', 'one at a time, a stuck one, a stopped worker: `submissions/retention`'),
  bench('cost', 'none: it measures and requires nothing'),
  bench('photosensitivity', 'every tenth clip and the difficult ones: `test/flash-corpus`'),
  bench('delivery-spec', 'every seventh file: `delivery-spec/sidekick`'),
  bench('ordinary', '16 small files: `test/ordinary-media`'),
  { name: 'model', command: ['pnpm', 'model', '--write'], shortRun: '100 sequences: `test/model`' },
];
