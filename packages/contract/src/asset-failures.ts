import { mediaSecondsMax, retriesPerAssetMax } from './limits.ts';

/** The sentence after the message of a retryable failure. */
export const retryAdvice = {
  retryable: 'Retry the asset.',
  'needs live key': 'Retry the asset with a live key.',
  'limit reached': `All ${retriesPerAssetMax} retries are used. Submit the file again.`,
};

/**
 * Every way in which an asset can fail. The API (`errorType`, `errorMessage`, `isRetryable`) and the workflow engine,
 * which does not repeat what can never succeed, share this table.
 */
export const assetFailures = {
  unsupported_codec: {
    isRetryable: false,
    message: 'The codec of the file is not supported. Convert the file to a common codec and submit it again.',
  },
  corrupt_media: {
    isRetryable: false,
    message: 'The file is damaged and cannot be read completely. Export it again and submit the new file.',
  },
  encrypted_media: {
    isRetryable: false,
    message: 'The file is encrypted or password-protected. Remove the protection and submit the file again.',
  },
  media_too_long: {
    isRetryable: false,
    message: `Media can be up to ${mediaSecondsMax / 3600} hours long. Split the file and submit the parts.`,
  },
  resource_limit_exceeded: {
    isRetryable: false,
    message: 'Analysing the file would take more memory or time than allowed. Submit a smaller or simpler file.',
  },
  blob_missing: {
    isRetryable: false,
    message: 'The uploaded file is no longer in storage. Upload it again and submit it.',
  },
  blob_changed: {
    isRetryable: false,
    message: 'The uploaded file was replaced after the submission was accepted. Submit the file again.',
  },
  content_mismatch: {
    isRetryable: false,
    message:
      'The SHA-256 of the stored file does not match the declared contentSha256. Upload the file again and submit it.',
  },
  analysis_rejected: {
    isRetryable: false,
    message: 'A check cannot process this file. Export it again and submit the new file.',
  },
  analysis_timeout: { isRetryable: true, message: 'The analysis took too long and was stopped.' },
  engine_unavailable: {
    isRetryable: true,
    message: 'A service that the analysis depends on was unavailable for too long.',
  },
  internal_error: {
    isRetryable: true,
    message: 'An internal error stopped the analysis; if it persists, send the assetId to your operator.',
  },
  cancelled: { isRetryable: true, message: 'The analysis was cancelled.' },
} as const satisfies Record<string, { isRetryable: boolean; message: string }>;

export type AssetErrorType = keyof typeof assetFailures;

/** For a type that this version does not know: during an upgrade, the database may contain types of a newer version. */
const unknownFailure = { isRetryable: false, message: 'The file could not be analysed.' };

export function failureOf(errorType: AssetErrorType): { isRetryable: boolean; message: string } {
  return assetFailures[errorType] ?? unknownFailure;
}

/** A configuration variable that limits the memory or time of an examination. */
export type BoundingVariable = 'EXAMINATION_HEAP_MB' | 'EXAMINATION_SECONDS_MIN' | 'WORKER_LOST_AFTER_SECONDS';

/**
 * This asset could not be analysed. The database keeps the reason for the operator: which limit or tool, and the
 * measured value. It never contains text that may come from the file, such as the output of a tool. The cause is only
 * logged.
 */
export class AssetFailure extends Error {
  readonly errorType: AssetErrorType;
  readonly reason: string;
  /** The variable that sets the exceeded limit, if the limit can be configured. */
  readonly variable: BoundingVariable | undefined;

  constructor(
    errorType: AssetErrorType,
    reason: string,
    { cause, variable }: { cause?: unknown; variable?: BoundingVariable | undefined } = {},
  ) {
    super(`${errorType}: ${reason}`, { cause });
    this.name = 'AssetFailure';
    this.errorType = errorType;
    this.reason = reason;
    this.variable = variable;
  }
}
