import type { AssetResult, Issue, Measurements, Submission } from '@assay/sdk';

/** All data of a report. */
export type Report = {
  /** Null if every file was rejected, so that nothing was submitted. */
  submission: Submission | null;
  assets: ReportAsset[];
  rejected: RejectedFile[];
  generatedAt: string;
  baseUrl: string;
  /** Null if the version is unknown. */
  serviceVersion: string | null;
};

export type ReportAsset = {
  result: AssetResult;
  issues: Issue[];
  measurements: Measurements | undefined;
  /** Maps the id of an issue to its stills as JPEG, in the order of its evidence. */
  stills: Record<string, Uint8Array[]>;
};

/** A file that was rejected and is part of no submission. */
export type RejectedFile = {
  filename: string;
  reason: string;
  next: string | undefined;
  code: string | undefined;
  /** Whether the CLI rejected the file, which checks size and content before the upload; otherwise the service did. */
  isBeforeUpload: boolean;
};
