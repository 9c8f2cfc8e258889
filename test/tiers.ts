/**
 * Test files that need no part of the stack and take seconds, and those that need the machine for themselves. All other
 * files are service tests. README.md describes each tier.
 */
export const unit = [
  'apps/cli/src/{format,output}/*.test.ts',
  'apps/cli/src/report/{issue-card,rejected-files,render-report}.test.ts',
  'apps/server/src/{analysis/weigh-download,config,handles/group-writes,handles/semaphore,http/{caller-network,compress,read-json,validate}}.test.ts',
  'apps/server/src/issues/{inherit-decision,matching/match-issues,matching/pair-nearest,topics,worsening}.test.ts',
  'apps/server/src/profiles/{differences,resolve-document}.test.ts',
  'apps/server/src/submissions/{versions/match-versions,status,submission-id}.test.ts',
  'apps/server/src/uploads/retention/retention-action.test.ts',
  'apps/server/src/uploads/scratch-file.test.ts',
  'apps/server/src/webhooks/outbound/address-rules.test.ts',
  'packages/contract/src/**/*.test.ts',
  'packages/sdk/src/{check-file,node,size,webhook-signature,wire}.test.ts',
  'packages/sidekicks/src/*.test.ts',
  'packages/sidekicks/src/checks/*/check*.test.ts',
  'packages/sidekicks/src/checks/{captions,file-safety,loudness}/sidekick.test.ts',
  'packages/sidekicks/src/evidence/*/**/!(decode|embedded-captions|run-tool).test.ts',
  'stack/*.test.ts',
  'test/{chaos,chart,conformance,gate,release}/!(walk*).test.ts',
  'test/{contributor-files,repository,user-facing-words}.test.ts',
  'test/support/*.test.ts',
];

export const slow = [
  'test/bad-receivers.test.ts', // how much slow receivers slow others down, and the worker's memory
  'test/fairness.test.ts', // how long others wait behind a backlog
  'test/lost-engine.test.ts', // drops the engine's databases, so it starts separate parts
  'test/ordinary-media.test.ts', // runs every check on files that it makes
  'test/upload-memory.test.ts', // memory of the API under many uploads at once
];

/** The longest service tests start first, so that none of them runs alone at the end. */
export const longest = [
  'test/poison/poison.test.ts',
  'test/deadly-file.test.ts',
  'test/killed-examination.test.ts',
  'test/cut-off-worker.test.ts',
  'test/docs/site.test.ts',
  'packages/sidekicks/src/checks/qc-picture-sound/sidekick.test.ts',
  'test/stopped-worker.test.ts',
  'test/flash-corpus/flash-corpus.test.ts',
  'test/flash-corpus/near-limit.test.ts',
  'test/partitions.test.ts',
  'test/rate-limits.test.ts',
  'packages/sdk/src/waiting.test.ts',
  'packages/sdk/src/runtimes.test.ts',
  'test/crash-points.test.ts',
  'test/model/sequences.test.ts',
  'test/docs/samples.test.ts',
  'test/docs/code-blocks.test.ts',
];
