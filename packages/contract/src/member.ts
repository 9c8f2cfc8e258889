import { z } from 'zod';

/** A null optional member counts as absent. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

/** Text that a database can hold. */
export const text = (charactersMax: number) =>
  z
    .string()
    .max(charactersMax)
    .refine(
      (value) => value.isWellFormed() && !value.includes('\0'),
      'No NUL character and no half of a surrogate pair.',
    );
