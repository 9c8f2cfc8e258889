import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { liftedLimits, openTestApi, openTestWorker, openWorkspace } from '@assay/testing/service/api.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { refused } from '@assay/testing/service/refused.ts';
import {
  assetPath,
  type SubmissionIds,
  submit,
  submitAndCancel,
  untilFinished,
  uploadPdf,
  uploadText,
} from '@assay/testing/service/submissions.ts';
import { subscribe } from '@assay/testing/service/webhooks.ts';
import { afterAll, describe, expect, test } from 'vitest';

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,sandbox,document,webhook' });
const { live, sandbox } = await openWorkspace(api);
await openTestWorker(api.config);
const receiver = await openReceiver();
afterAll(() => receiver.close());
await subscribe(live, receiver.url);

const sidekickIds = sidekicks.filter(({ shortName }) => shortName === 'file-safety').map(({ id }) => id);
/** A PDF that File safety can read only in part. */
const encrypted = '/Encrypt 9 0 R';

async function examine(blobPath: string, more: Parameters<typeof submit>[2] = {}): Promise<SubmissionIds> {
  const created = await submit(live, [blobPath], { sidekickIds, ...more });
  await untilFinished(live, created.submissionId);
  return created;
}
const readAsset = async (created: SubmissionIds, client = live) => (await client.get(assetPath(created))).body;
const eventAbout = async ({ submissionId }: SubmissionIds) => {
  await expect.poll(() => receiver.received.map(({ event }) => event.data.submission_id)).toContain(submissionId);
  return receiver.received.find(({ event }) => event.data.submission_id === submissionId)?.event.data;
};
async function decideAll(created: SubmissionIds, status: string) {
  const { issues } = await readAsset(created);
  for (const { id } of issues) {
    const changed = await live.patch(`${assetPath(created)}/issues/${id}`, { status, note: 'Seen.' });
    expect(changed.status).toBe(200);
  }
}

describe('the verdict on an asset', () => {
  test('is failed as long as an issue at the gate is open, and passed_with_waivers once it is dismissed', async () => {
    const created = await examine(await uploadPdf(live));
    const counts = {
      severityCounts: { critical: 0, major: 2, minor: 0, info: 0 },
      statusCounts: { open: 2, acknowledged: 0, awaitingHumanInput: 0, resolved: 0, dismissed: 0 },
    };
    expect(await readAsset(created)).toMatchObject({ verdict: 'failed', ...counts, blockingCount: 2, waivedCount: 0 });
    await decideAll(created, 'DISMISSED');
    expect(await readAsset(created)).toMatchObject({
      verdict: 'passed_with_waivers',
      statusCounts: { ...counts.statusCounts, open: 0, dismissed: 2 },
      blockingCount: 0,
      waivedCount: 2,
    });
  });

  test('is `passed` if there are no issues, and `not_checked` if no check was selected or the asset failed', async () => {
    expect(await readAsset(await examine(await uploadText(live)))).toMatchObject({ verdict: 'passed' });
    const unchecked = await examine(await uploadText(live), { sidekickIds: [] });
    expect(await readAsset(unchecked)).toMatchObject({ verdict: 'not_checked', blockingCount: 0 });
    expect(await readAsset(await submitAndCancel(live))).toMatchObject({ verdict: 'not_checked', blockingCount: null });
  });

  test('is null for a simulated run, which examines nothing', async () => {
    const created = await submit(sandbox, [await uploadText(sandbox)]);
    await untilFinished(sandbox, created.submissionId);
    expect(await readAsset(created, sandbox)).toMatchObject({
      status: 'complete',
      verdict: null,
      severityCounts: null,
    });
  });
});

describe('a check that could not examine everything', () => {
  test('is incomplete, says what it left out, and needs review until its issue is dismissed', async () => {
    const created = await examine(await uploadPdf(live, encrypted));
    const asset = await readAsset(created);
    expect(asset).toMatchObject({ status: 'complete', verdict: 'needs_review', reviewCount: 1, blockingCount: 0 });
    const [check] = asset.checks;
    expect(check).toMatchObject({ outcome: 'incomplete', reason: null, notVerifiedRuleCode: 'SAFE-NOT-VERIFIED' });
    expect(check.coverage.notExamined).toMatchObject([{ kind: expect.any(String), reason: 'encrypted' }]);
    expect(asset.issues).toMatchObject([
      { ruleCode: 'SAFE-NOT-VERIFIED', severity: 'MAJOR', status: 'AWAITING_HUMAN_INPUT' },
    ]);
    await decideAll(created, 'DISMISSED');
    expect(await readAsset(created)).toMatchObject({ verdict: 'passed_with_waivers', waivedCount: 1 });
    await decideAll(created, 'ACKNOWLEDGED');
    expect(await readAsset(created)).toMatchObject({ verdict: 'failed', blockingCount: 1 });
  });

  test('does not stop a pass if the profile allows it to be incomplete', async () => {
    const made = await live.post('/profiles', { name: 'lenient', allowIncomplete: ['file-safety'] });
    expect(made).toMatchObject({ status: 201, body: { resolved: { allowIncomplete: ['file-safety'] } } });
    const metadata = { assay: { profile: 'lenient' } };
    const created = await examine(await uploadPdf(live, encrypted), { metadata });
    expect(await readAsset(created)).toMatchObject({ verdict: 'passed', reviewCount: 0 });
    const { profile } = (await live.get(`/submissions/${created.submissionId}`)).body;
    expect(profile).toMatchObject({ name: 'lenient', allowIncomplete: ['file-safety'] });
  });

  test('keeps a decision on what it left out only for a file with the same content', async () => {
    const first = await examine(await uploadPdf(live, encrypted));
    await decideAll(first, 'DISMISSED');
    const next = async (entries: string) => {
      const asset = { blobPath: await uploadPdf(live, entries), previousSubmissionId: first.submissionId };
      const created = await submit(live, [asset], { sidekickIds });
      await untilFinished(live, created.submissionId);
      return readAsset(created);
    };
    expect(await next(encrypted)).toMatchObject({ verdict: 'passed_with_waivers' });
    expect(await next(`${encrypted} /Lang (en)`)).toMatchObject({ verdict: 'needs_review' });
  });
});

describe('a profile', () => {
  test('cannot switch off the rule for what was not examined: 422 points to allowIncomplete', async () => {
    const rules = [{ ruleCode: 'SAFE-NOT-VERIFIED', severity: 'OFF' }];
    const made = await live.post('/profiles', { name: 'silent', rules });
    expect(made).toMatchObject(refused(422, 'validation_failed', '/rules/0/severity'));
    expect(made.body.errors[0].detail).toContain('allowIncomplete');
  });

  test('cannot allow an unknown check to be incomplete', async () => {
    const made = await live.post('/profiles', { name: 'unknown', allowIncomplete: ['captions', 'smell'] });
    expect(made).toMatchObject(refused(422, 'validation_failed', '/allowIncomplete/1'));
  });
});

describe('an event', () => {
  test('contains the verdict, its counts and the gate', async () => {
    const created = await examine(await uploadPdf(live, encrypted));
    const { name, revision, failOn } = (await live.get(`/submissions/${created.submissionId}`)).body.profile;
    expect(await eventAbout(created)).toMatchObject({
      verdict: 'needs_review',
      status_counts: { open: 0, acknowledged: 0, awaiting_human_input: 1, resolved: 0, dismissed: 0 },
      blocking_count: 0,
      review_count: 1,
      waived_count: 0,
      profile: { name, revision, fail_on: failOn },
    });
  });
});
