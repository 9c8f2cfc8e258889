import { type EventType, eventTypes, firedEventTypes } from '@assay/contract/schemas/event.ts';
import type { IssueStatus } from '@assay/contract/schemas/issue.ts';
import fc from 'fast-check';
import type {
  AssetSelector,
  Command,
  Commands,
  IssueSelector,
  Op,
  Selector,
  SubmissionSelector,
  SubscriptionSelector,
  UploadSelector,
} from './commands.ts';
import { filenames } from './files.ts';
import type { Mode, Settings, Status } from './model.ts';

// The weights are chosen so that every response occurs: tally.ts lists those that must.
const mode: fc.Arbitrary<Mode> = weigh({ live: 5, sandbox: 1 });
const filename = fc.constantFrom(...filenames);
const bytes = { isValid: chance(0.85), hasFindings: chance(0.7) };
const keys = fc.constantFrom('key 1', 'key 2', 'key 3');
const key = maybe(0.25, keys);

const read = selector<SubmissionSelector>({ any: 16, running: 8, deleted: 2, foreign: 1, unknown: 1 });
const continued = selector<SubmissionSelector>({
  decided: 8,
  any: 12,
  several: 16,
  deleted: 2,
  foreign: 1,
  unknown: 1,
});
const cancelled = selector<SubmissionSelector>({
  retried: 24,
  unfinished: 8,
  running: 4,
  any: 4,
  deleted: 1,
  foreign: 1,
});
const deleted = selector<SubmissionSelector>({ finished: 12, unfinished: 6, any: 4, deleted: 1, foreign: 1 });
const awaited = selector<SubmissionSelector>({ running: 1 });
const retried = selector<AssetSelector>({
  'most retried': 30,
  cancelled: 6,
  changed: 4,
  any: 6,
  'no asset': 1,
  deleted: 1,
  foreign: 1,
});
const examined = selector<AssetSelector>({
  complete: 12,
  any: 6,
  waiting: 3,
  cancelled: 3,
  'no asset': 1,
  deleted: 1,
  foreign: 1,
});
const submitted = selector<UploadSelector>({
  ready: 48,
  flawed: 12,
  repeated: 2,
  discarded: 4,
  empty: 3,
  wrong: 3,
  any: 2,
  foreign: 1,
  invented: 1,
});
const overwritten = selector<UploadSelector>({ empty: 5, submitted: 10, any: 3, discarded: 1, invented: 1 });

const submitting = {
  mode,
  isServed: chance(0.5),
  sidekicks: weigh({ 'file safety': 20, none: 4, unknown: 1 }),
  key,
  delaySeconds: maybe(0.08, fc.constantFrom(0, 30)),
  note: fc.nat(1),
};
const assetsWith = (previous: fc.Arbitrary<SubmissionSelector | undefined>) =>
  fc.array(fc.record({ upload: submitted, previous }), { minLength: 1, maxLength: 3 });

const decided = selector<AssetSelector>({ flawed: 40, complete: 3, any: 2, 'no asset': 2, deleted: 2, foreign: 2 });
const issue = selector<IssueSelector>({ own: 12, other: 1, foreign: 1, unknown: 1 });
const decision = weigh<IssueStatus>({
  ACKNOWLEDGED: 4,
  DISMISSED: 4,
  RESOLVED: 1,
  OPEN: 1,
  AWAITING_HUMAN_INPUT: 1,
});

const subscribed = selector<SubscriptionSelector>({ any: 14, inactive: 2, deleted: 2, foreign: 2, unknown: 1 });
const changed = selector<SubscriptionSelector>({ any: 6, used: 6, inactive: 3, deleted: 1, foreign: 1, unknown: 1 });
const resent = selector<SubscriptionSelector>({ used: 9, inactive: 9, deleted: 1, foreign: 1, unknown: 1 });
const someTypes = fc.oneof(
  fc.constant<EventType[]>([...eventTypes]),
  fc.constantFrom(...eventTypes).map((type): EventType[] => [type]),
);
const settingsMode = weigh<Settings['mode']>({ all: 4, live: 1, sandbox: 1 });
const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ isActive: chance(0.3) }) },
  { weight: 1, arbitrary: fc.record({ eventTypes: someTypes }) },
  { weight: 1, arbitrary: fc.record({ mode: settingsMode }) },
);
const fired = selector<SubmissionSelector>({ any: 12, deleted: 1, foreign: 1, unknown: 1 });
const followed = selector<SubmissionSelector>({
  unfinished: 12,
  running: 6,
  any: 6,
  deleted: 1,
  foreign: 1,
  unknown: 1,
});

/** A new version of an asset with decisions, examined by a worker that finds the same issues. */
const decidedVersion = {
  ...submitting,
  mode: fc.constant<Mode>('live'),
  isServed: fc.constant(true),
  assets: fc.tuple(
    fc.record({
      upload: selector<UploadSelector>({ flawed: 1 }),
      previous: selector<SubmissionSelector>({ decided: 1 }),
    }),
  ),
  sidekicks: fc.constant('file safety' as const),
  delaySeconds: fc.constant(undefined),
};

const status = weigh<Status>({ submitted: 1, processing: 1, complete: 1, failed: 1 });

export const command: fc.Arbitrary<Command> = fc.oneof(
  doing('upload', 6, { mode, filename, ...bytes }),
  doing('url', 3, { mode, filename }),
  doing('put', 5, { mode, upload: overwritten, ...bytes }),
  doing('submit', 13, { assets: assetsWith(fc.constant(undefined)), ...submitting }),
  doing('version', 9, { assets: assetsWith(maybe(0.7, continued)), ...submitting }),
  doing('version', 6, decidedVersion),
  doing('poll', 8, { mode, submission: read }),
  doing('retry', 27, { mode, asset: retried, isServed: chance(0.2), key }),
  doing('cancel', 25, { mode, submission: cancelled }),
  doing('delete', 8, { mode, submission: deleted }),
  doing('versions', 4, { mode, submission: read }),
  doing('asset', 3, { mode, asset: examined }),
  doing('issues', 3, { mode, asset: examined }),
  doing('topics', 2, { mode, asset: examined }),
  doing('list', 3, { mode, limit: fc.constantFrom(1, 3, 100), status: maybe(0.5, status) }),
  doing('replay', 3, { pick: fc.nat(9), isChanged: chance(0.3) }),
  doing('me', 2, { mode }),
  doing('settle', 4, { mode, submission: awaited }),
  doing('purge', 4, {}),
  doing('decide', 7, { mode, asset: decided, issue, status: decision, note: maybe(0.6, fc.constant('as agreed')) }),
  doing('subscribe', 5, {
    by: mode,
    isAllowed: chance(0.9),
    eventTypes: someTypes,
    mode: settingsMode,
    key: maybe(0.5, keys),
  }),
  doing('change', 4, { by: mode, subscription: changed, change }),
  doing('unsubscribe', 1, { by: mode, subscription: subscribed }),
  doing('subscription', 2, { by: mode, subscription: subscribed }),
  doing('subscriptions', 1, { by: mode, limit: fc.constantFrom(1, 100) }),
  doing('deliveries', 3, { by: mode, subscription: subscribed, limit: fc.constantFrom(3, 100), pick: fc.nat(9) }),
  doing('resend', 3, { by: mode, subscription: resent, pick: fc.nat(9) }),
  doing('fire', 3, {
    mode: weigh<Mode>({ sandbox: 8, live: 1 }),
    submission: fired,
    isServed: chance(0.2),
    eventType: fc.constantFrom(...firedEventTypes),
    message: maybe(0.3, fc.constant('made up')),
  }),
  doing('events', 3, { mode: weigh<Mode>({ sandbox: 8, live: 1 }), isServed: chance(0.5), pick: fc.nat(9) }),
  doing('follow', 5, { mode, submission: followed, isServed: chance(0.5), hasUnknownId: chance(0.1) }),
  doing('watch', 5, { pick: fc.nat(3) }),
  doing('resume', 4, { pick: fc.nat(3), back: fc.nat(3), isServed: chance(0.5) }),
);

function doing<Name extends Op>(
  op: Name,
  weight: number,
  members: { [Member in keyof Commands[Name]]: fc.Arbitrary<Commands[Name][Member]> },
): { weight: number; arbitrary: fc.Arbitrary<Command> } {
  return { weight, arbitrary: fc.record({ op: fc.constant(op), ...members }) as unknown as fc.Arbitrary<Command> };
}

function weigh<Name extends string>(weights: Partial<Record<Name, number>>): fc.Arbitrary<Name> {
  const entries = Object.entries(weights) as [Name, number][];
  return fc.oneof(...entries.map(([name, weight]) => ({ weight, arbitrary: fc.constant(name) })));
}

function selector<Selected extends Selector<string>>(
  kinds: Partial<Record<Selected['kind'], number>>,
): fc.Arbitrary<Selected> {
  return fc.record({ kind: weigh(kinds), pick: fc.nat(9) }) as fc.Arbitrary<Selected>;
}

function chance(probability: number): fc.Arbitrary<boolean> {
  return maybe(probability, fc.constant(true)).map((value) => value ?? false);
}

function maybe<Value>(probability: number, arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.oneof(
    { weight: Math.round((1 - probability) * 100), arbitrary: fc.constant(undefined) },
    { weight: Math.round(probability * 100), arbitrary },
  );
}
