import type { Route } from '@assay/contract/route.ts';
import { routes } from '@assay/contract/routes.ts';
import type { Db } from '@assay/server/platform/postgres/db.ts';
import { addPoster, addStill } from '@assay/testing/media/give-still.ts';
import { makePdf } from '@assay/testing/media/samples.ts';
import { type Client, createClient } from '@assay/testing/service/client.ts';
import { type SubmissionIds, submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { type KnownKeys, prepareKeys } from './prepare-keys.ts';
import { type KnownWebhooks, prepareWebhooks, subscribe, type WorkspaceKeys } from './prepare-webhooks.ts';

/** More files than a submission may contain, so that no generated body has to use one twice. */
const textsCount = 55;
const onceCount = 80;
/** A workspace may have 100: the rest is for profiles that are created during the run. */
const profilesToDelete = 35;
const waitSecondsMax = 120;

const codeAction = '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>';
const launchAction = '/AA << /WC << /S /Launch /F (setup.exe) >> >>';

/** The path parameters of one asset, by name. */
type KnownIds = { submission_id: string; asset_id: string };
type KnownAsset = KnownIds & { issue_ids: string[] };
/** The request body that a link of the route table gives to its target. */
type LinkBody = { from: string; to: string; body: Record<string, unknown> };

/** Values that hooks.py fills in where the OpenAPI document cannot express which values are valid. */
export type KnownValues = {
  liveKey: string;
  sandboxKey: string;
  blobPaths: string[];
  /** A blob path of the workspace to which nothing was uploaded. */
  emptyBlobPath: string;
  submissionIds: string[];
  /** Channels of finished submissions, because the response of any other stream does not end. */
  channels: string[];
  /** The bodies of links, which the OpenAPI document only describes. */
  linkBodies: LinkBody[];
  webhooks: KnownWebhooks;
  keys: KnownKeys;
  assets: KnownAsset[];
  sidekickIds: string[];
  ruleCodes: string[];
  /** Custom profiles, to be read, changed and compared. */
  profileIds: string[];
  /** Cursors by the path of their list. */
  cursors: Record<string, string>;
  /** For operations that are possible only once per resource: the ids of resources that still allow them. */
  once: Record<'deleteSubmission' | 'cancelSubmission' | 'retryAsset', KnownIds[]> &
    Record<'updateSubscription' | 'deleteSubscription', { subscription_id: string }[]> &
    Record<'deleteProfile', { profile_id: string }[]> &
    Record<'revokeKey', { key_id: string }[]>;
};

/** Fills a workspace with one of every kind of resource. Submissions to `idleUrl` wait forever. */
export async function prepareWorkspace(
  url: string,
  idleUrl: string,
  receiverUrl: string,
  makeWorkspace: () => Promise<WorkspaceKeys>,
  makeManager: () => Promise<string>,
  db: Db,
): Promise<KnownValues> {
  const keys = await makeWorkspace();
  const live = createClient(url, keys.liveKey);
  const sandbox = createClient(url, keys.sandboxKey);
  const texts = await Promise.all(Array.from({ length: textsCount }, (_, i) => uploadText(live, `${i}.txt`, `${i}`)));
  const [one, two, three] = texts as [string, string, string];
  const worse = await uploadPdf(live, `${codeAction} ${launchAction}`);
  const better = await uploadPdf(live, codeAction);

  const first = await submitAndWait(live, [worse]);
  const second = await submitAndWait(live, [{ blobPath: better, previousSubmissionId: first.submissionId }]);
  const several = await submitAndWait(live, [one, two, three]);
  const simulated = await submitAndWait(sandbox, [one]);

  const submissions = [first, second, several, simulated];
  const assets = await Promise.all(
    submissions.flatMap(({ submissionId, assets }) =>
      assets.map(({ assetId }) => knownAsset(live, submissionId, assetId)),
    ),
  );
  for (const { submission_id, asset_id, issue_ids } of assets) {
    await addPoster(db, { submissionId: submission_id, assetId: asset_id });
    for (const issueId of issue_ids) await addStill(db, { submissionId: submission_id, assetId: asset_id }, issueId);
  }
  const { body: empty } = await live.post('/uploads/url', { filename: 'empty.txt', contentType: 'text/plain' });
  const { body: catalogue } = await live.get('/sidekicks');
  const issuesOfFirst = `/submissions/${first.submissionId}/assets/${first.assets[0]?.assetId}/issues`;
  const { body: page } = await live.get(issuesOfFirst);
  for (let i = 0; i < 2; i++) await subscribe(live, receiverUrl, { mode: 'sandbox' }); // for the fired events
  const webhooks = await prepareWebhooks(url, receiverUrl, makeWorkspace);
  const knownKeys = await prepareKeys(url, makeManager);
  return {
    ...keys,
    blobPaths: [...texts, worse, better],
    emptyBlobPath: empty.blobPath,
    submissionIds: submissions.map(({ submissionId }) => submissionId),
    channels: submissions.map(({ submissionId }) => `submission.${submissionId}`),
    linkBodies: linkBodies(),
    webhooks,
    keys: knownKeys,
    assets,
    sidekickIds: catalogue.sidekicks.map(({ sidekickId }: { sidekickId: string }) => sidekickId),
    ruleCodes: page.issues.map(({ ruleCode }: { ruleCode: string }) => ruleCode),
    profileIds: await makeProfiles(live, 'known', 5),
    cursors: {
      '/submissions': await cursorOf(live, '/submissions'),
      '/submissions/{submission_id}/versions': await cursorOf(live, `/submissions/${first.submissionId}/versions`),
      '/submissions/{submission_id}/assets/{asset_id}/issues': await cursorOf(live, issuesOfFirst),
      '/webhooks/subscriptions': await cursorOf(live, '/webhooks/subscriptions'),
      '/keys': knownKeys.cursor,
      '/webhooks/subscriptions/{subscription_id}/deliveries': webhooks.deliveriesCursor,
    },
    once: {
      ...(await prepareOnce(createClient(idleUrl, keys.liveKey), one)),
      updateSubscription: webhooks.toUpdate,
      deleteSubscription: webhooks.toDelete,
      revokeKey: knownKeys.toRevoke,
      deleteProfile: (await makeProfiles(live, 'gone', profilesToDelete)).map((profile_id) => ({ profile_id })),
    },
  };
}

async function makeProfiles(client: Client, name: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const { status, body } = await client.post('/profiles', { name: `${name}-${i}` });
    if (status !== 201) throw new Error(`the profile was answered with ${status}`);
    ids.push(body.profileId);
  }
  return ids;
}

function linkBodies(): LinkBody[] {
  return Object.entries<Route>(routes).flatMap(([from, { links = {} }]) =>
    Object.entries(links).flatMap(([to, { body }]) => (body ? [{ from, to, body }] : [])),
  );
}

async function prepareOnce(idle: Client, blobPath: string) {
  const waiting = async (): Promise<KnownIds> => {
    const { submissionId, assets } = await submit(idle, [blobPath]);
    return { submission_id: submissionId, asset_id: assets[0]?.assetId as string };
  };
  const cancelled = async (): Promise<KnownIds> => {
    const ids = await waiting();
    await idle.post(`/submissions/${ids.submission_id}/cancel`);
    return ids;
  };
  const several = async (make: () => Promise<KnownIds>) => {
    const all: KnownIds[] = [];
    for (let i = 0; i < onceCount; i++) all.push(await make());
    return all;
  };
  return {
    deleteSubmission: await several(cancelled),
    cancelSubmission: await several(waiting),
    retryAsset: await several(cancelled),
  };
}

/** Returns the number of submissions that did not finish in time; every accepted submission must finish. */
export async function countUnfinished(url: string, { liveKey, once }: KnownValues): Promise<number> {
  const client = createClient(url, liveKey);
  for (const { submission_id } of once.cancelSubmission) await client.post(`/submissions/${submission_id}/cancel`);
  const list = async () => (await client.get('/submissions?status=submitted&status=processing&limit=100')).body;
  let { submissions } = await list();
  for (const deadline = Date.now() + waitSecondsMax * 1000; submissions.length > 0 && Date.now() < deadline; ) {
    await untilFinished(client, submissions[0].submissionId, waitSecondsMax).catch(() => undefined);
    ({ submissions } = await list());
  }
  return submissions.length;
}

async function uploadPdf(client: Client, catalogueEntries: string): Promise<string> {
  const { status, body } = await client.uploadFile('leaflet.pdf', makePdf(catalogueEntries));
  if (status !== 201) throw new Error(`the upload was answered with ${status}`);
  return body.blobPath;
}

async function submitAndWait(client: Client, assets: Parameters<typeof submit>[1]): Promise<SubmissionIds> {
  const created = await submit(client, assets);
  const { status } = await untilFinished(client, created.submissionId, waitSecondsMax);
  if (status !== 'complete') throw new Error(`a prepared submission is ${status}`);
  return created;
}

async function knownAsset(client: Client, submissionId: string, assetId: string): Promise<KnownAsset> {
  const { body } = await client.get(`/submissions/${submissionId}/assets/${assetId}`);
  return {
    submission_id: submissionId,
    asset_id: assetId,
    issue_ids: body.issues.map(({ id }: { id: string }) => id),
  };
}

async function cursorOf(client: Client, path: string): Promise<string> {
  const { body } = await client.get(`${path}?limit=1`);
  if (!body.hasMore) throw new Error(`${path} has only one page`);
  return body.nextCursor;
}
