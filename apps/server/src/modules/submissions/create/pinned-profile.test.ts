import { randomUUID } from 'node:crypto';
import { findDataFile } from '@assay/sidekicks/profiles/built-in-profiles.ts';
import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { liftedLimits, openTestApi, openTestWorker, openWorkspace } from '@assay/testing/service/api.ts';
import { assetPath, type SubmissionIds, submit, untilFinished, uploadPdf } from '@assay/testing/service/submissions.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,sandbox,document' });
const apiWithoutWorker = await openTestApi(liftedLimits); // without a worker: submissions stay queued
const { live, sandbox, ...workspace } = await openWorkspace(api);
await openTestWorker(api.config);

const ruleCode = 'SAFE-PDF-JAVASCRIPT';
const sidekickIds = sidekicks.filter(({ shortName }) => shortName === 'file-safety').map(({ id }) => id);
const withRuleSeverity = (severity: string) => ({ rules: [{ ruleCode, severity }] });

async function makeProfile(json: object) {
  const { body } = await live.post('/profiles', { name: `p-${randomUUID()}`, ...json });
  return body as { profileId: string; name: string };
}

const submitWith = async (profile: string, by = live) =>
  submit(by, [await uploadPdf(live)], { sidekickIds, metadata: { assay: { profile } } });

/** Everything that a caller can read about a finished submission. */
async function readResults(created: SubmissionIds) {
  await untilFinished(live, created.submissionId);
  const paths = [`/submissions/${created.submissionId}`, assetPath(created), `${assetPath(created)}/issues`];
  const [submission, asset, issues] = await Promise.all(paths.map(async (path) => (await live.get(path)).body));
  const found = issues.issues.find((issue: { ruleCode: string }) => issue.ruleCode === ruleCode);
  return { submission, asset, issues, severity: found?.severity };
}

async function storedChecksOf({ submissionId }: SubmissionIds) {
  const { checks } = await api.handles.db
    .selectFrom('assets')
    .select('checks')
    .where('submission_id', '=', submissionId)
    .executeTakeFirstOrThrow();
  return checks as object[];
}

describe('the profile of a submission', () => {
  test('is shown with its revision and gate, including in lists', async () => {
    const { profileId, name } = await makeProfile({ failOn: 'MINOR' });
    await live.patch(`/profiles/${profileId}`, { failOn: 'CRITICAL' });
    const { submissionId } = await submitWith(name);
    const allowIncomplete = findDataFile('general')?.allowIncomplete;
    const profile = { profileId, name, revision: 2, failOn: 'CRITICAL', allowIncomplete };
    expect((await live.get(`/submissions/${submissionId}`)).body.profile).toEqual(profile);
    const { submissions } = (await live.get('/submissions?limit=1')).body;
    expect(submissions[0]).toMatchObject({ submissionId, profile });
  });

  test('can be a built-in profile', async () => {
    const { submissionId } = await submitWith('ebu-r128');
    const file = findDataFile('ebu-r128');
    expect((await live.get(`/submissions/${submissionId}`)).body.profile).toEqual({
      profileId: file?.profileId,
      name: 'ebu-r128',
      revision: file?.revision,
      failOn: 'MAJOR',
      allowIncomplete: [],
    });
  });

  test('has revision 1 if the submission was created before revisions were recorded', async () => {
    const { submissionId } = await submitWith('ebu-r128');
    await sql`
      update submissions set profile_id = default, built_in_profile_id = null, profile_revision = default, fail_on = null
      where submission_id = ${submissionId}`.execute(api.handles.db);
    expect((await live.get(`/submissions/${submissionId}`)).body.profile).toEqual({
      profileId: findDataFile('ebu-r128')?.profileId,
      name: 'ebu-r128',
      revision: 1,
      failOn: 'MAJOR',
      allowIncomplete: [],
    });
  });

  test('can be one that a sandbox key created, and is shown for a simulated run too', async () => {
    const { body } = await sandbox.post('/profiles', { name: `p-${randomUUID()}` });
    const { submissionId } = await submitWith(body.profileId, sandbox);
    expect((await sandbox.get(`/submissions/${submissionId}`)).body.profile.name).toBe(body.name);
  });
});

describe('a revision of a profile', () => {
  test('decides the severities, and a later change, renaming or deletion changes no past result', async () => {
    const { profileId, name } = await makeProfile(withRuleSeverity('INFO'));
    const first = await submitWith(name);
    const before = await readResults(first);
    expect(before.severity).toBe('INFO');
    expect(await storedChecksOf(first)).toEqual([expect.objectContaining({ profile: name, profileRevision: 1 })]);

    await live.patch(`/profiles/${profileId}`, { ...withRuleSeverity('CRITICAL'), name: `${name}-2` });
    expect(await readResults(first)).toEqual(before);
    const second = await submitWith(profileId);
    expect((await readResults(second)).severity).toBe('CRITICAL');
    expect(await storedChecksOf(second)).toEqual([
      expect.objectContaining({ profile: `${name}-2`, profileRevision: 2 }),
    ]);

    await live.patch(`/profiles/${profileId}`, withRuleSeverity('OFF'));
    expect((await readResults(await submitWith(profileId))).severity).toBeUndefined();
    await live.delete(`/profiles/${profileId}`);
    expect(await readResults(first)).toEqual(before);
  });

  test('is kept by a retry, even if the profile was changed and deleted meanwhile', async () => {
    const { profileId, name } = await makeProfile(withRuleSeverity('MINOR'));
    const created = await submitWith(name, apiWithoutWorker.client(workspace.liveKey));
    await live.post(`/submissions/${created.submissionId}/cancel`);
    await live.patch(`/profiles/${profileId}`, withRuleSeverity('CRITICAL'));
    await live.delete(`/profiles/${profileId}`);
    expect((await live.post(`${assetPath(created)}/retry`)).status).toBe(202);
    const { severity, submission } = await readResults(created);
    expect(severity).toBe('MINOR');
    expect(submission.profile).toMatchObject({ profileId, name, revision: 1 });
    expect(await storedChecksOf(created)).toEqual([expect.objectContaining({ profile: name, profileRevision: 1 })]);
  });
});

describe('pnpm admin workspace set-profile', () => {
  const setProfile = (workspaceId: string, profile: string) =>
    api.admin('workspace', 'set-profile', '--workspace', workspaceId, '--profile', profile);
  const defaultOf = async (by: typeof live) =>
    (await by.get('/profiles')).body.profiles.find(({ isDefault }: { isDefault: boolean }) => isDefault)?.name;

  test('accepts built-in profiles, and profiles of the workspace by name or id', async () => {
    const { workspaceId, liveKey } = await api.makeWorkspace();
    const by = api.client(liveKey);
    const { body } = await by.post('/profiles', { name: 'ours' });
    for (const [profile, expected] of [
      ['ebu-r128', 'ebu-r128'],
      ['ours', 'ours'],
      ['general', 'general'],
      [body.profileId, 'ours'],
    ]) {
      await setProfile(workspaceId, profile);
      expect(await defaultOf(by)).toBe(expected);
    }
  });

  test('refuses unknown profiles, profiles of another workspace and unknown workspaces', async () => {
    const { workspaceId } = await api.makeWorkspace();
    const elsewhere = await makeProfile({});
    for (const profile of ['nothing', elsewhere.name, elsewhere.profileId])
      await expect(setProfile(workspaceId, profile)).rejects.toThrow('profile not found');
    await expect(setProfile(randomUUID(), 'general')).rejects.toThrow('Workspace not found');
  });
});
