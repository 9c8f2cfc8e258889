import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { ApiResponse } from '@assay/testing/service/client.ts';
import { putBlob } from '@assay/testing/storage/blobs.ts';
import type { Commands } from '../commands.ts';
import { putBytes } from '../expect/change.ts';
import { type Content, contents, contentTypeOf, matchingContent } from '../files.ts';
import { assetsUsing, type Mode, type Model, type Upload } from '../model.ts';
import { type Session, sendAndCheck } from '../session.ts';
import { selectUpload } from '../targets.ts';

export async function upload(command: Commands['upload'], model: Model, session: Session): Promise<void> {
  const { filename, mode, isValid, hasFindings } = command;
  const content = isValid ? matchingContent(filename, hasFindings) : 'noise';
  const bytes = contents[content].bytes();
  const allowed = [isValid ? '201' : '415 content_type_mismatch'];
  const label = nextUploadLabel(model);
  const { response, outcome } = await sendAndCheck(
    session,
    'upload',
    `${label} (${filename}, ${content}) by ${mode}`,
    allowed,
    () => session.idle[mode].uploadFile(filename, bytes),
  );
  if (outcome !== '201') return;
  const { blobPath, ...rest } = response.body;
  const contentSha256 = createHash('sha256').update(bytes).digest('hex');
  assert.deepEqual(rest, { sizeBytes: bytes.length, contentType: contentTypeOf(filename), contentSha256 });
  model.uploads.push({ label, blobPath, filename, url: undefined, content, putCount: 1, ...newUpload(mode) });
}

export async function url(command: Commands['url'], model: Model, session: Session): Promise<void> {
  const { filename, mode } = command;
  const label = nextUploadLabel(model);
  const { response } = await sendAndCheck(session, 'url', `for ${label} (${filename}) by ${mode}`, ['200'], () =>
    session.idle[mode].post('/uploads/url', { filename, contentType: contentTypeOf(filename) }),
  );
  const { blobPath, uploadUrl } = response.body;
  model.uploads.push({
    label,
    blobPath,
    filename,
    url: uploadUrl,
    content: undefined,
    putCount: 0,
    ...newUpload(mode),
  });
}

/** Uploads content to the URL of an upload. If the URL is not known, requests one first. */
export async function put(command: Commands['put'], model: Model, session: Session): Promise<void> {
  const { mode, isValid, hasFindings } = command;
  const { upload: selected, label, blobPath } = selectUpload(model, session, command.upload);
  if (!selected?.url) {
    const success = mode === 'sandbox' && selected?.createdWith === 'live' ? '403 live_upload' : '200';
    const allowed = {
      kept: [success],
      discarded: [success, '403 invalid_blob_path'],
      removed: ['403 invalid_blob_path'],
    };
    const { response, outcome } = await sendAndCheck(
      session,
      'renew',
      `the URL of ${label} by ${mode}`,
      allowed[selected?.retention ?? 'removed'],
      () => session.idle[mode].post('/uploads/renew', { blobPath }),
    );
    if (outcome !== '200' || !selected) return;
    assert.equal(response.body.blobPath, blobPath);
    selected.url = response.body.uploadUrl;
  }
  const target = selected as Upload;
  const content: Content = isValid ? matchingContent(target.filename, hasFindings) : 'noise';
  await sendAndCheck(session, 'put', `${content} as ${label}`, ['201'], () => send(target.url as string, content));
  putBytes(model, target, content);
}

/** Counted as 201, which Azure returns; S3 returns 200. */
async function send(to: string, content: Content): Promise<ApiResponse> {
  const { headers } = await putBlob(to, contents[content].bytes());
  return { status: 201, headers, body: {} };
}

/** Removes the files that only deleted submissions used, and checks that none of them is left. */
export async function purge(_: object, model: Model, session: Session): Promise<void> {
  const { service, idle } = session;
  await service.exclusively(() => service.purgeMedia());
  for (const one of model.uploads) {
    if (one.retention !== 'discarded' || assetsUsing(model, one).length > 0) continue;
    await sendAndCheck(session, 'purge', `${one.label}, no longer used`, ['403 invalid_blob_path'], () =>
      idle.live.post('/uploads/renew', { blobPath: one.blobPath }),
    );
    one.retention = 'removed';
  }
}

const newUpload = (createdWith: Mode) => ({ createdWith, isDiscarded: false, retention: 'kept' }) as const;

const nextUploadLabel = ({ uploads }: Model) => `file ${uploads.length + 1}`;
