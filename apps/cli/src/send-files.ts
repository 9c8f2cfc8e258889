import { ApiError, type CreatedSubmission, InvalidFileError, type SubmissionRequest, UploadError } from '@assay/sdk';
import { openFile } from '@assay/sdk/node';
import { describeFailure, type FailureDescription } from './failure.ts';
import type { MediaFile, NamedFile } from './files/find-files.ts';
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
/** Called for each submission. */
type OnSubmitted = (created: CreatedSubmission, sent: SubmittedFile[]) => Promise<void> | void;
type WaitingFile = { media: NamedFile; report: ReportProgress };
export type SubmittedFile = Omit<UploadedFile, 'blobPath'> & {
  submissionId: string;
  assetId: string;
  refusal?: undefined;
};
/** A file that was submitted, that was rejected, or that could not be sent because its group failed. */
export type SentFile =
  | SubmittedFile
  | (WaitingFile & { submissionId?: undefined; refusal: FailureDescription })
  | (WaitingFile & { submissionId?: undefined; refusal?: undefined });

/** All files in their order, and the groups that failed. */
type Sent = { files: SentFile[]; failures: { error: unknown; files: NamedFile[] }[] };

/**
 * Uploads the files, a few in parallel, and submits them in groups of at most 50 named files. A rejected file does not
 * stop the others of its group. Any other error stops that group, and no other.
 */
export async function sendFiles(
  session: Session,
  files: NamedFile[],
  options: SendOptions,
  progress: Progress,
  onSubmitted: OnSubmitted,
): Promise<Sent> {
  const withPermit = createSemaphore(options.concurrency);
  const waiting = files.map((media) => ({ media, report: progress.add(media.file, media.sizeBytes) }));
  const groups = Array.from({ length: Math.ceil(files.length / assetsMax) }, (_, n) =>
    waiting.slice(n * assetsMax, (n + 1) * assetsMax),
  );
  const settled = new Map<NamedFile, SentFile>();
  const failures: Sent['failures'] = [];
  const onSettled = (one: SentFile) => void settled.set(one.media, one);
  await Promise.all(
    groups.map((group) =>
      sendGroup(session, group, { options, withPermit, onSettled, onSubmitted }).catch((error: unknown) => {
        failures.push({ error, files: group.map(({ media }) => media) });
        for (const { media, report } of group) {
          if (!settled.has(media)) report({ phase: 'failed', note: 'not submitted' });
        }
      }),
    ),
  );
  return { files: waiting.map((one) => settled.get(one.media) ?? one), failures };
}

type GroupSending = {
  options: SendOptions;
  withPermit: ReturnType<typeof createSemaphore>;
  onSettled: (one: SentFile) => void;
  onSubmitted: OnSubmitted;
};

async function sendGroup(session: Session, group: WaitingFile[], sending: GroupSending): Promise<void> {
  const { options, withPermit, onSettled, onSubmitted } = sending;
  const failure = new AbortController();
  const signal = AbortSignal.any([session.signal, failure.signal]);
  try {
    const send = async (media: MediaFile, report: ReportProgress) => {
      const result = await upload(session, media, report, signal);
      if ('refusal' in result) onSettled(result);
      return result;
    };
    const sending = group.flatMap(({ media, report }) => {
      if (!media.refusal) return [withPermit(() => send(media, report))];
      onSettled(rejectFile(media, report, media.refusal));
      return [];
    });
    const results = await Promise.all(sending);
    const uploaded = results.filter((one) => 'blobPath' in one);
    await submit(session, uploaded, options, signal, { onSettled, onSubmitted });
  } catch (error) {
    failure.abort(error); // ends the other uploads of this group, which would be in vain
    throw error;
  }
}

async function upload(session: Session, media: MediaFile, report: ReportProgress, signal: AbortSignal) {
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
  handlers: Pick<GroupSending, 'onSettled' | 'onSubmitted'>,
): Promise<void> {
  if (uploaded.length === 0) return;
  const created = await session.assay.submissions
    .create(requestOf(uploaded, options), { simulationDelaySeconds: options.simulationDelaySeconds, signal })
    .catch((error: unknown) => {
      const faults = faultsByAsset(error);
      if (faults) return faults;
      throw error;
    });
  if (created instanceof Map) {
    for (const [i, fault] of created) {
      const one = uploaded[i];
      if (one) handlers.onSettled(rejectFile(one.media, one.report, fault));
    }
    const rest = uploaded.filter((_, i) => !created.has(i));
    return submit(session, rest, options, signal, handlers);
  }
  const sent = uploaded.map(({ media, report }, i): SubmittedFile => {
    report({ phase: 'submitted' });
    return { media, report, submissionId: created.submissionId, assetId: created.assets[i]?.assetId ?? '' };
  });
  for (const one of sent) handlers.onSettled(one);
  await handlers.onSubmitted(created, sent);
}

function requestOf(uploaded: UploadedFile[], { previous, sidekickIds, metadata }: SendOptions): SubmissionRequest {
  return {
    assets: uploaded.map(({ blobPath }) => ({ blobPath, previousSubmissionId: previous })),
    sidekickIds,
    metadata,
  };
}

/** The errors of a rejected submission by asset index; undefined if it was rejected for a different reason. */
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

function rejectFile(media: NamedFile, report: ReportProgress, refusal: FailureDescription) {
  report({ phase: 'failed', sentBytes: media.sizeBytes, note: `rejected: ${refusal.message}` });
  return { media, report, refusal };
}

/** Runs at most `permitCount` tasks at a time, first come, first served. */
export function createSemaphore(permitCount: number) {
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
