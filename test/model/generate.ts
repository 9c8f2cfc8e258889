import fc from 'fast-check';
import type { AssetWish, Command, Commands, Op, SubmissionWish, UploadWish, Wish } from './commands.ts';
import { filenames } from './files.ts';
import type { Mode, Model, Status } from './model.ts';
import { perform } from './perform.ts';
import type { Session } from './session.ts';

export type Sequence = Iterable<fc.AsyncCommand<Model, Session, boolean>>;

/** Sequences of exactly so many commands; those of fast-check itself are of any length up to it. */
export function sequencesOf(length: number, replayPath?: string): fc.Arbitrary<Sequence> {
  const step = command.map((one) => ({
    check: async () => true,
    run: (model: Model, session: Session) => perform(one, model, session),
    toString: () => JSON.stringify(one),
  }));
  const settings = { maxCommands: length, size: 'max' as const, ...(replayPath && { replayPath }) };
  return new FullLength(fc.commands<Model, Session, boolean>([step], settings), length);
}

class FullLength extends fc.Arbitrary<Sequence> {
  readonly #sequences: fc.Arbitrary<Sequence>;
  readonly #length: number;

  constructor(sequences: fc.Arbitrary<Sequence>, length: number) {
    super();
    this.#sequences = sequences;
    this.#length = length;
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<Sequence> {
    for (;;) {
      const generated = this.#sequences.generate(random, biasFactor);
      // `value_`, as who asks for `value` gets copies from then on, and shrinking looks at what was run.
      if ([...generated.value_].length === this.#length) return generated;
    }
  }

  override canShrinkWithoutContext(value: unknown): value is Sequence {
    return this.#sequences.canShrinkWithoutContext(value);
  }

  override shrink(value: Sequence, context: unknown): fc.Stream<fc.Value<Sequence>> {
    return this.#sequences.shrink(value, context);
  }
}

// The weights are chosen so that every answer comes up: tally.ts says which must.
const mode: fc.Arbitrary<Mode> = weigh({ live: 5, sandbox: 1 });
const filename = fc.constantFrom(...filenames);
const bytes = { isHonest: chance(0.85), hasFindings: chance(0.7) };
const key = maybe(0.25, fc.constantFrom('key 1', 'key 2', 'key 3'));

const read = wish<SubmissionWish>({ any: 16, running: 8, deleted: 2, foreign: 1, unknown: 1 });
const continued = wish<SubmissionWish>({ any: 16, several: 16, deleted: 2, foreign: 1, unknown: 1 });
const cancelled = wish<SubmissionWish>({ retried: 24, 'under way': 8, running: 4, any: 4, deleted: 1, foreign: 1 });
const deleted = wish<SubmissionWish>({ over: 12, 'under way': 6, any: 4, deleted: 1, foreign: 1 });
const awaited = wish<SubmissionWish>({ running: 1 });
const retried = wish<AssetWish>({ worn: 30, cancelled: 6, changed: 4, any: 6, nowhere: 1, deleted: 1, foreign: 1 });
const examined = wish<AssetWish>({
  complete: 12,
  any: 6,
  waiting: 3,
  cancelled: 3,
  nowhere: 1,
  deleted: 1,
  foreign: 1,
});
const submitted = wish<UploadWish>({
  ready: 60,
  again: 2,
  discarded: 4,
  empty: 3,
  wrong: 3,
  any: 2,
  foreign: 1,
  invented: 1,
});
const overwritten = wish<UploadWish>({ empty: 5, submitted: 10, any: 3, discarded: 1, invented: 1 });

const submitting = {
  mode,
  isServed: chance(0.5),
  sidekicks: weigh({ 'file safety': 20, none: 4, unknown: 1 }),
  key,
  delaySeconds: maybe(0.08, fc.constantFrom(0, 30)),
  note: fc.nat(1),
};
const assetsWith = (previous: fc.Arbitrary<SubmissionWish | undefined>) =>
  fc.array(fc.record({ upload: submitted, previous }), { minLength: 1, maxLength: 3 });
const status = weigh<Status>({ submitted: 1, processing: 1, complete: 1, failed: 1 });

const command: fc.Arbitrary<Command> = fc.oneof(
  doing('upload', 6, { mode, filename, ...bytes }),
  doing('url', 3, { mode, filename }),
  doing('put', 5, { mode, upload: overwritten, ...bytes }),
  doing('submit', 13, { assets: assetsWith(fc.constant(undefined)), ...submitting }),
  doing('version', 9, { assets: assetsWith(maybe(0.7, continued)), ...submitting }),
  doing('poll', 9, { mode, submission: read }),
  doing('retry', 19, { mode, asset: retried, isServed: chance(0.2), key }),
  doing('cancel', 17, { mode, submission: cancelled }),
  doing('delete', 6, { mode, submission: deleted }),
  doing('versions', 4, { mode, submission: read }),
  doing('asset', 3, { mode, asset: examined }),
  doing('issues', 3, { mode, asset: examined }),
  doing('topics', 2, { mode, asset: examined }),
  doing('list', 3, { mode, limit: fc.constantFrom(1, 3, 100), status: maybe(0.5, status) }),
  doing('replay', 3, { pick: fc.nat(9), isChanged: chance(0.3) }),
  doing('me', 2, { mode }),
  doing('settle', 4, { mode, submission: awaited }),
  doing('tidy', 1, {}),
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

function wish<Wished extends Wish<string>>(kinds: Partial<Record<Wished['kind'], number>>): fc.Arbitrary<Wished> {
  return fc.record({ kind: weigh(kinds), pick: fc.nat(9) }) as fc.Arbitrary<Wished>;
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
