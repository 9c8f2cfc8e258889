import { z } from 'zod';
import { createFieldRules } from '../field-rules.ts';
import { metadataBytesMax, metadataDepthMax, metadataKeyCharactersMax, metadataKeysMax } from '../limits.ts';
import { unstorableTextMessage } from './member.ts';

/**
 * The value of `assay`, the only reserved key; all others belong to the caller and are only stored. Whether the profile
 * exists depends on the workspace, so it is checked later.
 */
const ReservedMetadata = z.strictObject({ profile: z.string().min(1).max(63).nullish() });
const reservedMetadataRules = createFieldRules(ReservedMetadata);

/**
 * §4.3: free-form, within limits that keep it small. Not a `z.record`: that copies key by key and leaves out
 * `__proto__`, which is the caller's data like any other.
 */
const checkedMetadata = z
  .unknown()
  .check((context) => {
    const { value: input } = context;
    if (!isObject(input)) return void context.issues.push({ code: 'invalid_type', expected: 'object', input });
    for (const fault of faultsOf(input)) context.issues.push({ code: 'custom', input, ...fault });
    const choices = ReservedMetadata.safeParse(input.assay ?? {}, { error: reservedMetadataRules.ruleOf });
    for (const issue of choices.error?.issues ?? []) {
      context.issues.push({ ...issue, input: input.assay, path: ['assay', ...issue.path] } as never);
    }
  })
  .meta({
    id: 'Metadata',
    type: 'object',
    additionalProperties: {},
    description: `Free-form object: up to ${metadataKeysMax} keys of 1 to ${metadataKeyCharactersMax} characters, ${metadataDepthMax} levels of nesting and ${metadataBytesMax / 1024} KiB as JSON. The key \`assay\` is reserved: \`{"assay": {"profile": "ebu-r128"}}\` selects the delivery profile by ID or name. Default: the profile of the workspace.`,
  });
export const Metadata = checkedMetadata as unknown as z.ZodType<Metadata, Metadata>;
export type Metadata = Record<string, unknown>;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The message is a predicate: it follows the name of the field. */
type MetadataFault = { path?: string[]; message: string };

function faultsOf(metadata: Record<string, unknown>): MetadataFault[] {
  // Depth is checked first: a value nested too deeply would overflow the stack of the code that traverses it.
  if (isDeeperThan(metadata, metadataDepthMax)) {
    return [{ message: `must have at most ${metadataDepthMax} levels of nesting.` }];
  }
  const keys = Object.keys(metadata);
  const text = JSON.stringify(metadata);
  const faults: MetadataFault[] =
    keys.length > metadataKeysMax
      ? [{ message: `must have at most ${metadataKeysMax} keys.` }]
      : keys
          .filter((key) => key.length === 0 || hasMoreCharacters(key, metadataKeyCharactersMax))
          .map((key) => ({ path: [key], message: `must have a key of 1 to ${metadataKeyCharactersMax} characters.` }));
  if (new TextEncoder().encode(text).length > metadataBytesMax) {
    faults.push({ message: `must be at most ${metadataBytesMax / 1024} KiB as JSON.` });
    // JSON.stringify escapes what a text column cannot store: NUL and lone surrogates. Text over the limit is not
    // searched.
  } else if (/(^|[^\\])(\\\\)*\\u(0000|d[89a-f])/i.test(text)) {
    faults.push({ message: unstorableTextMessage });
  }
  return faults;
}

/** A character has one or two UTF-16 code units, so the characters of a very long text need not be counted. */
function hasMoreCharacters(text: string, charactersMax: number): boolean {
  return text.length > 2 * charactersMax || [...text].length > charactersMax;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isDeeperThan(child, levels - 1));
}
