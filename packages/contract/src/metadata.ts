import { z } from 'zod';
import { profiles } from './house.ts';
import { metadataBytesMax, metadataDepthMax, metadataKeyCharactersMax, metadataKeysMax } from './limits.ts';

/** The one key that is ours; every other is the caller's and is only kept. */
const Choices = z.strictObject({ profile: z.enum(profiles).nullish() });

/**
 * §4.3: free-form, within bounds that keep it a note beside a submission. Not a `z.record`: that copies member by member
 * and leaves out `__proto__`, which is the caller's data like any other.
 */
const anyMetadata = z
  .unknown()
  .check((context) => {
    const { value: input } = context;
    if (!isObject(input)) return void context.issues.push({ code: 'invalid_type', expected: 'object', input });
    for (const complaint of complaintsAbout(input)) context.issues.push({ code: 'custom', input, ...complaint });
    const choices = Choices.safeParse(input.assay ?? {});
    for (const issue of choices.error?.issues ?? []) {
      context.issues.push({ ...issue, input: input.assay, path: ['assay', ...issue.path] } as never);
    }
  })
  .meta({
    id: 'Metadata',
    type: 'object',
    additionalProperties: {},
    description: `Free-form: at most ${metadataKeysMax} keys of 1 to ${metadataKeyCharactersMax} characters, ${metadataDepthMax} levels deep, ${metadataBytesMax / 1024} KiB as JSON. The key \`assay\` is ours: \`{profile}\` picks the house profile (${profiles.join(', ')}).`,
  });
export const Metadata = anyMetadata as unknown as z.ZodType<Metadata, Metadata>;
export type Metadata = Record<string, unknown>;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Complaint = { path?: string[]; message: string };

function complaintsAbout(metadata: Record<string, unknown>): Complaint[] {
  // First of all: what is too deep would overflow the stack of everything that walks it.
  if (isDeeperThan(metadata, metadataDepthMax)) return [{ message: `At most ${metadataDepthMax} levels deep.` }];
  const keys = Object.keys(metadata);
  const text = JSON.stringify(metadata);
  const complaints: Complaint[] = keys
    .filter((key) => key.length === 0 || [...key].length > metadataKeyCharactersMax)
    .map((key) => ({ path: [key], message: `A key has 1 to ${metadataKeyCharactersMax} characters.` }));
  if (keys.length > metadataKeysMax) complaints.push({ message: `At most ${metadataKeysMax} keys.` });
  if (new TextEncoder().encode(text).length > metadataBytesMax) {
    complaints.push({ message: `At most ${metadataBytesMax} bytes as JSON.` });
  }
  // JSON.stringify writes exactly these two, which no text column can hold, as escapes.
  if (/(^|[^\\])(\\\\)*\\u(0000|d[89a-f])/i.test(text)) {
    complaints.push({ message: 'No NUL character and no half of a surrogate pair.' });
  }
  return complaints;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isDeeperThan(child, levels - 1));
}
