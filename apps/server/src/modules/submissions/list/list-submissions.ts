import { Refusal } from '@assay/contract/refusals.ts';
import { statuses } from '@assay/contract/schemas/submission.ts';
import { z } from 'zod';
import type { Call, Reply } from '#call/call.ts';
import type { Mode } from '#call/caller.ts';
import { cutPage, decodeCursor } from '#call/cursor.ts';
import { profileKeyOf } from '#modules/profiles/find-profile.ts';
import type { Handles } from '#platform/handles.ts';
import { idFloor } from '#platform/postgres/id-floor.ts';
import { presentSubmission } from '../present.ts';
import {
  listSubmissions as findSubmissions,
  listSubmissionsByFilename,
  type NamePosition,
  type SubmissionFilter,
} from './list-store.ts';

const modesOf = { live: ['live'], sandbox: ['sandbox'], all: ['live', 'sandbox'] } satisfies Record<string, Mode[]>;

const namePosition: z.ZodType<NamePosition> = z.object({ name: z.string(), submissionId: z.guid() });

/** Lists submissions of the caller's own mode unless the query names a different one. */
export async function listSubmissions(
  { caller, query }: Call<'listSubmissions'>,
  { db }: Handles,
): Promise<Reply<'listSubmissions'>> {
  const { workspaceId } = caller;
  const after = query.createdAfter && new Date(Date.parse(query.createdAfter) + 1);
  const before = query.createdBefore && new Date(query.createdBefore);
  const filter: SubmissionFilter = {
    modes: modesOf[query.mode ?? caller.mode],
    statuses: [...new Set(query.status ?? statuses)],
    verdicts: query.verdict && [...new Set(query.verdict)],
    profileKey: query.profile && (await profileKeyOf(db, workspaceId, query.profile)),
    clientReference: query.clientReference,
    fromId: after && idFloor(after),
    beforeId: before && idFloor(before),
    limit: query.limit + 1,
  };
  refuseUnboundedFilter(query);
  const { items, ...page } = await (query.filename
    ? pageByFilename(query.filename)
    : pageByTime(decodeCursor(query.cursor, z.guid())));
  return { submissions: items.map((submission) => presentSubmission(submission, caller.mode)), ...page };

  async function pageByTime(position: string | undefined) {
    const beforeId = [position, filter.beforeId].filter((bound) => bound !== undefined).sort()[0];
    const found = await findSubmissions(db, workspaceId, { ...filter, beforeId });
    return cutPage(found, query.limit, (submission) => submission.submission_id);
  }

  async function pageByFilename(filenamePrefix: string) {
    const position = decodeCursor(query.cursor, namePosition);
    const found = await listSubmissionsByFilename(db, workspaceId, { ...filter, filenamePrefix, after: position });
    return cutPage(found, query.limit, ({ sortedBy, submission_id }) => ({
      name: sortedBy,
      submissionId: submission_id,
    }));
  }
}

/** Whatever the other filter matches, all files with such a name might have to be read. */
function refuseUnboundedFilter(query: Call<'listSubmissions'>['query']): void {
  const others = ['status', 'verdict', 'profile', 'clientReference'] as const;
  const other = others.find((name) => query[name] !== undefined);
  if (query.filename === undefined || !other) return;
  const detail = `filename cannot be combined with ${other}.`;
  throw new Refusal('validation_failed', { errors: [{ pointer: `/${other}`, code: 'conflicting_filter', detail }] });
}
