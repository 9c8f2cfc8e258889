import { ApiError, type CreatedSubmission, InvalidFileError, type SubmissionRequest, UploadError } from '@assay/sdk';
import { openFile } from '@assay/sdk/node';
import { describeFailure, type FailureDescription } from './failure.ts';
import type { MediaFile } from './files.ts';
import type { Progress } from './output/progress.ts';
import type { Session } from './session.ts';

/** The most assets that a submission can have. */
export const assetsMax = 50;

export type SendOptions = {
  concurrency: number;
  previous?: string | undefined;
  sidekickIds?: string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
  simulationDelaySeconds?: number | undefined;
};
type ReportProgress = ReturnType<Progress['add']>;
type UploadedFile = { media: MediaFile; report: ReportProgress; blobPath: string };
/** Called for each submission. The signal is also aborted when another submission has failed. */
type OnSubmitted = (created: CreatedSubmission, sent: SentFile[], signal: AbortSignal) => Promise<void> | void;
/** A file that was submitted or rejected. */
export type SentFile = { media: MediaFile; report: ReportProgress } & (
  | { submissionId: string; assetId: string; refusal?: undefined }
  | { refusal: FailureDescription }
);

/**
 * Uploads the files, a few in parallel, and submits them in as few submissions as possible. A rejected file does not
 * stop the others; any other error does.
 */
export async function sendFiles(
  session: Session,
  files: MediaFile[],
  options: SendOptions,
  progress: Progress,
  onSubmitted: OnSubmitted,
): Promise<SentFile[]> {
  const failure = new AbortController();
  const signal = AbortSignal.any([session.signal, failure.signal]);
  const withPermit = createSemaphore(options.concurrency);
  const waiting = files.map((media) => ({ media, report: progress.add(media.file, media.sizeBytes) }));
  const groups = Array.from({ length: Math.ceil(files.length / assetsMax) }, (_, n) =>
    waiting.slice(n * assetsMax, (n + 1) * assetsMax),
  );
  const sending = groups.map(async (group) => {
    const results = await Promise.all(group.map((one) => withPermit(() => upload(session, one, signal))));
    const refused = results.filter((one) => 'refusal' in one);
    const uploaded = results.filter((one) => 'blobPath' in one);
    const submitted = await submit(session, uploaded, options, signal, onSubmitted);
    return [...refused, ...submitted];
  });
  for (const one of sending) one.catch((error: unknown) => failure.abort(error));
  const all = (await Promise.all(sending)).flat();
  return waiting.map(({ media }) => all.find((one) => one.media === media) as SentFile);
}

async function upload(session: Session, { media, report }: Omit<UploadedFile, 'blobPath'>, signal: AbortSignal) {
  signal.throwIfAborted();
  report({ phase: 'uploading' });
  try {
    const file = await openFile(media.path);
    const onProgress = (sentBytes: number) => report({ sentBytes });
    const { filename, contentType } = media;
    const { blobPath } = await session.assay.uploads.upload(file, { filename, contentType, onProgress, signal });
    report({ phase: 'waiting', sentBytes: media.sizeBytes, note: 'uploaded' });
    return { media, report, blobPath };
  } catch (error) {
    if (!isFileError(error)) throw error;
    return rejectFile(media, report, describeFailure(error));
  }
}

async function submit(
  session: Session,
  uploaded: UploadedFile[],
  options: SendOptions,
  signal: AbortSignal,
  onSubmitted: OnSubmitted,
): Promise<SentFile[]> {
  if (uploaded.length === 0) return [];
  const created = await session.assay.submissions
    .create(requestOf(uploaded, options), { simulationDelaySeconds: options.simulationDelaySeconds, signal })
    .catch((error: unknown) => {
      const faults = faultsByAsset(error);
      if (faults) return faults;
      throw error;
    });
  if (created instanceof Map) {
    const refused = uploaded.flatMap(({ media, report }, i) => {
      const fault = created.get(i);
      return fault ? [rejectFile(media, report, fault)] : [];
    });
    const rest = uploaded.filter((_, i) => !created.has(i));
    return [...refused, ...(await submit(session, rest, options, signal, onSubmitted))];
  }
  const sent = uploaded.map(({ media, report }, i): SentFile => {
    report({ phase: 'submitted' });
    return { media, report, submissionId: created.submissionId, assetId: created.assets[i]?.assetId ?? '' };
  });
  await onSubmitted(created, sent, signal);
  return sent;
}

function requestOf(uploaded: UploadedFile[], { previous, sidekickIds, metadata }: SendOptions): SubmissionRequest {
  return {
    assets: uploaded.map(({ blobPath }) => ({ blobPath, previousSubmissionId: previous })),
    sidekickIds,
    metadata,
  };
}

/** The errors of a rejected submission by asset index; undefined if it was rejected for another reason. */
function faultsByAsset(error: unknown): Map<number, FailureDescription> | undefined {
  if (!(error instanceof ApiError) || error.errors.length === 0) return undefined;
  const faults = new Map<number, FailureDescription>();
  for (const { pointer, detail } of error.errors) {
    const n = /^\/assets\/(\d+)\//.exec(pointer)?.[1];
    if (n === undefined) return undefined;
    const text = error.message.slice(0, Math.max(0, error.message.indexOf(' /assets/')));
    const { errors: _, ...described } = describeFailure(error); // `errors` also contains the errors of other files
    faults.set(Number(n), { ...described, message: [text, detail].filter(Boolean).join(' ') });
  }
  return faults;
}

function isFileError(error: unknown): boolean {
  if (error instanceof InvalidFileError) return true;
  if (error instanceof UploadError) return error.status === undefined; // without a status: stored, but not intact
  if (!(error instanceof ApiError)) return false;
  return [413, 415, 422].includes(error.status) || error.code === 'invalid_filename';
}

function rejectFile(media: MediaFile, report: ReportProgress, refusal: FailureDescription): SentFile {
  report({ phase: 'failed', sentBytes: media.sizeBytes, note: `rejected: ${refusal.message}` });
  return { media, report, refusal };
}

/** Runs at most `permitCount` tasks at a time, first come, first served. */
function createSemaphore(permitCount: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (running >= permitCount) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
