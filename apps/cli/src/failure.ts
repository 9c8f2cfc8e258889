import { ApiError, AssayError, ConnectionError, InvalidFileError, TimeoutError, UploadError } from '@assay/sdk';
import { exitCodeOf, type Outcome } from './exit-codes.ts';

type Details = { next?: string | undefined; cause?: unknown };

/** An expected failure: what happened, and what to do next. */
export class Failure extends Error {
  override name = 'Failure';
  readonly outcome: Outcome;
  readonly next: string | undefined;

  constructor(outcome: Outcome, message: string, { next, cause }: Details = {}) {
    super(message, { cause });
    this.outcome = outcome;
    this.next = next;
  }
}

/** The failure that ends a run whose signal was aborted: by Ctrl-C or by SIGTERM. */
export function failureOf({ reason }: AbortSignal): Failure {
  return reason instanceof Failure ? reason : new Failure('interrupted', 'Interrupted.', { cause: reason });
}

export type FailureDescription = {
  exitCode: number;
  message: string;
  next: string | undefined;
  code?: string | undefined;
  status?: number | undefined;
  requestId?: string | undefined;
  /** The invalid fields of a request that was rejected with 422. */
  errors?: ApiError['errors'] | undefined;
  /** What was submitted before the failure; its analysis continues. */
  submissionIds?: string[] | undefined;
};

/** A failure that is already described, with what was submitted before it. */
export class DescribedFailure extends Error {
  override name = 'DescribedFailure';
  readonly description: FailureDescription;

  constructor(description: FailureDescription, cause: unknown) {
    super(description.message, { cause });
    this.description = description;
  }
}

/** Turns any error into a message, an exit code and a next step. */
export function describeFailure(error: unknown): FailureDescription {
  if (error instanceof DescribedFailure) return error.description;
  if (error instanceof Failure) {
    return { exitCode: exitCodeOf(error.outcome), message: error.message, next: error.next };
  }
  if (error instanceof ApiError) {
    const { status, code, requestId, errors } = error;
    const outcome = status >= 500 ? 'unreachable' : 'refused';
    const details = { code, status, requestId, ...(errors.length > 0 && { errors }) };
    return { ...toDescription(outcome, messageOf(error), nextOf(error)), ...details };
  }
  if (error instanceof InvalidFileError) {
    return { ...toDescription('refused', error.message, nextByCode[error.code]), code: error.code };
  }
  if (error instanceof UploadError) {
    if (error.status === undefined)
      return toDescription('refused', error.message, 'Check the file again: assay check <file>');
    const outcome = error.status >= 500 ? 'unreachable' : 'refused';
    return toDescription(
      outcome,
      error.message,
      'The file was not stored. Try again; if this persists, contact the operator of the service.',
    );
  }
  if (error instanceof TimeoutError) {
    return toDescription('unreachable', error.message, 'The service may be busy or the network slow. Try again.');
  }
  if (error instanceof ConnectionError) return toDescription('unreachable', error.message, nextOfConnection(error));
  if (error instanceof AssayError) return toDescription('usage', error.message, undefined);
  const message = error instanceof Error ? error.message : String(error);
  const { code } = error as { code?: unknown };
  // For errors of the local file system, the operating system’s message is the best description.
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) {
    return toDescription('usage', message, 'Check that the path exists and that you have permission to use it.');
  }
  return toDescription(
    'unexpected',
    message,
    'This is a bug in assay. Please report it with the command that you ran.',
  );
}

/** The message of a 422 error with each field on a line of its own. The SDK’s message has them all in one line. */
function messageOf({ message, errors }: ApiError): string {
  const [first] = errors;
  if (!first) return message;
  const start = message.indexOf(` ${first.pointer || 'body'}: ${first.detail}`);
  if (start < 0) return message;
  const omitted = /And \d+ more\.$/.exec(message)?.[0];
  const lines = errors.map(({ pointer, detail }) => `  ${pointer || 'body'}: ${detail}`);
  // The hint to look in `errors` is removed, because the fields are listed below it.
  const text = message.slice(0, start).replace(/ See `errors` for [^.]*\.$/, '');
  return [text, ...lines, ...(omitted ? [`  ${omitted}`] : [])].join('\n');
}

function toDescription(outcome: Outcome, message: string, next: string | undefined): FailureDescription {
  return { exitCode: exitCodeOf(outcome), message, next };
}

const nextByCode: Partial<Record<NonNullable<ApiError['code']> | InvalidFileError['code'], string>> = {
  sandbox_only: 'Use the sandbox key of your workspace: pass --api-key, or run assay login.',
  live_submission: 'Use the live key of your workspace: pass --api-key, or run assay login.',
  simulation_needs_sandbox_key: 'Use the sandbox key of your workspace: pass --api-key, or run assay login.',
  submission_in_progress: 'Wait until the submission finishes, or cancel it: assay submissions cancel <submissionId>',
  submission_settled: 'The submission has already finished: assay submissions get <submissionId>',
  asset_not_ready: 'Wait for the analysis: assay submissions get <submissionId> --wait',
  asset_failed: 'See why: assay submissions get <submissionId>. Retry: assay retry <submissionId> <assetId>',
  asset_not_failed: 'Only failed assets can be retried: assay submissions get <submissionId>',
  asset_not_retryable: 'The file itself is the problem. Fix it and check it again: assay check <file>',
  retry_limit_reached: 'Submit the file again: assay check <file>',
  retry_in_flight: 'A retry is already running: assay submissions get <submissionId> --wait',
  validation_failed: 'Check the values. To list ids: assay submissions list, assay webhooks list',
  profile_not_found: 'List the profiles: assay profiles list',
  unknown_profile: 'List the profiles: assay profiles list',
  profile_name_taken: 'To change that profile: assay profiles update <profile> --file <file>',
  profile_limit_reached: 'Delete a profile that is no longer needed: assay profiles list',
  revision_limit_reached: 'Create a profile with the changed content: assay profiles create --file <file>',
  profile_is_default: 'Make another profile the default first: assay profiles default general',
  built_in_profile: 'Create a profile that extends it: assay profiles create --file <file>',
  live_profile: 'Use the live key of your workspace: pass --api-key, or run assay login.',
  unknown_sidekick: 'List the checks: assay sidekicks',
  sidekick_not_found: 'List the checks: assay sidekicks',
  subscription_not_found: 'List the subscriptions: assay webhooks list',
  delivery_not_found: 'List the deliveries: assay webhooks deliveries <subscriptionId>',
  subscription_inactive: 'Activate the subscription: assay webhooks update <subscriptionId> --activate',
  subscription_limit_reached: 'Delete a subscription that is no longer needed: assay webhooks list',
  url_not_allowed: 'The URL must be public and use https. To test locally: assay listen --forward-to <url>',
  content_type_mismatch: 'Rename the file to match its format, or convert it.',
  asset_too_large: 'Re-encode the file at a smaller size, or split it.',
  file_empty: 'Export the file again.',
  storage_quota_reached: 'Delete submissions that are no longer needed: assay submissions list',
  size_mismatch: 'Check the file again: assay check <file>',
  file_changed: 'Wait until nothing is writing to the file, then try again.',
  previous_submission_not_found: 'List the submissions: assay submissions list',
  ambiguous_previous_version: 'Give the new file the same name as its previous version, or leave out --previous.',
};

const nextByStatus: Record<number, string> = {
  401: 'Sign in with a valid key: assay login',
  402: 'The plan of this workspace does not include the service. Ask the operator to change the plan.',
  403: 'This key is not allowed to do that. Show the key in use: assay whoami',
  404: 'Check the id and the workspace of the key: assay submissions list, assay whoami',
  413: 'The file is larger than the service accepts.',
  429: 'Rate limit reached. Try again later, or with a lower --concurrency.',
  500: 'Try again. If this persists, send the request id to the operator of the service.',
  502: 'Part of the service is unavailable. Try again in a moment.',
};

function nextOf({ code, status, errors, retryAfterSeconds }: ApiError): string {
  if (status === 429 && retryAfterSeconds) return `Rate limit reached. Try again in ${retryAfterSeconds} s.`;
  // Path parameters are in snake_case, as in `/submission_id`; fields of a body are in camelCase.
  if (code === 'validation_failed' && errors.some(({ pointer }) => !/^$|_/.test(pointer)))
    return 'Fix these fields and try again.';
  const next = (code && nextByCode[code]) ?? nextByStatus[status];
  if (next) return next;
  return status >= 500 ? 'Try again in a moment.' : 'Show the options of a command: assay <command> --help';
}

function nextOfConnection(error: Error): string {
  if (/not JSON/.test(error.message))
    return 'The server at this address is not Assay. Check --base-url or ASSAY_BASE_URL.';
  return 'Start the service (in a clone: pnpm stack up && pnpm start), or check --base-url or ASSAY_BASE_URL.';
}
