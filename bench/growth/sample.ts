import { randomUUID } from 'node:crypto';
import type { WorkspaceId } from '@assay/server/call/caller.ts';
import type { IssueRow } from '@assay/server/modules/results/store.ts';
import type pg from 'pg';
import { contents } from './fill.ts';

/** A submission with its only asset. */
export type SampleRow = {
  n: string;
  submissionId: string;
  assetId: string;
  blobId: string;
  versionGroupId: string;
  versionNumber: number;
  createdAt: Date;
};

/** Rows of the workspace that owns a fifth of everything. */
export type Sample = {
  workspaceId: WorkspaceId;
  /** Complete, with issues, a dismissed one among them, events and deliveries. */
  complete: SampleRow;
  /** The second version of an asset, nine months ago. */
  version: SampleRow;
  failed: SampleRow;
  unfinished: SampleRow;
  issueId: string;
  stillId: string;
  keyId: string;
  subscriptionId: string;
  eventId: string;
  deliveryId: string;
  pendingDeliveryId: string;
  profileId: string;
  deletedProfileId: string;
  now: Date;
  /** There are ten failed deliveries of the subscription since then. */
  tenFailedSince: Date;
  /** Moments inside the data: 1 and 17 months after its beginning. */
  early: Date;
  late: Date;
};

const rowColumns = `n, submission_id as "submissionId", asset_id as "assetId", blob_id as "blobId",
  version_group_id as "versionGroupId", version_number as "versionNumber", at as "createdAt"`;

export async function readSample(superuser: pg.Client): Promise<Sample> {
  const first = async <Row extends pg.QueryResultRow>(text: string): Promise<Row> => {
    const { rows } = await superuser.query<Row>(text);
    if (!rows[0]) throw new Error(`The generated data has no row for: ${text}`);
    return rows[0];
  };
  const find = (condition: string) =>
    first<SampleRow>(`select ${rowColumns} from made where k = 0 and ${condition} order by n desc limit 1`);
  const before = `n <= (select max(n) - ${contents.unfinished + contents.delivering} from made)`;
  const complete = await find(`status = 'complete' and mode = 'live' and n % 100 = 0 and ${before}`);
  const { workspaceId } = await first<{ workspaceId: WorkspaceId }>(
    'select workspace_id as "workspaceId" from made where k = 0 limit 1',
  );
  const idOf = async (column: string, table: string, condition: string, order = column) =>
    (
      await first<{ id: string }>(
        `select ${column} as id from ${table} where workspace_id = '${workspaceId}' and ${condition}
         order by ${order} limit 1`,
      )
    ).id;
  const ofComplete = `submission_id = '${complete.submissionId}'`;
  const { now, early } = await first<{ now: Date; early: Date }>(
    `select now(), (select min(at) from made) + interval '1 month' as early`,
  );
  const subscriptionId = await idOf('subscription_id', 'subscriptions', 'true');
  const { tenFailedSince } = await first<{ tenFailedSince: Date }>(
    `select created_at as "tenFailedSince" from deliveries
     where subscription_id = '${subscriptionId}' and status = 'failed' order by delivery_id desc offset 9 limit 1`,
  );
  return {
    workspaceId,
    complete,
    version: await find(`version_number = 2 and at < now() - interval '9 months'`),
    failed: await find(`status = 'failed' and mode = 'live' and at < now() - interval '9 months'`),
    unfinished: await find(`status = 'processing' and mode = 'live'`),
    issueId: await idOf('issue_id', 'issues', `${ofComplete} and status = 'DISMISSED'`),
    stillId: await idOf('still_id', 'stills', ofComplete),
    keyId: await idOf('key_id', 'api_keys', 'true'),
    subscriptionId,
    eventId: await idOf('event_id', 'events', ofComplete),
    deliveryId: await idOf('delivery_id', 'deliveries', `${ofComplete} and subscription_id = '${subscriptionId}'`),
    pendingDeliveryId: await idOf(
      'delivery_id',
      'deliveries',
      `status = 'pending' and subscription_id = '${subscriptionId}'`,
    ),
    profileId: await idOf('profile_id', 'profiles', 'deleted_at is null'),
    deletedProfileId: await idOf('profile_id', 'profiles', 'deleted_at is not null'),
    tenFailedSince,
    now,
    early,
    late: new Date(now.getTime() - 30 * 86_400_000),
  };
}

export function sampleIssue(now: Date): IssueRow {
  return {
    issueId: randomUUID(),
    referenceNumber: 1,
    ruleCode: 'LOUD-001',
    subject: 'programme',
    sidekickId: randomUUID(),
    summary: 'Too loud.',
    severity: 'MAJOR',
    severityReasoning: 'Above the limit.',
    severityReasoningHeadline: 'Too loud',
    status: 'OPEN',
    statusNote: null,
    statusReason: null,
    statusChangedAt: null,
    previousDecision: null,
    confidence: 1,
    measured: null,
    limitValue: null,
    unit: null,
    standard: null,
    precedents: [],
    locations: [],
    evidence: [],
    createdAt: now,
    updatedAt: now,
  };
}
