import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { moduleOf, serverFolder, serverSources, textOf } from './sources.ts';
import { findStatements } from './workspace-filter.ts';

const authentication = 'finds the workspace of a key, or changes the key that was just authenticated';
const operator = 'a command of the operator, who may see every workspace';
const job = 'a job of the worker, for the rows of every workspace that are due';
const claimed = 'a row that the same job has claimed or selected before, by its id';
const total = 'a number over all workspaces, for metrics';
const part = 'a part of statements that name the workspace of the row that it is joined to';

/** Every statement on rows of a workspace that does not name the workspace, and why that is right. */
const withoutWorkspace: Record<string, string> = {
  'audit/store selectActions': operator,
  'idempotency/store deleteIdempotencyKeys': job,
  'identity/store markRevoked': operator,
  'identity/store usableKeys': authentication,
  'identity/store rehashKey': authentication,
  'identity/store touchKey': authentication,
  'identity/store countKeysByPepper': operator,
  'profiles/revision-store claimDeletedProfiles': job,
  'submissions/backlog-store figures': total,
  'submissions/progress-store nextRevision': part,
  'submissions/reconcile-store claimUnfinishedRuns': job,
  'submissions/retention-store findExpiredSubmissions': job,
  'submissions/run-store runColumns': part,
  'submissions/run-store joinedToRuns': part,
  'submissions/run-store postponeRun': claimed,
  'submissions/run-store deleteStartedRun': claimed,
  'submissions/select-store pinnedFailOn': part,
  'submissions/select-store selectSubmissions': part,
  'submissions/store findAssetOfAnyWorkspace': operator,
  'submissions/unjudged-store listWithoutVerdict': job,
  'submissions/unjudged-store listToJudge': job,
  'submissions/unjudged-store deleteToJudge': claimed,
  'uploads/measure-store claimUnmeasured': job,
  'uploads/measure-store forgetMeasurement': claimed,
  'uploads/measure-store postponeMeasurement': claimed,
  'uploads/measure-store recordMeasured': claimed,
  'uploads/media-store claimDueBlob': job,
  'uploads/media-store lockBlob': claimed,
  'uploads/media-store markEmptied': claimed,
  'uploads/media-store recordAction': claimed,
  'uploads/media-store postponeCheck': claimed,
  'uploads/media-store deleteBlobRow': claimed,
  'uploads/move-store claimBlob': operator,
  'uploads/move-store switchPlace': operator,
  'uploads/move-store isPlacedAt': operator,
  'uploads/move-store listBlobs': operator,
  'uploads/move-store mayBeRead': part,
  'uploads/move-store moveRecords': operator,
  'uploads/move-store forgetOtherPlace': operator,
  'uploads/store insertBlobs': 'inserts rows of one workspace or of several, each with its own quota',
  'webhooks/delivery-store claimDueDeliveries': job,
  'webhooks/delivery-store recordStarted': claimed,
  'webhooks/delivery-store deleteEventsBefore': job,
  'webhooks/event-store insertEvents': 'joins the events that it inserts, which have the workspace of the call',
  'webhooks/subscription-store listSealedSecrets': operator,
  'webhooks/subscription-store findSealedSecrets': operator,
  'webhooks/subscription-store replaceSealedSecrets': operator,
  'workspaces/store selectWorkspaces': operator,
};

const types = textOf.get(`${serverFolder}/platform/postgres/database.generated.ts`) ?? '';
const tablesOfWorkspaces = [...types.matchAll(/^ {2}(\w+): (\w+);$/gm)]
  .filter(([, , type]) => new RegExp(`interface ${type} \\{[^}]*\\bworkspace_id: `).test(types))
  .map(([, table]) => table as string);
const statements = serverSources
  .filter((file) => file.endsWith('store.ts'))
  .flatMap((file) =>
    findStatements(file, textOf.get(file) ?? '', tablesOfWorkspaces).map((statement) => ({
      ...statement,
      place: `${moduleOf(file)}/${basename(file, '.ts')} ${statement.place}`,
    })),
  );

describe('every statement on rows of a workspace', () => {
  test('names the workspace, or is listed with the reason why not', () => {
    expect(tablesOfWorkspaces.length).toBeGreaterThan(20);
    expect(statements.length).toBeGreaterThan(100);
    const places = statements.filter(({ namesWorkspace }) => !namesWorkspace).map(({ place }) => place);
    expect([...new Set(places)].sort()).toEqual(Object.keys(withoutWorkspace).sort());
  });

  test.each([
    ['sql`select from assets where asset_id = #{id}`', false],
    ['sql`select workspace_id from assets where asset_id = #{id}`', false],
    ['sql`select from assets where workspace_id = #{workspaceId}`', true],
    ['sql`select from assets a join blobs b on a.workspace_id = b.workspace_id`', false],
    ['sql`\n  -- workspace_id = #{workspaceId}\n  select from assets`', false],
    ['sql<Row>`update assets set status = null`.execute(db)', false],
    ["db.selectFrom('assets as a').select('a.workspace_id').where('a.asset_id', '=', id).execute()", false],
    ["db.selectFrom('assets').select('asset_id').where('workspace_id', '=', workspaceId).execute()", true],
    ["db.deleteFrom('assets').where('asset_id', '=', id).execute()", false],
  ])('is recognised: %s', (statement, namesWorkspace) => {
    const text = `export async function find(db, id, workspaceId) { return await ${statement.replaceAll('#{', '${')}; }`;
    expect(findStatements('store.ts', text, ['assets', 'blobs'])).toMatchObject([{ place: 'find', namesWorkspace }]);
  });
});
