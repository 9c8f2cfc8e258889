import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { scopes } from '@assay/contract/rights.ts';
import type { Route } from '@assay/contract/route.ts';
import { type RouteName, routeNames } from '@assay/contract/routes.ts';
import { root } from '@assay/testing/run/root.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { endpoints, endpointsOf, pageOf, tags } from '../../docs/make/endpoints.ts';
import { makeReferencePages } from '../../docs/make/reference-pages.ts';
import { formatSamples } from '../../docs/make/samples/format-samples.ts';
import { columnsMax } from '../../docs/make/samples/sample.ts';
import { blocksOf } from './blocks.ts';
import { findCompilerErrors } from './compile-for-reader.ts';
import { openPageShell } from './page-shell.ts';
import { prelude, withRealAddresses } from './quickstart.ts';
import { hasCalled, openRecorder } from './recorder.ts';
import { freshScenes, type SampleContext, scenes, type Variables } from './sample-scenes.ts';

// Below docs/, because the SDK is resolved there as in a reader's clone.
const scratch = join(root, 'docs/.blocks/samples');
rmSync(scratch, { recursive: true, force: true });

const api = await openTestApi(liftedLimits);
await openTestWorker(api.config);
const receiver = await openReceiver();
const recorder = await openRecorder(api.url);
afterAll(() => {
  receiver.close();
  recorder.close();
});

const realAddresses = { service: recorder.url, receiver: receiver.url };
const samplesOf = (name: string) => {
  const [curl, ts, cli] = blocksOf(formatSamples(name));
  if (!curl || !ts || !cli) throw new Error(`${name} has no three samples`);
  return { curl, ts, cli };
};

const idLinePattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/m;

/** What a sample prints, before variables are replaced by their values. The output of curl is the response. */
const expectedOutput: Record<RouteName, { ts: string; cli: string | RegExp }> = {
  createUploadUrl: { ts: '-spring-ad.mp4\n', cli: idLinePattern },
  renewUploadUrl: { ts: '$BLOB_PATH', cli: idLinePattern },
  createUploadParts: { ts: '1 http', cli: idLinePattern },
  completeUploadParts: { ts: '5\n', cli: idLinePattern },
  uploadDirect: { ts: '-notice.txt\n', cli: idLinePattern },
  createSubmission: { ts: ' submitted\n', cli: idLinePattern },
  listSubmissions: { ts: '$SUBMISSION_ID complete', cli: '$SUBMISSION_ID  complete' },
  getSubmission: { ts: 'complete 100\nnotice.txt null null\n', cli: '$ASSET_ID  complete' },
  deleteSubmission: { ts: 'deleted $SUBMISSION_ID', cli: 'Deleted $SUBMISSION_ID' },
  cancelSubmission: { ts: 'notice.txt cancelled\n', cli: 'The analysis was cancelled.' },
  retryAsset: { ts: 'submission:$SUBMISSION_ID:2\n', cli: '$ASSET_ID' },
  listVersions: { ts: '1 notice.txt complete\n', cli: '$SUBMISSION_ID  complete' },
  getAsset: { ts: 'spring-ad.mp4 complete 1\n', cli: '"ruleCode": "PSE-LUMINANCE"' },
  listIssues: { ts: 'CRITICAL PSE-LUMINANCE', cli: 'PSE-LUMINANCE' },
  getIssue: { ts: 'PSE-LUMINANCE OPEN\n', cli: '$ISSUE_ID' },
  updateIssue: { ts: 'ACKNOWLEDGED fix_required\n', cli: 'Decision recorded.' },
  getEvidence: { ts: 'wrote still.jpg\n', cli: 'Wrote report.html' },
  getPoster: { ts: 'wrote poster.jpg\n', cli: 'Wrote report.html' },
  getMeasurements: { ts: 'loudnessShortTerm LUFS', cli: 'Wrote report.html' },
  getTopics: { ts: 'PSE-LUMINANCE', cli: 'PSE-LUMINANCE' },
  getChanges: { ts: 'kept PSE-LUMINANCE\n', cli: 'Version 2, compared with version 1:\n\nKept\n' },
  openRealtime: { ts: 'complete 100\n', cli: '$ASSET_ID  complete' },
  createTicket: { ts: 'submission.$SUBMISSION_ID 20', cli: '$ASSET_ID  complete' },
  listSidekicks: { ts: ' loudness\n', cli: 'loudness ' },
  getSidekick: { ts: 'Loudness\nLOUD-', cli: 'LOUD-INTEGRATED-HIGH' },
  listProfiles: { ts: 'general 2 ', cli: 'general' },
  createProfile: { ts: '$PROFILE_NAME 1\n', cli: '$PROFILE_NAME' },
  getProfile: { ts: ' MAJOR -16\n', cli: '-16' },
  updateProfile: { ts: ' 2\n', cli: /revision 2/i },
  deleteProfile: { ts: 'deleted $PROFILE_ID', cli: 'Deleted $PROFILE_NAME' },
  compareProfiles: { ts: '/limits/loudness/target -16 null\n', cli: '-16' },
  createSubscription: { ts: ' whsec_', cli: 'whsec_' },
  listSubscriptions: { ts: '$SUBSCRIPTION_ID http', cli: '$SUBSCRIPTION_ID  active' },
  getSubscription: { ts: ' true\n', cli: '$SUBSCRIPTION_ID' },
  updateSubscription: { ts: ' true\n', cli: 'active' },
  deleteSubscription: { ts: 'deleted $SUBSCRIPTION_ID', cli: 'Deleted $SUBSCRIPTION_ID' },
  rotateSecret: { ts: 'whsec_', cli: 'The previous secret stays valid until' },
  testSubscription: { ts: '200 null\n', cli: 'HTTP 200' },
  listDeliveries: { ts: '$DELIVERY_ID asset.processing.completed succeeded\n', cli: '$DELIVERY_ID  succeeded' },
  getDelivery: { ts: 'succeeded\n20', cli: 'HTTP 200' },
  replayDelivery: { ts: ' pending\n', cli: '(replay)' },
  replayDeliveries: { ts: 'enqueued 1\n', cli: '1 event will be sent again.' },
  listEventTypes: { ts: 'asset.processing.failed ', cli: 'asset.processing.failed ' },
  fireEvents: { ts: 'dispatched 1\n', cli: 'Sent asset.processing.failed to 1 subscription' },
  listKeys: { ts: '$KEY_ID Samples read', cli: '$KEY_ID' },
  createKey: { ts: 'sk_test_', cli: 'sk_test_' },
  getKey: { ts: 'Samples null null\n', cli: '$KEY_ID' },
  updateKey: { ts: 'Archive\n', cli: 'Archive' },
  revokeKey: { ts: 'revoked $KEY_ID', cli: 'Revoked Samples' },
  getMe: { ts: 'sandbox pro 0\n', cli: 'sandbox (files are not analysed)' },
};

/** A sandbox key with every scope. */
async function makeManager(workspaceId: string): Promise<{ key: string }> {
  const args = ['--workspace', workspaceId, '--mode', 'sandbox', '--scopes', scopes.join(',')];
  return (await api.admin('key', 'create', ...args)) as { key: string };
}

/** `SAMPLES=all` runs the three samples of every endpoint; otherwise curl and either TypeScript or the CLI. */
const runsAllSamples = process.env.SAMPLES === 'all';
const chosenSamplesOf = (name: string) => {
  const { curl, ts, cli } = samplesOf(name);
  if (runsAllSamples) return { curl, ts, cli };
  return routeNames.indexOf(name as RouteName) % 2 === 0 ? { curl, ts } : { curl, cli };
};

const sampleLinesMax = 12;

/** The CLI calls these endpoints rarely or never, as their samples say. */
const notCalledByCli: RouteName[] = ['renewUploadUrl', 'createUploadParts', 'completeUploadParts', 'createTicket'];

describe('the API reference', () => {
  test.each(tags)(
    `${runsAllSamples ? 'all samples' : 'two of three samples'} of each endpoint on the page %s work as written`,
    async (tag) => {
      const workspace = await api.makeWorkspace('pro');
      const shell = openPageShell(join(scratch, tag), { WORKSPACE: JSON.stringify(workspace) });
      const manager = await makeManager(workspace.workspaceId);
      const clients = {
        live: api.client(workspace.liveKey),
        sandbox: api.client(workspace.sandboxKey),
        manager: api.client(manager.key),
      };
      const context: SampleContext = { ...clients, receiverUrl: receiver.url, folder: shell.folder };
      try {
        await shell.run('prelude', withRealAddresses(prelude, realAddresses));
        // Only the samples of Results need a real analysis; the others use a sandbox key.
        if (tag !== 'Results') await shell.run('sandbox', 'ASSAY_API_KEY=$ASSAY_SANDBOX_KEY\n');
        if (tag === 'Keys') await shell.run('manager', `ASSAY_API_KEY=${manager.key}\n`);
        const scene = (await scenes[tag]?.(context)) ?? {};
        for (const { name, route } of endpointsOf(tag)) {
          for (const [kind, block] of Object.entries(chosenSamplesOf(name))) {
            const sample = `${name}-${kind}`;
            const variables = { ...scene, ...(await freshScenes[name as RouteName]?.(context)) };
            await shell.run(`${sample}-variables`, formatExports(variables));
            recorder.takeCalls();
            const output = await shell.runBlock(sample, {
              ...block,
              text: withRealAddresses(block.text, realAddresses),
            });
            const isCall = kind !== 'cli' || !notCalledByCli.includes(name as RouteName);
            expect(hasCalled(recorder.takeCalls(), route), `${sample} calls its endpoint:\n${output}`).toBe(isCall);
            if (kind === 'curl') checkResponse(sample, route, output, shell.folder);
            else
              expect(output, sample).toMatch(
                fillVariables(expectedOutput[name as RouteName][kind as 'ts' | 'cli'], variables),
              );
          }
        }
      } finally {
        await shell.close();
      }
    },
    240_000,
  ); // up to three programs for each of a dozen endpoints
});

describe('the samples of the API reference', () => {
  test('are on the page of their endpoint', () => {
    const pages = new Map(makeReferencePages().map(({ path, text }) => [path, text]));
    const missing = endpoints.filter(
      ({ name, route }) => !pages.get(`${pageOf(route.tag).slice(1)}.md`)?.includes(formatSamples(name)),
    );
    expect(missing).toEqual([]);
  });

  test('compile in a reader’s project if they are in TypeScript', () => {
    const programs = routeNames.map((name) => ({ name, text: samplesOf(name).ts.text }));
    expect(findCompilerErrors(join(scratch, 'types'), programs)).toBe('');
  });

  test('are short and fit the width of a page', () => {
    const lines = routeNames.flatMap((name) =>
      Object.entries(samplesOf(name)).map(([kind, { text }]) => ({
        sample: `${name} ${kind}`,
        lines: text.trim().split('\n'),
      })),
    );
    expect(
      lines.filter((one) => one.lines.length > sampleLinesMax || one.lines.some((line) => line.length > columnsMax)),
    ).toEqual([]);
  });
});

const formatExports = (variables: Variables) =>
  Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value}'\n`)
    .join('');

const fillVariables = (text: string | RegExp, variables: Variables) =>
  text instanceof RegExp ? text : text.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => variables[name] ?? '');

/** Checks that curl printed the response that the contract describes. */
function checkResponse(sample: string, { success }: Route, output: string, folder: string): void {
  if ('body' in success) success.body.parse(JSON.parse(output));
  else if ('file' in success) expect(readFileSync(join(folder, 'still.jpg'), 'hex'), sample).toMatch(/^ffd8ff/);
  else if ('messages' in success) expect(output, sample).toMatch(/^event: snapshot$[\s\S]*"status":"complete"/m);
  else expect(output, sample).toBe('');
}
