import { z } from 'zod';
import { profiles } from './house.ts';
import { metadataBytesMax, metadataDepthMax, metadataKeyCharactersMax, metadataKeysMax } from './limits.ts';

/** The one key that is ours; every other is the caller's and is only kept. */
const Choices = z.strictObject({ profile: z.enum(profiles).nullish() });

/** §4.3: free-form, within bounds that keep it a note beside a submission. */
export const Metadata = z
  .record(z.string(), z.unknown())
  .check((context) => {
    for (const complaint of complaintsAbout(context.value)) {
      context.issues.push({ code: 'custom', input: context.value, ...complaint });
    }
    const choices = Choices.safeParse(context.value.assay ?? {});
    for (const issue of choices.error?.issues ?? []) {
      context.issues.push({ ...issue, input: context.value.assay, path: ['assay', ...issue.path] } as never);
    }
  })
  .meta({
    id: 'Metadata',
    description: `Free-form: at most ${metadataKeysMax} keys of 1 to ${metadataKeyCharactersMax} characters, ${metadataDepthMax} levels deep, ${metadataBytesMax / 1024} KiB as JSON. The key \`assay\` is ours: \`{profile}\` picks the house profile (${profiles.join(', ')}).`,
  });
export type Metadata = z.infer<typeof Metadata>;

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
