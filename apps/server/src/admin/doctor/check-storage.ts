import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Handles } from '#platform/handles.ts';
import { type Finding, failedFinding, okFinding, warningFinding } from './finding.ts';

const storageMillisMax = 10_000;
const probeContent = 'assay doctor';
const overwrittenContent = 'assay doctor, overwritten';

/** Stores a small object like an upload, reads it back, overwrites it, and deletes it. */
export async function checkStorage({ blobs, clock }: Pick<Handles, 'blobs' | 'clock'>): Promise<Finding[]> {
  const { home } = blobs;
  const name = `doctor/${randomUUID()}`;
  const signal = AbortSignal.timeout(storageMillisMax);
  const put = (content: string) =>
    blobs.put(name, () => Readable.from([Buffer.from(content)]), Buffer.byteLength(content), 'text/plain');
  await blobs.checkHealth();
  try {
    await put(probeContent);
    const snapshot = await blobs.openSnapshot(home, name, signal);
    if (!snapshot) return [unreadableStorage('an object that was just stored is missing')];
    const content = await blobs.download(home, name, snapshot.etag, signal);
    if (!content || (await text(content)) !== probeContent)
      return [unreadableStorage('an object has other bytes than were stored')];
    await put(overwrittenContent);
    return [
      okFinding('storage', `${home.store} ${home.account}/${home.container}: put, get`),
      await checkPinned(),
      await checkDeletion(),
      await checkPresigned(),
    ];
  } finally {
    await blobs.removeAll(home, name);
  }

  /** A file is read in several requests. `If-Match` guarantees that they all read the same version. */
  async function checkPinned(): Promise<Finding> {
    const before = await blobs.openSnapshot(home, name, signal);
    await put(probeContent);
    const stale = await blobs.download(home, name, before?.etag ?? '', signal).then(
      async (content) => content && text(content),
      () => undefined, // expected: the store refuses the outdated ETag
    );
    if (stale === undefined) return okFinding('storage If-Match', 'a changed object is refused');
    return failedFinding(
      'storage If-Match',
      'is ignored: a changed object was returned',
      'Use a store that supports If-Match.',
    );
  }

  /** Media are deleted after their retention. With versioning or soft delete, the store would keep their bytes. */
  async function checkDeletion(): Promise<Finding> {
    const part = 'storage deletion';
    try {
      const keeper = await blobs.keepsDeleted(home, name, signal);
      if (keeper === undefined) return okFinding(part, 'a deleted object is gone');
      const fix = `Use a container without ${keeper}, or turn it off and delete the versions that it has kept.`;
      return failedFinding(part, `${keeper} is on, so media stay readable after Assay has deleted them`, fix);
    } catch (error) {
      const fix = 'Check that versioning and soft delete are off. To let doctor check it, permit reading the settings.';
      return warningFinding(part, `the settings of the store are not readable: ${(error as Error).message}`, fix);
    }
  }

  /** Callers upload to the host in the URL, which may differ from the one that the service uses. */
  async function checkPresigned(): Promise<Finding> {
    const expiresAt = new Date(clock.now().getTime() + 60_000);
    const url = await blobs.signUpload(home, name, expiresAt);
    const { origin } = new URL(url);
    const headers = await blobs.putHeadersOf(home);
    try {
      const { ok: isStored, status } = await fetch(url, { method: 'PUT', headers, body: probeContent, signal });
      if (isStored) return okFinding('storage upload URL', `${origin} accepts uploads`);
      const fix = `Callers upload to ${origin}. Check that the clocks agree and that a proxy keeps the host name.`;
      return failedFinding('storage upload URL', `${origin} responded ${status} to an upload`, fix);
    } catch (error) {
      const fix = 'Callers upload to this address. Check that they can reach it.';
      return warningFinding(
        'storage upload URL',
        `${origin} is not reachable from here: ${(error as Error).message}`,
        fix,
      );
    }
  }
}

const unreadableStorage = (detail: string) =>
  failedFinding('storage', detail, 'Check the permissions on the container: objects must be readable and writable.');
