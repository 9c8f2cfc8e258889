import type { Readable } from 'node:stream';
import { Outage } from '../outage.ts';
import type { Backend, DeletionKeeper, StoredBlob, StoredBytes } from './backend.ts';
import { downloadBlob } from './blob-download.ts';
import { refuseOutage } from './blob-failures.ts';
import { type BlobSnapshot, openSnapshot } from './blob-snapshot.ts';
import { type CopiedBlob, copyBlob } from './copy-blob.ts';
import { openPartUploads, type PartUploads } from './part-uploads.ts';
import { type BlobLocation, endpointOf, homeOf, openBackend, type StoreSettings } from './stores.ts';

export type { BlobLocation };

export type Blobs = {
  /** Where new blobs are stored. */
  home: BlobLocation;
  /** The latest time, at most the wanted one, until which an upload URL that is signed now is valid. */
  latestExpiry(location: BlobLocation, wanted: Date): Promise<Date>;
  /**
   * A URL that permits creating and writing only this blob until it expires. With a size, S3 accepts no other size;
   * Azure cannot check it.
   */
  signUpload(location: BlobLocation, name: string, expiresAt: Date, sizeBytes?: number): Promise<string>;
  /** Headers that a PUT to such a URL needs. */
  putHeadersOf(location: BlobLocation): Promise<Readonly<Record<string, string>>>;
  /** Uploads of this blob in parts. */
  partUploadsOf(location: BlobLocation, name: string): Promise<PartUploads>;
  put(name: string, content: () => Readable, sizeBytes: number, contentType: string): Promise<void>;
  /** Opens the current version of a blob; undefined when there is no blob. */
  openSnapshot(location: BlobLocation, name: string, signal: AbortSignal): Promise<BlobSnapshot | undefined>;
  /** The whole content of the version with this ETag; undefined when the blob no longer exists. */
  download(
    location: BlobLocation,
    name: string,
    etag: string,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Buffer> | undefined>;
  /** Copies the blob with this name to another location and verifies the copy. Undefined when there is no blob. */
  copy(
    from: BlobLocation,
    to: BlobLocation,
    name: string,
    contentType: string,
    signal: AbortSignal,
  ): Promise<CopiedBlob | undefined>;
  /** How many bytes are stored under this name, with the parts of the given unfinished upload. */
  measure(location: BlobLocation, name: string, uploadId: string | null): Promise<StoredBytes>;
  /** Deletes one blob if it exists. */
  remove(location: BlobLocation, name: string): Promise<void>;
  /** Deletes every blob whose name has this prefix, and the parts of unfinished uploads. */
  removeAll(location: BlobLocation, prefix: string): Promise<void>;
  /** What keeps deleted or overwritten blobs readable, judged by this blob; undefined if a deletion is final. */
  keepsDeleted(location: BlobLocation, name: string, signal: AbortSignal): Promise<DeletionKeeper | undefined>;
  /** Resolves when the container at this location responds; by default the one for new blobs. */
  checkHealth(location?: BlobLocation): Promise<void>;
  stores: ConfiguredStore[];
};

export type ConfiguredStore = {
  home: BlobLocation;
  endpoint: string;
  /** The source of the credentials; fails when there are none. */
  describeCredentials(): Promise<string>;
};

const healthMillisMax = 2000;
const removeMillisMax = 8000;
const measureMillisMax = 8000;
const putStallMillisMax = 4000;

/** New blobs go to the first store. Blobs in the others can still be read, written and deleted. */
export function openBlobs(settings: StoreSettings, ...others: StoreSettings[]): Blobs {
  const stores = [settings, ...others].map((one) => ({
    home: homeOf(one),
    endpoint: endpointOf(one),
    backend: openBackend(one),
  }));
  const backendOf = async ({ store, account }: BlobLocation): Promise<Backend> => {
    const found = stores.find(({ home }) => home.store === store && home.account === account);
    if (found) return found.backend;
    const cause = new Error(`the blob is in the ${store} account ${account}, which is not configured`);
    throw new Outage('storage', cause);
  };
  const blobAt = async (location: BlobLocation, name: string): Promise<StoredBlob> =>
    (await backendOf(location)).blobAt(location.container, name);
  const home = homeOf(settings);

  return {
    home,
    latestExpiry: async (location, wanted) =>
      (await backendOf(location)).latestExpiry(wanted).then(toWholeSeconds, refuseOutage),
    signUpload: async (location, name, expiresAt, sizeBytes) =>
      (await blobAt(location, name)).signPut(expiresAt, sizeBytes).catch(refuseOutage),
    putHeadersOf: async (location) => (await backendOf(location)).putHeaders,
    partUploadsOf: async (location, name) => openPartUploads(await blobAt(location, name)),
    async put(name, content, sizeBytes, contentType) {
      const blob = await blobAt(home, name);
      const stall = abortWhenStalled(putStallMillisMax);
      await blob.put(content, sizeBytes, contentType, stall).catch(refuseOutage).finally(stall.end);
    },
    openSnapshot: async (location, name, signal) => openSnapshot(await blobAt(location, name), signal),
    download: async (location, name, etag, signal) => downloadBlob(await blobAt(location, name), etag, signal),
    copy: async (from, to, name, contentType, signal) =>
      copyBlob(await blobAt(from, name), await blobAt(to, name), contentType, signal),
    measure: async (location, name, uploadId) =>
      (await blobAt(location, name)).measure(uploadId, AbortSignal.timeout(measureMillisMax)).catch(refuseOutage),
    remove: async (location, name) =>
      (await blobAt(location, name)).remove(AbortSignal.timeout(removeMillisMax)).catch(refuseOutage),
    async removeAll(location, prefix) {
      const backend = await backendOf(location);
      const signal = AbortSignal.timeout(removeMillisMax);
      try {
        for await (const name of backend.list(location.container, prefix, signal)) {
          await backend.blobAt(location.container, name).remove(signal);
        }
        await backend.removeUnfinished(location.container, prefix, signal);
      } catch (error) {
        refuseOutage(error);
      }
    },
    keepsDeleted: async (location, name, signal) =>
      (await backendOf(location)).keepsDeleted(location.container, name, signal),
    stores: stores.map(({ backend, ...store }) => ({
      ...store,
      describeCredentials: async () => (await backend).describeCredentials(),
    })),
    async checkHealth(location = home) {
      const backend = await backendOf(location);
      await backend.checkContainer(location.container, AbortSignal.timeout(healthMillisMax)).catch(refuseOutage);
    },
  };
}

// The expiry of a signature is in whole seconds.
const toWholeSeconds = (moment: Date) => new Date(Math.floor(moment.getTime() / 1000) * 1000);

/** A large upload may take long, but must make progress. Bytes that a retry sends again are no progress. */
function abortWhenStalled(millis: number) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), millis);
  let mostBytes = 0;
  const moved = (sentBytes: number) => {
    if (sentBytes <= mostBytes) return;
    mostBytes = sentBytes;
    timer.refresh();
  };
  return { signal: controller.signal, moved, end: () => clearTimeout(timer) };
}
