import fc from 'fast-check';
import { command } from './generate-command.ts';
import type { Model } from './model.ts';
import { perform } from './perform/perform.ts';
import type { Session } from './session.ts';

export type Sequence = Iterable<fc.AsyncCommand<Model, Session, boolean>>;

/** Sequences of exactly this length; those of fast-check itself have any length up to it. */
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
      // `value_`, because reading `value` makes it return copies from then on, and shrinking needs the objects that ran.
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
