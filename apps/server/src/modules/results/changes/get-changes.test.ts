import type { CompactIssue, Issue } from '@assay/contract/schemas/issue.ts';
import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { makePdf } from '@assay/testing/media/samples.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import type { Client } from '@assay/testing/service/client.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { type SubmissionIds, submit, untilFinished } from '@assay/testing/service/submissions.ts';
import { openContainer } from '@assay/testing/storage/blobs.ts';
import { describe, expect, test } from 'vitest';

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,sandbox,document' });
const apiWithoutWorker = await openTestApi(liftedLimits); // submissions stay queued
// The worker of this service is started only after a blob has been deleted.
const apiWithLateWorker = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,document' });
const workspace = await api.makeWorkspace();
const live = api.client(workspace.liveKey);
const clientWithoutWorker = apiWithoutWorker.client(workspace.liveKey);
const clientWithLateWorker = apiWithLateWorker.client(workspace.liveKey);
await openTestWorker(api.config);

const sidekickIds = sidekicks.filter(({ name }) => name === 'File safety').map(({ id }) => id);
const scriptEntry = '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>'; // two issues
const launchEntry = '/A << /S /Launch /F (x) >>';
const formEntry = '/AcroForm << /XFA 9 0 R >>';
const encryptionEntry = '/Encrypt 9 0 R'; // an issue that needs review

type Version = SubmissionIds & { path: string; issues: Issue[] };
type Changes = {
  versionNumber: number;
  previous: { submissionId: string; assetId: string; versionNumber: number } | null;
  newIssues: CompactIssue[];
  goneIssues: CompactIssue[];
  keptIssues: CompactIssue[];
};

const upload = async (entries: string) =>
  (await live.uploadFile('leaflet.pdf', makePdf(entries))).body.blobPath as string;

async function submitVersion(client: Client, entries: string, previousSubmissionId?: string) {
  const blobPath = await upload(entries);
  const created = await submit(client, [{ blobPath, ...(previousSubmissionId && { previousSubmissionId }) }], {
    sidekickIds,
  });
  const path = `/submissions/${created.submissionId}/assets/${created.assets[0]?.assetId}`;
  return { ...created, path, blobPath };
}

/** Submits a version and waits until it is complete. */
async function examine(entries: string, previous?: SubmissionIds): Promise<Version> {
  const version = await submitVersion(live, entries, previous?.submissionId);
  expect((await untilFinished(live, version.submissionId)).status).toBe('complete');
  return { ...version, issues: (await live.get(`${version.path}/issues`)).body.issues };
}

const changesOf = async ({ path }: { path: string }): Promise<Changes> => (await live.get(`${path}/changes`)).body;
const rulesOf = (issues: CompactIssue[]) => issues.map(({ ruleCode }) => ruleCode).sort();
const decide = (version: Version, ruleCode: string, json: object) =>
  live.patch(`${version.path}/issues/${findIssue(version, ruleCode).id}`, json);
const compactOf = async ({ path }: Version): Promise<CompactIssue[]> => (await live.get(path)).body.issues;

function findIssue({ issues }: Version, ruleCode: string): Issue {
  const issue = issues.find((one) => one.ruleCode === ruleCode);
  if (!issue) throw new Error(`no ${ruleCode}`);
  return issue;
}

describe('GET /submissions/{submission_id}/assets/{asset_id}/changes', () => {
  describe('200: the response contains the changes since the previous version', () => {
    test('all issues of a first version are new', async () => {
      const first = await examine(scriptEntry);
      expect(await changesOf(first)).toEqual({
        assetId: first.assets[0]?.assetId,
        submissionId: first.submissionId,
        versionNumber: 1,
        previous: null,
        newIssues: await compactOf(first),
        goneIssues: [],
        keptIssues: [],
      });
      expect(first.issues).toHaveLength(2);
    });

    test('all issues are kept with their numbers when the same file is submitted again', async () => {
      const first = await examine(scriptEntry + launchEntry);
      const second = await examine(scriptEntry + launchEntry, first);
      expect(await changesOf(second)).toEqual({
        assetId: second.assets[0]?.assetId,
        submissionId: second.submissionId,
        versionNumber: 2,
        previous: { submissionId: first.submissionId, assetId: first.assets[0]?.assetId, versionNumber: 1 },
        newIssues: [],
        goneIssues: [],
        keptIssues: await compactOf(second),
      });
      const numbers = ({ issues }: Version) =>
        issues.map(({ ruleCode, referenceNumber }) => [ruleCode, referenceNumber]);
      expect(numbers(second)).toEqual(numbers(first));
      const ids = new Set([...first.issues, ...second.issues].map(({ id }) => id));
      expect(ids.size, 'each version has issues of its own').toBe(first.issues.length * 2);
    });

    test('the response for a changed file lists gone, new and kept issues', async () => {
      const first = await examine(scriptEntry + launchEntry);
      const second = await examine(scriptEntry + formEntry, first);
      const changes = await changesOf(second);
      expect(rulesOf(changes.goneIssues)).toEqual(['SAFE-PDF-LAUNCH']);
      expect(rulesOf(changes.newIssues)).toEqual(['SAFE-PDF-XFA']);
      expect(rulesOf(changes.keptIssues)).toEqual(['SAFE-PDF-AUTOMATIC-ACTION', 'SAFE-PDF-JAVASCRIPT']);
      const { id } = findIssue(first, 'SAFE-PDF-LAUNCH');
      expect(changes.goneIssues[0]?.id, 'the id is that of the previous version').toBe(id);
    });

    test('all issues of a fixed file are gone, and an issue that appears in the next version is new', async () => {
      const first = await examine(scriptEntry);
      const fixed = await examine('', first);
      expect(await changesOf(fixed)).toMatchObject({
        goneIssues: await compactOf(first),
        newIssues: [],
        keptIssues: [],
      });
      const third = await examine(launchEntry, fixed);
      expect(await changesOf(third)).toMatchObject({ previous: { versionNumber: 2 }, goneIssues: [], keptIssues: [] });
      expect(rulesOf((await changesOf(third)).newIssues)).toEqual(['SAFE-PDF-LAUNCH']);
    });

    test.each(['ACKNOWLEDGED', 'DISMISSED'])('the status %s is carried over with its note and time', async (status) => {
      const first = await examine(scriptEntry);
      const { body: decided } = await decide(first, 'SAFE-PDF-JAVASCRIPT', { status, note: 'prints only' });
      const second = await examine(scriptEntry, first);
      const third = await examine(scriptEntry, second);
      for (const version of [second, third]) {
        expect(findIssue(version, 'SAFE-PDF-JAVASCRIPT')).toMatchObject({
          status,
          statusNote: 'prints only',
          statusChangedAt: decided.statusChangedAt,
        });
        const kept = (await changesOf(version)).keptIssues.find(({ ruleCode }) => ruleCode === 'SAFE-PDF-JAVASCRIPT');
        expect(kept?.status).toBe(status);
        expect(findIssue(version, 'SAFE-PDF-AUTOMATIC-ACTION')).toMatchObject({ status: 'OPEN', statusNote: null });
      }
    });

    test('a decision is not carried over to a file with different content', async () => {
      const first = await examine(scriptEntry);
      const decision = { status: 'DISMISSED', reason: 'false_alarm', note: 'prints only' };
      const { body: decided } = await decide(first, 'SAFE-PDF-JAVASCRIPT', decision);
      const second = await examine(`${scriptEntry} /Lang (en)`, first);
      expect(findIssue(second, 'SAFE-PDF-JAVASCRIPT')).toMatchObject({
        status: 'OPEN',
        statusNote: null,
        referenceNumber: decided.referenceNumber,
        previousDecision: {
          submissionId: first.submissionId,
          assetId: first.assets[0]?.assetId,
          issueId: decided.id,
          versionNumber: 1,
          ...decision,
          decidedAt: decided.statusChangedAt,
          notCarriedOverBecause: ['content'],
        },
      });
      expect(findIssue(second, 'SAFE-PDF-AUTOMATIC-ACTION').previousDecision).toBeNull();
    });

    test('a decision for one version only is not carried over', async () => {
      const first = await examine(scriptEntry);
      await decide(first, 'SAFE-PDF-JAVASCRIPT', { status: 'DISMISSED', carriesOver: false });
      expect(findIssue(await examine(scriptEntry, first), 'SAFE-PDF-JAVASCRIPT')).toMatchObject({
        status: 'OPEN',
        previousDecision: { status: 'DISMISSED', notCarriedOverBecause: ['by_choice'] },
      });
    });

    test.each(['RESOLVED', 'OPEN', 'AWAITING_HUMAN_INPUT'])(
      'the status %s is not carried over, and the issue gets its initial status again',
      async (status) => {
        const first = await examine(scriptEntry + encryptionEntry);
        await decide(first, 'SAFE-PDF-JAVASCRIPT', { status, note: 'old' });
        await decide(first, 'SAFE-NOT-VERIFIED', { status, note: 'old' });
        const second = await examine(scriptEntry + encryptionEntry, first);
        const undecided = { statusNote: null, statusChangedAt: null };
        expect(findIssue(second, 'SAFE-PDF-JAVASCRIPT')).toMatchObject({ status: 'OPEN', ...undecided });
        expect(findIssue(second, 'SAFE-NOT-VERIFIED')).toMatchObject({ status: 'AWAITING_HUMAN_INPUT', ...undecided });
        expect((await changesOf(second)).keptIssues).toHaveLength(second.issues.length);
      },
    );

    test('a decision on a later version does not change the earlier one', async () => {
      const first = await examine(scriptEntry);
      const second = await examine(scriptEntry, first);
      await decide(second, 'SAFE-PDF-JAVASCRIPT', { status: 'DISMISSED' });
      expect((await live.get(`${first.path}/issues`)).body.issues).toEqual(first.issues);
    });

    test('a reference number is never used for two issues, even if an issue reappears', async () => {
      const versions: Version[] = [];
      for (const entries of [scriptEntry, formEntry, scriptEntry + launchEntry, '', formEntry + launchEntry]) {
        versions.push(await examine(entries, versions.at(-1)));
      }
      const rulesByNumber = new Map<number, Set<string>>();
      for (const { ruleCode, referenceNumber } of versions.flatMap(({ issues }) => issues)) {
        rulesByNumber.set(referenceNumber, (rulesByNumber.get(referenceNumber) ?? new Set()).add(ruleCode));
      }
      expect([...rulesByNumber.values()].filter((rules) => rules.size > 1)).toEqual([]);
      const numbersOf = ({ issues }: Version) => issues.map(({ referenceNumber }) => referenceNumber);
      expect(versions.map(numbersOf)).toEqual([[1, 2], [3], [4, 5, 6], [], [7, 8]]);
    });

    test('the reference numbers start at 1 for each asset without a previous version', async () => {
      expect((await examine(formEntry)).issues.map(({ referenceNumber }) => referenceNumber)).toEqual([1]);
      expect((await examine(formEntry)).issues.map(({ referenceNumber }) => referenceNumber)).toEqual([1]);
    });

    test('a simulated version is skipped, so no issue counts as gone and decisions are carried over', async () => {
      const first = await examine(scriptEntry);
      await decide(first, 'SAFE-PDF-JAVASCRIPT', { status: 'DISMISSED', note: 'known' });
      const sandbox = api.client(workspace.sandboxKey);
      const simulated = await submitVersion(sandbox, scriptEntry, first.submissionId);
      await untilFinished(sandbox, simulated.submissionId);
      expect(await changesOf(simulated)).toMatchObject({
        versionNumber: 2,
        previous: null,
        goneIssues: [],
        newIssues: [],
      });
      const third = await examine(scriptEntry, simulated);
      expect((await changesOf(third)).previous?.versionNumber).toBe(1);
      expect(findIssue(third, 'SAFE-PDF-JAVASCRIPT')).toMatchObject({ status: 'DISMISSED', statusNote: 'known' });
    });

    test('versions that failed or have not finished are skipped', async () => {
      const first = await examine(scriptEntry);
      await decide(first, 'SAFE-PDF-JAVASCRIPT', { status: 'DISMISSED', note: 'prints only' });
      const failed = await submitVersion(clientWithLateWorker, scriptEntry, first.submissionId);
      await openContainer(api.config).getBlobClient(failed.blobPath).delete();
      await openTestWorker(apiWithLateWorker.config);
      expect((await untilFinished(live, failed.submissionId)).status).toBe('failed');
      const waiting = await submitVersion(clientWithoutWorker, scriptEntry, failed.submissionId);
      const fourth = await examine(scriptEntry, waiting);

      expect(await changesOf(fourth)).toMatchObject({
        versionNumber: 4,
        previous: { submissionId: first.submissionId, versionNumber: 1 },
        newIssues: [],
        goneIssues: [],
      });
      expect(findIssue(fourth, 'SAFE-PDF-JAVASCRIPT')).toMatchObject({
        status: 'DISMISSED',
        statusNote: 'prints only',
      });
    });
  });

  describe('404: the asset is not complete', () => {
    test('asset_not_ready is returned for a waiting asset, and asset_failed for a failed one', async () => {
      const waiting = await submitVersion(clientWithoutWorker, scriptEntry);
      expect(await live.get(`${waiting.path}/changes`)).toMatchObject(refused(404, 'asset_not_ready'));
      await live.post(`/submissions/${waiting.submissionId}/cancel`);
      expect(await live.get(`${waiting.path}/changes`)).toMatchObject(refused(404, 'asset_failed'));
    });
  });
});
