/**
 * Which test files need no part of the stack and take seconds, and which need the machine for themselves. A file that is in
 * neither list is a service test. README.md says what each tier promises.
 */
export const unit = [
  'apps/cli/src/report/render-report.test.ts',
  'apps/server/src/{config,handles/group-writes,http/caller-network,http/turns}.test.ts',
  'apps/server/src/issues/{inherit-decision,match-issues,pair-nearest,topics,worsening}.test.ts',
  'apps/server/src/submissions/{blob-fate,match-versions,status,submission-id}.test.ts',
  'apps/server/src/uploads/scratch-file.test.ts',
  'apps/server/src/webhooks/address-rules.test.ts',
  'packages/contract/src/**/*.test.ts',
  'packages/sdk/src/{check-file,size,webhook-signature,wire}.test.ts',
  'packages/sidekicks/src/*.test.ts',
  'packages/sidekicks/src/checks/*/check*.test.ts',
  'packages/sidekicks/src/checks/{captions,file-safety,loudness}/sidekick.test.ts',
  'packages/sidekicks/src/evidence/*/**/!(decode|embedded-captions).test.ts',
  'packages/sidekicks/src/evidence/!(run-tool).test.ts',
  'stack/*.test.ts',
  'test/{chaos,conformance,gate}/!(walk*).test.ts',
  'test/repository.test.ts',
  'test/support/*.test.ts',
];

export const slow = [
  'test/bad-receivers.test.ts', // how much slow receivers slow others down, and the worker's memory
  'test/fairness.test.ts', // how long others wait behind a backlog
  'test/lost-engine.test.ts', // drops the engine's databases: parts of its own, beside those of every test
  'test/upload-memory.test.ts', // memory of the API under many uploads at once
];

/** The service tests that take longest begin first: else the last of them would go on alone. */
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
  'test/docs/code-blocks.test.ts',
];
