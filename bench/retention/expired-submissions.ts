import { type SubmissionIds, submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { openContainer } from '@assay/testing/storage/blobs.ts';
import type { SubmissionBench } from '../submissions/submission-bench.ts';

const uploadsAtOnce = 16;
const filename = 'note.txt';

/** Tables with a row for each submission, in an order that satisfies their foreign keys. */
const tables = ['blobs', 'version_groups', 'submissions', 'assets', 'asset_versions', 'issues', 'events'];
/** Columns that hold the id of the submission, the asset, the version group or the blob. */
const idColumns: Record<string, keyof Model> = {
  submission_id: 'submission',
  asset_id: 'asset',
  version_group_id: 'group',
  blob_id: 'blob',
};
type Model = { submission: string; asset: string; group: string; blob: string };

/**
 * Fills the database with copies of a submission that was really created and analysed; the copies ended this many days
 * ago. Only the first `objectCount` have objects in storage.
 */
export async function makeExpired(bench: SubmissionBench, count: number, objectCount: number, days: number) {
  const { db, config, live, workspace } = bench;
  const blobPath = await uploadText(live, filename);
  const created = await submit(live, [blobPath]);
  await untilFinished(live, created.submissionId);
  const model = modelOf(created, blobPath);

  const ended = new Date(Date.now() - days * 86_400_000);
  await db.query('select make_months($1, 1)', [ended]);
  const millis = ended.getTime().toString(16).padStart(12, '0');
  // The ids of the copies: UUIDs with that timestamp, each followed by its number.
  await db.query(
    `create table copies as select n,
       ('${millis.slice(0, 8)}-${millis.slice(8)}-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as submission,
       gen_random_uuid() as asset, gen_random_uuid() as "group", gen_random_uuid() as blob
     from generate_series(1, ${count}) n`,
  );
  for (const table of tables) await copyRows(bench, table, model, ended);
  const { rows } = await db.query<{ blob: string }>('select blob from copies order by n limit $1', [objectCount]);
  const container = openContainer(config);
  const upload = async () => {
    for (let next = rows.pop(); next; next = rows.pop()) {
      const path = `${workspace.workspaceId}/${next.blob}-${filename}`;
      await container.getBlockBlobClient(path).upload('hello', 5);
    }
  };
  await Promise.all(Array.from({ length: uploadsAtOnce }, upload));
  await db.query('drop table copies');
  await db.query('analyze');
}

const modelOf = ({ submissionId, assets: [asset] }: SubmissionIds, blobPath: string): Model => ({
  submission: submissionId,
  asset: asset?.assetId ?? '',
  group: asset?.versionGroupId ?? '',
  blob: blobPath.split('/')[1]?.slice(0, 36) ?? '',
});

async function copyRows({ db }: SubmissionBench, table: string, model: Model, ended: Date): Promise<void> {
  const { rows } = await db.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_name = $1 and table_schema = 'public'`,
    [table],
  );
  const names = rows.map(({ name }) => name);
  const key = Object.keys(idColumns).find((name) => names.includes(name)) as string;
  const values = rows.map(({ name, type }) => {
    if (name === 'issue_id') return 'gen_random_uuid()';
    if (name === 'event_id') return 'copies.submission'; // an id with the timestamp of the copy
    if (idColumns[name]) return `copies."${idColumns[name]}"`;
    if (type === 'timestamp with time zone')
      return `case when isfinite(model."${name}") then $2 else model."${name}" end`;
    return `model."${name}"`;
  });
  await db.query(
    `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')})
     select ${values.join(', ')} from ${table} model, copies where model."${key}" = $1 and $2::timestamptz is not null`,
    [model[idColumns[key] as keyof Model], ended],
  );
}
