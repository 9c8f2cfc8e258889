import { globSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { root } from '@assay/testing/run/root.ts';
import { vitest } from './run-command.ts';

/** Commands that the gate runs as one unit. A green result is kept under a hash of the group's inputs. */
export type Group = {
  name: string;
  /** The commands run at the same time. */
  commands: Record<string, string[]>;
  /**
   * Path prefixes that the group does not read, besides the tests of other groups. Every other file is an input: a new
   * folder is one until it is listed here. `.ci/nightly inputs` verifies the list. A group without it reads everything.
   */
  notRead?: string[];
  /** CPU time budget of everything that runs on the machine. Raise it in a commit of its own that says why. */
  cpuSecondsMax: number;
};

/** The test files of each group. A file that no group lists belongs to `core`. */
export const tests = {
  unit: [
    'apps/cli/src/{commands,files,output}/*.test.ts',
    'apps/server/src/{config/*,platform/mechanisms/{group-writes,semaphore}}.test.ts',
    'apps/server/src/http/{limits/caller-network,request/{read-json,validate},response/compress}.test.ts',
    'apps/server/src/modules/analysis/{weigh-download,share/!(workspace-limit)}.test.ts',
    'apps/server/src/modules/profiles/{differences,resolve-document}.test.ts',
    'apps/server/src/modules/results/{decisions/{inherit-decision,worsening},matching/*,topics/topics}.test.ts',
    'apps/server/src/modules/submissions/{versions/match-versions,status,submission-id}.test.ts',
    'apps/server/src/modules/uploads/{quota/measure-action,retention/retention-action,scratch-file}.test.ts',
    'apps/server/src/modules/webhooks/outbound/address-rules.test.ts',
    'packages/contract/src/**/*.test.ts',
    'packages/report/src/**/!(report-in-browser).test.ts',
    'packages/sdk/src/{follow-by-ticket,node,webhook-signature,wire,upload/check-file,upload/size}.test.ts',
    'packages/sidekicks/src/{sidekick/!(applies),profiles/*,run/{!(progress),examiner/examiner-program}}.test.ts',
    'packages/sidekicks/src/checks/*/check!(-patterns)*.test.ts',
    'packages/sidekicks/src/evidence/{file/!(metadata),media/!(probe)}/**/!(decode|embedded-captions|pattern-watch|tracker).test.ts',
    'packages/testing/src/**/*.test.ts',
    'tools/**/*.test.ts',
    'verify/{contract/conformance,deploy/chart,deploy/release,repository}/!(walk*).test.ts',
    'verify/contract/verdict-histories.test.ts',
    'verify/resilience/chaos/**/*.test.ts',
  ],
  recovery: [
    'apps/server/src/{platform/temporal,modules/uploads/move}/*.test.ts',
    'apps/server/src/admin/move-storage.test.ts',
    'packages/sidekicks/src/run/examiner/*.test.ts',
    'verify/resilience/{clock-jump,crash-points,cut-off-worker,deadly-file,fair-share,faults,full-disk,killed-parts,lost-run,submission-races}.test.ts',
  ],
  /** Runs alone: examiners have a low priority, so a tool can exceed its time limit while other tests run. */
  poison: ['verify/security/poison/*.test.ts'],
  media: ['packages/{jail,sidekicks}/**/*.test.ts', 'verify/media/**/*.test.ts'],
  clients: [
    '{apps/cli,packages/report,packages/sdk}/**/*.test.ts',
    'verify/{contract/{browser,real-clients/*},deploy/packages}.test.ts',
  ],
  docs: ['verify/docs/*.test.ts'],
  /** Tests that read or write storage themselves run again on S3. `.ci/nightly 'everything on S3'` runs the others. */
  s3: [
    'apps/server/src/modules/analysis/analyse-submission.test.ts',
    'apps/server/src/modules/results/stills/evidence.test.ts',
    'apps/server/src/modules/submissions/{create/create-submission,create/uploaded-bytes,delete/delete-submission,retention/retention}.test.ts',
    'apps/server/src/modules/uploads/{*,quota/*,retention/*}.test.ts',
    'verify/contract/conformance/walk.test.ts',
    'verify/resilience/faults.test.ts',
  ],
  /**
   * Tests that measure time or memory, or take minutes; only `.ci/nightly` runs them. verify/README.md says which tests
   * of the gate cover the same promises.
   */
  nightly: [
    'verify/contract/unseen.test.ts',
    'verify/resilience/{bad-receivers,fairness,killed-examination,lost-engine,partitions,stopped-worker,upload-memory}.test.ts',
  ],
};

const notReadByService = [
  ...['CHANGELOG.md', 'CODE_OF_CONDUCT.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md', 'SUPPORT.md'],
  ...['.github/', 'deploy/', 'docs/'],
  ...[
    'tools/ci/nightly/',
    'verify/contract/generators/',
    'verify/deploy/',
    'verify/resilience/drill/',
    'verify/resilience/upgrade/',
  ],
];
const clientPaths = ['apps/cli/', 'packages/report/', 'packages/sdk/', 'verify/contract/real-clients/'];
const vitestCommand = (group: string) => ({ tests: vitest('--project', `${group}*`) });

/** Run in this order, one after another. */
export const groups: Group[] = [
  {
    name: 'static',
    commands: {
      types: ['pnpm', 'typecheck'],
      lint: ['pnpm', 'lint'],
      stack: ['pnpm', 'stack', 'up', '--instance', 'test'],
    },
    cpuSecondsMax: 110,
  },
  { name: 'unit', commands: vitestCommand('unit'), cpuSecondsMax: 90 },
  { name: 'docs', commands: vitestCommand('docs'), notRead: ['verify/media/'], cpuSecondsMax: 270 },
  {
    name: 'core',
    commands: { ...vitestCommand('core'), schemathesis: ['pnpm', 'schemathesis', '--quick'] },
    notRead: [...notReadByService, ...clientPaths],
    cpuSecondsMax: 1400,
  },
  {
    name: 'poison',
    commands: vitestCommand('poison'),
    notRead: [...notReadByService, ...clientPaths],
    cpuSecondsMax: 205,
  },
  {
    name: 'recovery',
    commands: vitestCommand('recovery'),
    notRead: [...notReadByService, ...clientPaths],
    cpuSecondsMax: 760,
  },
  {
    name: 'media',
    commands: vitestCommand('media'),
    notRead: [...notReadByService, ...clientPaths, 'apps/server/'],
    cpuSecondsMax: 680,
  },
  { name: 'clients', commands: vitestCommand('clients'), notRead: notReadByService, cpuSecondsMax: 470 },
  { name: 's3', commands: vitestCommand('s3'), notRead: [...notReadByService, ...clientPaths], cpuSecondsMax: 230 },
];

/** The CPU time budget of a test file, including the processes that it starts. */
export const fileCpuSecondsMax = 35;
export const filesAboveMax: Record<string, number> = {
  'apps/cli/src/check.test.ts': 45, // one CLI process per case
  'packages/sdk/src/runtimes.test.ts': 50, // packages/sdk/test/walk.ts in each JavaScript runtime
  'verify/docs/samples.test.ts': 40, // two programs per endpoint
  'verify/docs/site.test.ts': 60, // builds the site if a page has changed since the last build on this machine
  'verify/docs/code-blocks.test.ts': 90, // runs every block of the guides, in five languages
  'verify/resilience/crash-points.test.ts': 50, // two service processes per crash point
  'verify/resilience/deadly-file.test.ts': 60, // restarts the worker each time a file has killed it
  'verify/contract/event-loop.test.ts': 45, // hostile values in each field of each route
  'verify/security/guard/guard.test.ts': 50, // runs in separate network namespaces
  'verify/resilience/killed-parts.test.ts': 45, // restarts every part of the stack and every process
  'verify/resilience/fair-share.test.ts': 65, // four workers, each beside a long video that is examined in the end
  'verify/resilience/submission-races.test.ts': 45, // 64 concurrent callers for one row, ten times
  'verify/contract/live-stream.test.ts': 70, // kills and restarts the processes that serve streams
  'verify/contract/model/sequences.test.ts': 100, // 2,000 calls, each compared with the model
  'verify/media/flash-corpus/near-limit.test.ts': 50, // 24 clips, each also analysed by the plain implementation
  'verify/media/flash-corpus/flash-corpus.test.ts': 45, // a clip of each labelled set in 1080p
  'verify/security/poison/poison.test.ts': 95, // every kind of hostile file, and whatever it hides
  'apps/server/src/modules/uploads/move/killed-move.test.ts': 40, // moves objects under load, killed twice
};

/** Tests of endpoints run in one process, one after another: loading the service takes longer than most of them. */
const sharedProcessTests = [
  'apps/server/src/**/*.test.ts',
  'verify/{contract/{every-route,order-of-checks},security/{profile-tenancy,tenancy}}.test.ts',
  'verify/contract/conformance/walk*.test.ts',
];
/** These test files change or read the state of their whole process. */
const ownProcessTests = [
  'apps/server/src/platform/storage/credentials.test.ts', // replaces certificates and the environment
  'apps/server/src/platform/temporal/as-activity.test.ts', // reads the log of the Temporal runtime of the process
];
export const sharesProcess = (file: string) =>
  groupOf(file) === 'unit' || (matchesAny(sharedProcessTests)(file) && !ownProcessTests.includes(file));

const isTest = (file: string) => /\.test\.tsx?$/.test(file);
/** Whether a test file tests components, which needs no server. */
export const hasJsx = (file: string) => file.endsWith('.tsx');

const lookupOrder = ['unit', 'nightly', 'recovery', 'poison', 'media', 'clients', 'docs'] as const;
const matchesAny = (patterns: string[]) => (file: string) => patterns.some((pattern) => matchesGlob(file, pattern));

/** The group of a test file. The files of `s3` also belong to another group, which is the one returned. */
export function groupOf(file: string): string {
  if (hasJsx(file)) return 'unit';
  const group = groupByFile.get(file) ?? lookupOrder.find((name) => matchesAny(tests[name])(file)) ?? 'core';
  groupByFile.set(file, group);
  return group;
}
const groupByFile = new Map<string, string>();

export function testsOf(group: string): string[] {
  const exclude = (name: string) => name === 'node_modules' || name === 'dist';
  const files = globSync('{apps,packages,tools,verify}/**/*.test.{ts,tsx}', { cwd: root, exclude }).sort();
  return files.filter((file) =>
    group === 's3' ? matchesAny(tests.s3)(file) && groupOf(file) !== 'unit' : groupOf(file) === group,
  );
}

export function isInput({ name, notRead }: Group, file: string): boolean {
  if (!notRead) return true;
  if (isTest(file)) return groupOf(file) === name || (name === 's3' && matchesAny(tests.s3)(file));
  return !notRead.some((beginning) => file.startsWith(beginning));
}
