import { type EventType, firedEventTypes } from '@assay/contract/schemas/event.ts';
import type { IssueStatus } from '@assay/contract/schemas/issue.ts';
import fc from 'fast-check';
import type {
  AssetSelector,
  Command,
  CommandName,
  Commands,
  IssueSelector,
  Selector,
  SubmissionSelector,
  SubscriptionSelector,
  UploadSelector,
} from './commands.ts';
import { filenames } from './files.ts';
import type { Mode, Settings, Status } from './model.ts';

// The weights are chosen so that every response occurs that tally.ts requires.
const mode: fc.Arbitrary<Mode> = weigh({ live: 5, sandbox: 1 });
const filename = fc.constantFrom(...filenames);
const bytes = { isValid: chance(0.85), hasFindings: chance(0.7) };
const keys = fc.constantFrom('key 1', 'key 2', 'key 3');
const key = maybe(0.25, keys);

// Which resources the commands select, named after what is done to them.
const readTarget = selector<SubmissionSelector>({ any: 16, running: 8, deleted: 2, foreign: 1, unknown: 1 });
const continuedTarget = selector<SubmissionSelector>({
  decided: 8,
  any: 12,
  several: 16,
  deleted: 2,
  foreign: 1,
  unknown: 1,
});
const cancelledTarget = selector<SubmissionSelector>({
  retried: 24,
  unfinished: 8,
  running: 4,
  any: 4,
  deleted: 1,
  foreign: 1,
});
const deletedTarget = selector<SubmissionSelector>({ finished: 12, unfinished: 6, any: 4, deleted: 1, foreign: 1 });
const awaitedTarget = selector<SubmissionSelector>({ running: 1 });
const retriedTarget = selector<AssetSelector>({
  'most retried': 30,
  cancelled: 6,
  changed: 4,
  any: 6,
  'no asset': 1,
  deleted: 1,
  foreign: 1,
});
const examinedTarget = selector<AssetSelector>({
  complete: 12,
  any: 6,
  waiting: 3,
  cancelled: 3,
  'no asset': 1,
  deleted: 1,
  foreign: 1,
});
const submittedTarget = selector<UploadSelector>({
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
const overwrittenTarget = selector<UploadSelector>({ empty: 5, submitted: 10, any: 3, discarded: 1, invented: 1 });

const submissionFields = {
  mode,
  isServed: chance(0.5),
  sidekicks: weigh({ 'file safety': 20, none: 4, unknown: 1 }),
  key,
  delaySeconds: maybe(0.08, fc.constantFrom(0, 30)),
  note: fc.nat(1),
};
const assetsWith = (previous: fc.Arbitrary<SubmissionSelector | undefined>) =>
  fc.array(fc.record({ upload: submittedTarget, previous }), { minLength: 1, maxLength: 3 });

const decidedTarget = selector<AssetSelector>({
  flawed: 40,
  complete: 3,
  any: 2,
  'no asset': 2,
  deleted: 2,
  foreign: 2,
});
const issue = selector<IssueSelector>({ own: 12, other: 1, foreign: 1, unknown: 1 });
const decision = weigh<IssueStatus>({
  ACKNOWLEDGED: 4,
  DISMISSED: 4,
  RESOLVED: 1,
  OPEN: 1,
  AWAITING_HUMAN_INPUT: 1,
});

const subscribedTarget = selector<SubscriptionSelector>({ any: 14, inactive: 2, deleted: 2, foreign: 2, unknown: 1 });
const changedTarget = selector<SubscriptionSelector>({
  any: 6,
  used: 6,
  inactive: 3,
  deleted: 1,
  foreign: 1,
  unknown: 1,
});
const resentTarget = selector<SubscriptionSelector>({ used: 9, inactive: 9, deleted: 1, foreign: 1, unknown: 1 });
const subscribedTypes = fc.oneof(
  fc.constant<EventType[]>([...firedEventTypes]),
  fc.constantFrom(...firedEventTypes).map((type): EventType[] => [type]),
);
const settingsMode = weigh<Settings['mode']>({ all: 4, live: 1, sandbox: 1 });
const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ isActive: chance(0.3) }) },
  { weight: 1, arbitrary: fc.record({ eventTypes: subscribedTypes }) },
  { weight: 1, arbitrary: fc.record({ mode: settingsMode }) },
);
const firedTarget = selector<SubmissionSelector>({ any: 12, deleted: 1, foreign: 1, unknown: 1 });
const followedTarget = selector<SubmissionSelector>({
  unfinished: 12,
  running: 6,
  any: 6,
  deleted: 1,
  foreign: 1,
  unknown: 1,
});

/** A new version of an asset with decisions, examined by a worker that finds the same issues. */
const decidedVersion = {
  ...submissionFields,
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
  commandOf('upload', 6, { mode, filename, ...bytes }),
  commandOf('url', 3, { mode, filename }),
  commandOf('put', 5, { mode, upload: overwrittenTarget, ...bytes }),
  commandOf('submit', 13, { assets: assetsWith(fc.constant(undefined)), ...submissionFields }),
  commandOf('version', 9, { assets: assetsWith(maybe(0.7, continuedTarget)), ...submissionFields }),
  commandOf('version', 6, decidedVersion),
  commandOf('poll', 8, { mode, submission: readTarget }),
  commandOf('retry', 27, { mode, asset: retriedTarget, isServed: chance(0.2), key }),
  commandOf('cancel', 25, { mode, submission: cancelledTarget }),
  commandOf('delete', 8, { mode, submission: deletedTarget }),
  commandOf('versions', 4, { mode, submission: readTarget }),
  commandOf('asset', 3, { mode, asset: examinedTarget }),
  commandOf('issues', 3, { mode, asset: examinedTarget }),
  commandOf('topics', 2, { mode, asset: examinedTarget }),
  commandOf('list', 3, { mode, limit: fc.constantFrom(1, 3, 100), status: maybe(0.5, status) }),
  commandOf('replay', 3, { pick: fc.nat(9), isChanged: chance(0.3) }),
  commandOf('me', 2, { mode }),
  commandOf('settle', 4, { mode, submission: awaitedTarget }),
  commandOf('purge', 4, {}),
  commandOf('decide', 7, {
    mode,
    asset: decidedTarget,
    issue,
    status: decision,
    note: maybe(0.6, fc.constant('as agreed')),
  }),
  commandOf('subscribe', 5, {
    by: mode,
    isAllowed: chance(0.9),
    eventTypes: subscribedTypes,
    mode: settingsMode,
    key: maybe(0.5, keys),
  }),
  commandOf('change', 4, { by: mode, subscription: changedTarget, change }),
  commandOf('unsubscribe', 1, { by: mode, subscription: subscribedTarget }),
  commandOf('subscription', 2, { by: mode, subscription: subscribedTarget }),
  commandOf('subscriptions', 1, { by: mode, limit: fc.constantFrom(1, 100) }),
  commandOf('deliveries', 3, {
    by: mode,
    subscription: subscribedTarget,
    limit: fc.constantFrom(3, 100),
    pick: fc.nat(9),
  }),
  commandOf('resend', 3, { by: mode, subscription: resentTarget, pick: fc.nat(9) }),
  commandOf('fire', 3, {
    mode: weigh<Mode>({ sandbox: 8, live: 1 }),
    submission: firedTarget,
    isServed: chance(0.2),
    eventType: fc.constantFrom(...firedEventTypes),
    message: maybe(0.3, fc.constant('made up')),
  }),
  commandOf('events', 3, { mode: weigh<Mode>({ sandbox: 8, live: 1 }), isServed: chance(0.5), pick: fc.nat(9) }),
  commandOf('follow', 5, { mode, submission: followedTarget, isServed: chance(0.5), hasUnknownId: chance(0.1) }),
  commandOf('watch', 5, { pick: fc.nat(3) }),
  commandOf('resume', 4, { pick: fc.nat(3), back: fc.nat(3), isServed: chance(0.5) }),
);

function commandOf<Name extends CommandName>(
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
