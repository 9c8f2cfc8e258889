import type { Problem, RefusalCode } from './wire.generated.ts';

/** The base class of all errors that this client throws. */
export class AssayError extends Error {
  override name = 'AssayError';
}

export type RefusalResponse = {
  status: number;
  message: string;
  /** Undefined for a response that came from a proxy instead of the service. */
  code?: RefusalCode | undefined;
  /** Include it when you report a problem. */
  requestId?: string | undefined;
  /** For 422: each invalid field as a JSON pointer into the body. */
  errors?: Problem['errors'];
  /** For 429: how long to wait. */
  retryAfterSeconds?: number | undefined;
};

/** The service responded with an error. */
export class ApiError extends AssayError {
  override name = 'ApiError';
  readonly status: number;
  readonly code: RefusalCode | undefined;
  readonly requestId: string | undefined;
  readonly errors: NonNullable<Problem['errors']>;
  readonly retryAfterSeconds: number | undefined;

  constructor({ status, message, code, requestId, errors = [], retryAfterSeconds }: RefusalResponse) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.errors = errors;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export class BadRequestError extends ApiError {
  override name = 'BadRequestError';
}
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}
export class PlanError extends ApiError {
  override name = 'PlanError';
}
export class PermissionError extends ApiError {
  override name = 'PermissionError';
}
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}
export class TooLargeError extends ApiError {
  override name = 'TooLargeError';
}
export class UnsupportedTypeError extends ApiError {
  override name = 'UnsupportedTypeError';
}
export class ValidationError extends ApiError {
  override name = 'ValidationError';
}
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}
export class ServerError extends ApiError {
  override name = 'ServerError';
}
export class UnavailableError extends ApiError {
  override name = 'UnavailableError';
}

/** The service could not be reached, or the connection was lost. */
export class ConnectionError extends AssayError {
  override name = 'ConnectionError';
}

/** No response arrived within the time limit. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

/** A file that is rejected before the service sees it. `file_empty` and `file_changed` are not codes of the API. */
export class InvalidFileError extends AssayError {
  override name = 'InvalidFileError';
  readonly code: InvalidFileCode;

  constructor(code: InvalidFileCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}
type InvalidFileCode =
  | 'file_empty'
  | 'file_changed'
  | Extract<RefusalCode, 'asset_too_large' | 'content_type_not_allowed' | 'content_type_mismatch'>;

/** Object storage rejected the upload. */
export class UploadError extends AssayError {
  override name = 'UploadError';
  readonly status: number | undefined;

  constructor(message: string, options: { status?: number; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.status = options.status;
  }
}

const errorClassByStatus: Record<number, typeof ApiError> = {
  400: BadRequestError,
  401: AuthenticationError,
  402: PlanError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: TooLargeError,
  415: UnsupportedTypeError,
  422: ValidationError,
  429: RateLimitError,
  500: ServerError,
  502: UnavailableError,
  503: UnavailableError,
  504: UnavailableError,
};

/** Reads all three error formats of the API, and responses of a proxy that uses none of them. */
export async function toApiError(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const body = await response.json().then(
    (json: unknown) => (json ?? {}) as Record<string, unknown>,
    (): Record<string, unknown> => ({}),
  );
  const errors = Array.isArray(body.errors) ? (body.errors as NonNullable<Problem['errors']>) : [];
  const text = body.detail ?? body.message ?? body.error ?? `HTTP ${status} without an error message.`;
  const details = errors.map(({ pointer, detail }) => `${pointer || 'body'}: ${detail}`);
  if (typeof body.errorsOmitted === 'number') details.push(`And ${body.errorsOmitted} more.`);
  return new (errorClassByStatus[status] ?? ApiError)({
    status,
    message: [text, ...details].join(' '),
    code: (body.code ?? body.error_code ?? (status === 429 ? 'rate_limited' : undefined)) as RefusalCode | undefined,
    requestId: headers.get('x-request-id') ?? undefined,
    errors,
    retryAfterSeconds: Number(headers.get('retry-after')) || undefined,
  });
}
