import { ApiError, AssayError, ConnectionError, InvalidFileError, TimeoutError, UploadError } from '@assay/sdk';
import { exitCodeOf, type Outcome } from './exit-codes.ts';

type Details = { next?: string | undefined; cause?: unknown };

/** An end that we foresaw: what happened, and what to do next. */
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

export type Described = {
  exitCode: number;
  message: string;
  next: string | undefined;
  code?: string | undefined;
  status?: number | undefined;
  requestId?: string | undefined;
};

/** Any error as a person can use it. */
export function describeFailure(error: unknown): Described {
  if (error instanceof Failure) {
    return { exitCode: exitCodeOf(error.outcome), message: error.message, next: error.next };
  }
  const unreadable = unreadableIn(error);
  if (unreadable) return described('usage', unreadable, 'Try again once nothing writes to the file.');
  if (error instanceof ApiError) {
    const { status, code, requestId } = error;
    const outcome = status >= 500 ? 'unreachable' : 'refused';
    return { ...described(outcome, error.message, nextOf(error)), code, status, requestId };
  }
  if (error instanceof InvalidFileError) {
    return { ...described('refused', error.message, nextByCode[error.code]), code: error.code };
  }
  if (error instanceof UploadError) {
    const outcome = (error.status ?? 500) >= 500 ? 'unreachable' : 'refused';
    return described(outcome, error.message, 'The file was not stored. Try again; if it stays so, tell the operator.');
  }
  if (error instanceof TimeoutError) {
    return described('unreachable', error.message, 'Is the service busy, or the network slow? Try again.');
  }
  if (error instanceof ConnectionError) return described('unreachable', error.message, nextOfConnection(error));
  if (error instanceof AssayError) return described('usage', error.message, undefined);
  const message = error instanceof Error ? error.message : String(error);
  const { code } = error as { code?: unknown };
  // Files and folders of this machine: what the system says is what there is to know.
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) {
    return described('usage', message, 'Check that the path exists and that you may use it.');
  }
  return described('unexpected', message, 'This is a defect of assay. Please report it with what you did.');
}

function described(outcome: Outcome, message: string, next: string | undefined): Described {
  return { exitCode: exitCodeOf(outcome), message, next };
}

const nextByCode: Partial<Record<NonNullable<ApiError['code']> | InvalidFileError['code'], string>> = {
  sandbox_only: 'This needs the sandbox key of your workspace: --api-key, or assay login.',
  live_submission: 'This needs the live key of your workspace: --api-key, or assay login.',
  simulation_needs_sandbox_key: 'This needs the sandbox key of your workspace: --api-key, or assay login.',
  submission_in_progress: 'Wait until it is over, or stop it: assay submissions cancel <submissionId>',
  submission_settled: 'It is over already: assay submissions get <submissionId>',
  asset_not_ready: 'Wait for it: assay submissions get <submissionId> --wait',
  asset_failed: 'Why it failed: assay submissions get <submissionId>. Try again: assay retry <submissionId> <assetId>',
  asset_not_failed: 'Only an asset that failed can be retried: assay submissions get <submissionId>',
  asset_not_retryable: 'The file itself is at fault. Mend it and submit it anew: assay check <file>',
  retry_limit_reached: 'Submit the file anew: assay check <file>',
  retry_in_flight: 'It is being retried already: assay submissions get <submissionId> --wait',
  validation_failed:
    'Check the values that you gave. Ids are as the lists show them: assay submissions list, assay webhooks list',
  unknown_sidekick: 'See which there are: assay sidekicks',
  sidekick_not_found: 'See which there are: assay sidekicks',
  subscription_not_found: 'See which there are: assay webhooks list',
  delivery_not_found: 'See which there are: assay webhooks deliveries <subscriptionId>',
  subscription_inactive: 'Take it into use again: assay webhooks update <subscriptionId> --activate',
  subscription_limit_reached: 'Delete one that nobody needs: assay webhooks list',
  url_not_allowed: 'It must be https and public. To try on this machine: assay listen --forward-to <url>',
  content_type_mismatch: 'Give the file the extension of its format, or convert it.',
  asset_too_large: 'Encode it smaller, or cut it into parts.',
  file_empty: 'Export the file again.',
  previous_submission_not_found: 'See which there are: assay submissions list',
  ambiguous_previous_version: 'Give the new file the name of the one it follows, or leave --previous out.',
};

const nextByStatus: Record<number, string> = {
  401: 'Sign in with a key that works: assay login',
  402: 'The plan of this workspace does not include the service. Ask the operator for another tier.',
  403: 'This key may not do that. See whose it is: assay whoami',
  404: 'Check the id, and that the key belongs to the same workspace: assay whoami, assay submissions list',
  413: 'The file is larger than the service takes.',
  429: 'The limit of requests a minute is reached. Try again later, or with a smaller --concurrency.',
  500: 'Try again. If it stays so, give the operator the request id.',
  502: 'A part of the service is away. Try again in a moment.',
};

function nextOf({ code, status, retryAfterSeconds }: ApiError): string {
  if (status === 429 && retryAfterSeconds) return `Too many requests. Try again in ${retryAfterSeconds} s.`;
  const next = (code && nextByCode[code]) ?? nextByStatus[status];
  if (next) return next;
  return status >= 500 ? 'Try again in a moment.' : 'See what the command takes: assay <command> --help';
}

function nextOfConnection(error: Error): string {
  if (/no JSON/.test(error.message)) return 'Something else answers there. Check --base-url, or ASSAY_BASE_URL.';
  return 'Is the service running? In a checkout: pnpm stack up && pnpm start. Elsewhere: --base-url, or ASSAY_BASE_URL.';
}

/** A file that changed or went while it was read comes wrapped as whatever read it. */
function unreadableIn(error: unknown): string | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one.name === 'NotReadableError') return 'A file changed, or could not be read, while it was uploaded.';
  }
  return undefined;
}
