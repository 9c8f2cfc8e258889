import type { Db } from '@assay/server/platform/postgres/db.ts';
import type { Created } from './submissions.ts';

/** All rows of a submission, the credits of its assets, and the counters of their version groups. */
export async function rowsOf(db: Db, { submissionId: id, assets }: Created) {
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

export type SubmissionRows = Awaited<ReturnType<typeof rowsOf>>;

/**
 * Equal for two submissions with the same outcome: ids are numbered by occurrence, timestamps removed, and so is the
 * number of changes, which counts reports of progress.
 */
export function withoutIdentity(rows: SubmissionRows): SubmissionRows {
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
