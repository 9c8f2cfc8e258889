import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sidekick as fileSafety } from '@assay/sidekicks/checks/file-safety/sidekick.ts';
import type { CommandOf, SubmitFields, UploadSelector } from '../commands.ts';
import { addSubmission, type Created, versionsOf } from '../expect/change.ts';
import { expectSubmit, type SubmitRequest } from '../expect/expect-submit.ts';
import { filenames } from '../files.ts';
import { type Model, remember, rememberedUnder } from '../model.ts';
import { type Session, sendAndCheck } from '../session.ts';
import { flawedUploads, readyUploads, selectSubmission, selectUpload, type UploadTarget } from '../targets.ts';
import { upload } from './perform-uploads.ts';

export async function submit(command: CommandOf<'submit' | 'version'>, model: Model, session: Session): Promise<void> {
  const files: UploadTarget[] = [];
  for (const { upload: selector } of command.assets)
    files.push(await selectAnotherUpload(selector, files, model, session));
  const { request, what } = requestOf(command, files, model, session);
  const { mode, path, json, key } = request;
  const isServed = command.isServed && model.servedLeft[mode] >= files.length;
  const client = (isServed ? session.served : session.idle)[mode];
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  const send = () => client.post(path, json, { headers });
  const mayBeRemoved = request.assets.some(({ upload }) => upload?.retention === 'discarded');
  const { response, outcome } = await sendAndCheck(
    session,
    command.op,
    `${what} by ${isServed ? 'served' : 'idle'} ${mode}${key ? ` under ${key}` : ''}`,
    expectSubmit(model, request),
    () => (mayBeRemoved ? session.service.exclusively(send) : send()),
  );
  if (outcome === '201 replayed') {
    assert.deepEqual(response.body, rememberedUnder(model, mode, 'submit', key)?.body);
  }
  if (outcome !== '201') return;
  checkCreated(model, request, response.body);
  if (isServed) model.servedLeft[mode] -= files.length;
  else session.waitingRuns.push(response.body.workflowId);
  const submission = addSubmission(model, request, response.body, isServed);
  session.transcript.push(`${session.transcript.pop()} ${submission.label}`);
  if (key) remember(model, 'submit', { mode, path, key, json, status: 201, body: response.body });
}

/** Selects an upload that the request does not contain yet. If no suitable one exists, uploads a file first. */
async function selectAnotherUpload(
  selector: UploadSelector,
  taken: UploadTarget[],
  model: Model,
  session: Session,
): Promise<UploadTarget> {
  const others = taken.flatMap((target) => target.upload ?? []);
  const isMissing =
    (selector.kind === 'ready' && readyUploads(model, others).length === 0) ||
    (selector.kind === 'flawed' && flawedUploads(model, others).length === 0);
  if (isMissing) {
    const filename = selector.kind === 'flawed' ? 'scan.pdf' : (filenames[selector.pick % filenames.length] as string);
    await upload({ mode: 'live', filename, isValid: true, hasFindings: true }, model, session);
  }
  return selectUpload(model, session, selector, others);
}

function requestOf(command: SubmitFields, files: UploadTarget[], model: Model, session: Session) {
  const { mode, key, delaySeconds, sidekicks, note } = command;
  const targets = command.assets.map(({ previous }, i) => ({
    file: files[i] as UploadTarget,
    before: previous && selectSubmission(model, session, previous),
  }));
  const json = {
    assets: targets.map(({ file, before }) => ({
      blobPath: file.blobPath,
      ...(before && { previousSubmissionId: before.submissionId }),
    })),
    sidekickIds: { 'file safety': [fileSafety.id], none: [], unknown: [randomUUID()] }[sidekicks],
    metadata: { note },
  };
  const request = {
    mode,
    path: `/submissions${delaySeconds === undefined ? '' : `?simulationDelaySeconds=${delaySeconds}`}`,
    json,
    key,
    delaySeconds,
    sidekicks,
    assets: targets.map(({ file, before }) => ({ upload: file.upload, previous: before && { of: before.submission } })),
  };
  const parts = targets.map(({ file, before }) => file.label + (before ? ` after ${before.label}` : ''));
  const delay = delaySeconds === undefined ? '' : `, delayed ${delaySeconds} s`;
  return { request, what: `${parts.join(', ')} (sidekicks: ${sidekicks}${delay})` };
}

/** §4.3, §9 */
function checkCreated(model: Model, request: SubmitRequest, body: Created): void {
  const { submissionId, assets } = body;
  const versions = versionsOf(model, request);
  assert.deepEqual(body, {
    submissionId,
    workflowId: `submission:${submissionId}:1`,
    realtimeChannel: `submission.${submissionId}`,
    status: 'submitted',
    assets: assets.map(({ assetId, versionGroupId, matchedBy }, i) => ({
      assetId,
      versionGroupId: versions[i]?.versionGroupId ?? versionGroupId,
      versionNumber: versions[i]?.versionNumber,
      previousAssetId: versions[i]?.previousAssetId,
      matchedBy: versions[i]?.previousAssetId ? matchedBy : null,
    })),
  });
  assert.equal(assets.length, versions.length);
  const begun = assets.filter((_, i) => !versions[i]?.versionGroupId).map(({ versionGroupId }) => versionGroupId);
  assert.equal(new Set(begun).size, begun.length, 'each new asset starts its own group');
  for (const groupId of begun) assert.ok(!model.lastVersions.has(groupId), 'a new group is new');
  const knownIds = model.submissions.flatMap((one) => [one.submissionId, ...one.assets.map(({ assetId }) => assetId)]);
  for (const id of [submissionId, ...assets.map(({ assetId }) => assetId)])
    assert.ok(!knownIds.includes(id), 'ids are new');
}
