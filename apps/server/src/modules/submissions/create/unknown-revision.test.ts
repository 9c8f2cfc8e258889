import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { assetPath, type SubmissionIds, submit, untilFinished, uploadPdf } from '@assay/testing/service/submissions.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,document' });
const { db } = api.handles;
const live = api.client((await api.makeWorkspace()).liveKey);
const sidekickIds = sidekicks.filter(({ shortName }) => shortName === 'file-safety').map(({ id }) => id);

const submitOne = async () => submit(live, [await uploadPdf(live)], { sidekickIds });
const pathOf = ({ submissionId }: SubmissionIds) => `/submissions/${submissionId}`;

/** As if a newer version of the service had pinned this revision. */
const pinRevision = ({ submissionId }: SubmissionIds, revision: number) =>
  sql`update submissions set profile_revision = ${revision} where submission_id = ${submissionId}`.execute(db);

describe('a built-in profile whose revision only a newer version of the service knows', () => {
  test('is shown with its id, revision and gate, in the submission and in the list', async () => {
    const created = await submitOne();
    const { profile } = (await live.get(pathOf(created))).body;
    await pinRevision(created, 99);
    const expected = { ...profile, revision: 99 };
    expect(profile.failOn).toBeTruthy();
    expect((await live.get(pathOf(created))).body.profile).toEqual(expected);
    expect((await live.get('/submissions?limit=1')).body.submissions[0].profile).toEqual(expected);
  });

  test('makes workers wait for the newer version instead of failing the asset', async () => {
    const created = await submitOne();
    await pinRevision(created, 99);
    await openTestWorker(api.config);
    const readEndings = async () => {
      const query = sql<{ ending: string }>`
        select ended_by as ending from examination_tries where submission_id = ${created.submissionId}`;
      return (await query.execute(db)).rows.map(({ ending }) => ending);
    };
    await expect.poll(readEndings).toContain('outage');
    expect((await live.get(pathOf(created))).body.status).toBe('processing');

    await pinRevision(created, 1);
    expect((await untilFinished(live, created.submissionId)).status).toBe('complete');
    const { issues } = (await live.get(`${assetPath(created)}/issues`)).body;
    await pinRevision(created, 99);
    const decided = await live.patch(`${assetPath(created)}/issues/${issues[0].id}`, { status: 'DISMISSED' });
    expect(decided).toMatchObject(refused(502, 'service_unavailable'));
  });
});
