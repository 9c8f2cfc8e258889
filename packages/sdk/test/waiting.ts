import { NotFoundError, TimeoutError } from '@assay/sdk';
import { equal, expectRejection, ok, rejectionOf } from './assert.ts';
import {
  type ClientTests,
  type Context,
  liveClient,
  openConnection,
  randomId,
  sandboxClient,
  simulate,
  uploadNote,
} from './connection.ts';

/** The PDF from the README, which runs a script when it is opened. */
const pdfWithScript = `%PDF-1.4
1 0 obj
<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> >>
endobj
2 0 obj
<< /Type /Pages /Kids [] /Count 0 >>
endobj
trailer
<< /Root 1 0 R >>
%%EOF
`;

/** Submits a simulated run through a proxy with this fault and waits for it. Returns its states and all requests. */
async function waitForSimulatedRun(context: Context, fault: string, delaySeconds: number, pollOnly = false) {
  const connection = openConnection(context, fault);
  const blobPath = await uploadNote(sandboxClient(context));
  const statuses: string[] = [];
  const submission = await connection.simulator().submissions.createAndWait(
    { assets: [{ blobPath }] },
    {
      simulationDelaySeconds: delaySeconds,
      pollOnly,
      onUpdate: ({ status }) => statuses.at(-1) !== status && statuses.push(status),
    },
  );
  equal(submission.status, 'complete', 'how it ended');
  equal(submission.assets.length, 1, 'its assets');
  equal([statuses.at(-1), new Set(statuses).size], ['complete', statuses.length], 'the last state, and no state twice');
  const seen = await connection.seen();
  return { submission, streams: seen.filter(({ path }) => path.includes('/realtime')), seen };
}

export const waitingTests: ClientTests = {
  'waiting for a submission uses the event stream': async (context) => {
    const { streams, seen } = await waitForSimulatedRun(context, 'calm', 2);
    // One stream and one read, or more of each if a busy machine interrupts the stream.
    ok(streams.length >= 1, 'a stream was opened');
    ok(seen.length <= 1 + 2 * streams.length, `${seen.length} requests for ${streams.length} streams`);
  },
  'waiting with pollOnly polls and opens no stream': async (context) => {
    const { streams, seen } = await waitForSimulatedRun(context, 'calm', 2, true);
    equal(streams.length, 0, 'how many streams were opened');
    ok(seen.length >= 2, 'it was asked');
  },
  'waiting survives a stream that is interrupted repeatedly, and resumes it': async (context) => {
    const { streams } = await waitForSimulatedRun(context, 'cut-700', 5);
    ok(streams.length >= 2, `${streams.length} streams were opened`);
    ok(
      streams.slice(1).every(({ lastEventId }) => lastEventId !== undefined),
      'each after the first says where it was',
    );
  },
  'waiting for a submission that fails does not throw': async (context) => {
    const connection = openConnection(context);
    const assay = connection.simulator();
    const { submissionId } = await simulate(context, 30);
    const onUpdate = ({ status }: { status: string }) => {
      if (status !== 'failed') assay.submissions.cancel(submissionId).catch(() => undefined);
    };
    const submission = await assay.submissions.wait(submissionId, { onUpdate });
    equal([submission.status, submission.assets[0]?.errorType], ['failed', 'cancelled'], 'how it ended');
    const streams = (await connection.seen()).filter(({ path }) => path.includes('/realtime'));
    ok(streams.length >= 1, 'a stream was opened');
  },
  'waiting for a finished submission ends at once': async (context) => {
    const { submission } = await waitForSimulatedRun(context, 'calm', 0);
    const connection = openConnection(context);
    equal((await connection.simulator().submissions.wait(submission.submissionId)).status, 'complete', 'how it ended');
    equal((await connection.seen()).length, 2, 'one stream, one read');
  },
  'waiting for an unknown submission rejects with a NotFoundError': async (context) => {
    await expectRejection(sandboxClient(context).submissions.wait(randomId()), NotFoundError);
    await expectRejection(sandboxClient(context).submissions.wait(randomId(), { pollOnly: true }), NotFoundError);
  },
  'waiting ends with a TimeoutError after waitMs': async (context) => {
    const { submissionId } = await simulate(context, 30);
    const begin = Date.now();
    const error = await expectRejection(
      sandboxClient(context).submissions.wait(submissionId, { waitMs: 1000 }),
      TimeoutError,
    );
    ok(error.message.includes(submissionId), error.message);
    ok(Date.now() - begin < 20_000, 'it ends in time');
  },
  'an abort ends the wait immediately': async (context) => {
    const { submissionId } = await simulate(context, 30);
    for (const pollOnly of [false, true]) {
      const controller = new AbortController();
      const reason = new Error('The caller went home.');
      setTimeout(() => controller.abort(reason), 1500);
      const begin = Date.now();
      const failed = await rejectionOf(
        sandboxClient(context).submissions.wait(submissionId, { pollOnly, signal: controller.signal }),
      );
      ok(failed === reason, `the reason is the caller’s: ${failed}`);
      ok(Date.now() - begin < 20_000, `it took ${Date.now() - begin} ms`);
    }
  },
  'the results of an analysed PDF can be read, decided on and deleted': async (context) => {
    const assay = liveClient(context);
    const { blobPath } = await assay.uploads.upload(new File([pdfWithScript], 'leaflet.pdf'));
    const submission = await assay.submissions.createAndWait({ assets: [{ blobPath }] });
    equal(submission.status, 'complete', 'how it ended');
    const at = [submission.submissionId, submission.assets[0]?.assetId ?? ''] as const;
    const rules: string[] = [];
    for await (const { ruleCode } of assay.issues.list(...at, { limit: 1 })) rules.push(ruleCode);
    equal(rules.sort(), ['SAFE-PDF-AUTOMATIC-ACTION', 'SAFE-PDF-JAVASCRIPT'], 'what was found');
    const script = await assay.issues.list(...at, { ruleCode: 'SAFE-PDF-JAVASCRIPT' });
    equal(script.totalCount, 1, 'how many there are of one rule');
    equal((await assay.assets.topics(...at)).topics.length, 1, 'how many topics there are');
    equal((await assay.assets.changes(...at)).newIssues.length, 2, 'how many are new');
    equal((await assay.assets.get(...at)).issueCount, 2, 'how many the asset says');
    equal((await assay.assets.measurements(...at)).assetId, at[1], 'whose measurements they are');
    const issueId = script.issues[0]?.id ?? '';
    const decided = await assay.issues.decide(...at, issueId, { status: 'DISMISSED', note: 'It only greets.' });
    equal([decided.status, decided.statusNote], ['DISMISSED', 'It only greets.'], 'the decision');
    const still = await expectRejection(assay.issues.evidence(...at, issueId, 9), NotFoundError);
    equal(still.code, 'evidence_not_found', 'why there is no such still');
    const versions = await assay.submissions.versions(at[0]);
    equal(versions.versions.length, 1, 'how many versions there are');
    equal(await assay.submissions.delete(at[0]), undefined, 'the response to a deletion');
    await expectRejection(assay.submissions.get(at[0]), NotFoundError);
  },
  'events arrive over the stream exactly once, even after lost connections': async (context) => {
    const { submissionId } = await simulate(context, 0);
    const fire = (errorMessage: string) =>
      sandboxClient(context).sandbox.fire({ eventType: 'asset.processing.failed', submissionId, errorMessage });
    const connection = openConnection(context, 'cut-2500');
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new Error('The events did not come.')), 60_000);
    const expected = ['first', 'second', 'third', 'last'];
    // The first event is fired just after the connection is lost and before any message has arrived.
    const fireAll = async () => {
      await new Promise((resolve) => setTimeout(resolve, 2700));
      for (const text of expected) {
        await fire(text);
        await new Promise((resolve) => setTimeout(resolve, 800));
      }
    };
    let hasBegun = false;
    const onOpen = () => {
      if (!hasBegun) void fireAll();
      hasBegun = true;
    };
    const texts: string[] = [];
    for await (const event of connection.simulator().webhooks.events({ signal: controller.signal, onOpen })) {
      if (event.type !== 'asset.processing.failed' || event.data.submission_id !== submissionId) continue;
      texts.push(event.data.error_message);
      if (texts.at(-1) === 'last') break;
    }
    clearTimeout(timer);
    equal(texts, expected, 'what came');
    const resumed = (await connection.seen()).filter(({ lastEventId }) => lastEventId !== undefined);
    ok(resumed.length > 0, 'the connection was lost meanwhile');
  },
};
