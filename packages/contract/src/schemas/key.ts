import { z } from 'zod';
import { keysPage } from '../limits.ts';
import { scopes } from '../rights.ts';
import { exampleCompletedAt } from './examples.ts';
import { meaning, mode } from './fields.ts';
import { optional, storableText } from './member.ts';
import { cursor, pageLimit, pageMembers, requestTime } from './page.ts';

export const KeyName = storableText(100)
  .min(1)
  .meta({
    description: 'What the key is for, such as the name of the pipeline that uses it.',
    examples: ['Publishing pipeline'],
  });

const keyMode = meaning(mode, 'The kind of the key: `live` for `sk_live_…`, `sandbox` for `sk_test_…`.');
const expiryExample = '2027-01-05T00:00:00Z';

export const KeyRequest = z
  .strictObject({
    name: KeyName,
    mode: optional(keyMode).meta({ description: 'The kind of the key. Default: that of the key that calls.' }),
    scopes: optional(
      z
        .array(z.enum(scopes))
        .min(1)
        .max(20)
        .transform((chosen) => scopes.filter((scope) => chosen.includes(scope))),
    ).meta({
      description: 'What the key may do; duplicates are ignored. Default: everything except `manage`.',
      examples: [['read', 'submit']],
    }),
    expiresAt: optional(requestTime).meta({
      description: 'When the key expires, in the future. Default: never.',
      examples: [expiryExample],
    }),
  })
  .meta({ id: 'KeyRequest' });

/** Fields left out stay unchanged. */
export const KeyChange = z
  .strictObject({
    name: optional(KeyName),
    expiresAt: requestTime
      .nullable()
      .optional()
      .meta({
        description: 'When the key expires; a time in the past expires it now. Null removes the expiry.',
        examples: [expiryExample],
      }),
  })
  .refine(
    (change) => Object.values(change).some((value) => value !== undefined),
    'must contain at least one field to change.',
  )
  .meta({ id: 'KeyChange' });

const key = {
  keyId: z.uuid().meta({ description: 'ID of the key; `key_id` in paths, and the actor of what it decides.' }),
  name: z.string().nullable().meta({ description: 'What the key is for; null if it has no name.' }),
  mode: keyMode,
  scopes: z
    .array(z.enum(scopes))
    .meta({ description: 'What the key may do. The description of each endpoint names its scope.' }),
  prefix: z.string().meta({ description: 'The first 12 characters of the key, to tell keys apart.' }),
  lastFour: z.string().meta({ description: 'The last four characters of the key.' }),
  createdAt: z.iso.datetime().meta({ description: 'When the key was created.' }),
  lastUsedAt: z.iso
    .datetime()
    .nullable()
    .meta({
      description: 'When the key was last used, to the minute; null if it never was.',
      examples: [exampleCompletedAt],
    }),
  expiresAt: z.iso.datetime().nullable().meta({ description: 'When the key expires; null if it does not.' }),
  revokedAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When the key was revoked; null if it was not.', examples: [exampleCompletedAt] }),
};
export const ApiKey = z.object(key).meta({ id: 'ApiKey', description: 'An API key, without the key itself.' });
export type ApiKey = z.infer<typeof ApiKey>;

export const CreatedKey = z
  .object({
    ...key,
    key: z.string().meta({ description: 'The key, to be sent as `X-API-Key`. It is not shown again.' }),
  })
  .meta({ id: 'CreatedKey', description: 'A new API key.' });

export const KeyListQuery = z.object({ limit: pageLimit(keysPage), cursor: cursor.optional() });
export const KeyList = z
  .object({ keys: z.array(ApiKey).meta({ description: 'The keys, newest first.' }), ...pageMembers })
  .meta({ id: 'KeyList' });
