import { GiB } from '@assay/contract/limits.ts';
import { liftedLimits, type openTestApi, openWorkspace } from './api.ts';
import { uploadText } from './submissions.ts';

/** Only workspaces of the tier `starter` have a quota. */
export const smallQuota = {
  ...liftedLimits,
  STORAGE_QUOTAS: JSON.stringify({ starter: { GiB: 1, files: null }, enterprise: { GiB: null, files: null } }),
};

/** Creates a workspace whose quota is used up. One of its files, `blobPath`, has 5 bytes. */
export async function openFullWorkspace(api: Awaited<ReturnType<typeof openTestApi>>) {
  const workspace = await openWorkspace(api, 'starter');
  const blobPath = await uploadText(workspace.live);
  const film = { filename: 'film.mp4', contentType: 'video/mp4', sizeBytes: GiB - 5 };
  const { status } = await workspace.live.post('/uploads/url', film);
  if (status !== 200) throw new Error(`the upload URL was answered with ${status}`);
  return { ...workspace, blobPath };
}
