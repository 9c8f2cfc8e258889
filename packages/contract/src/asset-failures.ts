/** What follows the message of a failure that is retryable by its type. */
export const retryAdvice = {
  retryable: 'Retry the asset.',
  'needs live key': 'Retry the asset with a live key.',
  'limit reached': 'It was retried as often as allowed: submit the file again.',
};

/**
 * Every way in which an asset can fail. One table for the wire (`errorType`, `errorMessage`, `isRetryable`)
 * and for the engine, which does not try again what can never succeed.
 */
export const assetFailures = {
  unsupported_codec: {
    isRetryable: false,
    message: 'The file uses a codec that cannot be analysed. Convert it to a common one and submit it again.',
  },
  corrupt_media: {
    isRetryable: false,
    message: 'The file is damaged and cannot be read to its end. Export it again and submit the new file.',
  },
  encrypted_media: {
    isRetryable: false,
    message: 'The file is encrypted or protected by a password. Submit it without protection.',
  },
  media_too_long: {
    isRetryable: false,
    message: 'The media plays longer than is analysed here. Submit it in parts.',
  },
  resource_limit_exceeded: {
    isRetryable: false,
    message: 'Analysing the file would take more memory or time than any file may take.',
  },
  blob_missing: {
    isRetryable: false,
    message: 'The uploaded file is no longer in storage. Upload it again and submit that.',
  },
  blob_changed: {
    isRetryable: false,
    message: 'The uploaded file was replaced after the submission was accepted. Submit it again as it is now.',
  },
  analysis_rejected: { isRetryable: false, message: 'A sidekick refused to analyse this file.' },
  analysis_timeout: { isRetryable: true, message: 'The analysis took too long and was stopped.' },
  engine_unavailable: {
    isRetryable: true,
    message: 'A part that the analysis needs was not available for a long time.',
  },
  internal_error: {
    isRetryable: true,
    message: 'An internal error stopped the analysis. If it happens again, give the assetId to the operator.',
  },
  cancelled: { isRetryable: true, message: 'The analysis was cancelled.' },
} as const satisfies Record<string, { isRetryable: boolean; message: string }>;

export type AssetErrorType = keyof typeof assetFailures;

/** This asset could not be analysed. What the cause says stays in the log. */
export class AssetFailure extends Error {
  readonly errorType: AssetErrorType;

  constructor(errorType: AssetErrorType, context: { cause?: unknown } = {}) {
    super(errorType, context);
    this.name = 'AssetFailure';
    this.errorType = errorType;
  }
}
