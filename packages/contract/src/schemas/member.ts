import { z } from 'zod';

/** An optional field, for which null counts as absent. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

/** The message for text that a text column cannot store. */
export const unstorableTextMessage = 'must not contain NUL characters or unpaired surrogates.';

/** Text that the database can store. */
export const storableText = (charactersMax: number) =>
  z
    .string()
    .max(charactersMax)
    .refine((value) => value.isWellFormed() && !value.includes('\0'), unstorableTextMessage);
