import type { Db } from '@assay/server/platform/postgres/db.ts';
import type { SubmissionIds } from './submissions.ts';

/** All rows of a submission, including the credit entries of its assets and their version groups. */
export async function readSubmissionRows(db: Db, { submissionId: id, assets }: SubmissionIds) {
  const assetIds = assets.map(({ assetId }) => assetId);
  const groupIds = assets.map(({ versionGroupId }) => versionGroupId);
  const issues = db.selectFrom('issues').selectAll().where('submission_id', '=', id);
  return {
    submissions: await db.selectFrom('submissions').selectAll().where('submission_id', '=', id).execute(),
    assets: await db.selectFrom('assets').selectAll().where('submission_id', '=', id).orderBy('position').execute(),
    issues: await issues.orderBy('asset_id').orderBy('reference_number').execute(),
    examinations: await db.selectFrom('examinations').selectAll().where('submission_id', '=', id).execute(),
    versions: await db.selectFrom('asset_versions').selectAll().where('submission_id', '=', id).execute(),
    groups: await db.selectFrom('version_groups').selectAll().where('version_group_id', 'in', groupIds).execute(),
    credits: await db.selectFrom('credit_entries').selectAll().where('asset_id', 'in', assetIds).execute(),
  };
}

export type SubmissionRows = Awaited<ReturnType<typeof readSubmissionRows>>;

/**
 * Rows that are equal for two submissions with the same outcome: ids are numbered by occurrence, and timestamps and
 * revisions are replaced. A revision counts changes, including progress updates.
 */
export function normaliseRows(rows: SubmissionRows): SubmissionRows {
  const names = new Map<string, string>();
  const nameOf = (id: string) => {
    if (!names.has(id)) names.set(id, `id ${names.size + 1}`);
    return names.get(id) as string;
  };
  const text = JSON.stringify(rows)
    .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, nameOf)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a moment')
    .replaceAll(/"revision":\d+/g, '"revision":0');
  return JSON.parse(text);
}
