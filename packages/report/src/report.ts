import type { AssetResult, Issue, IssueDecision, Measurements, Submission } from '@assay/sdk';
import type { Severity } from './severity.ts';

/** All data of a report. */
export type Report = {
  /** Null if every file was rejected, so that nothing was submitted. */
  submission: Submission | null;
  /** Replaces the severity that the delivery profile sets as its gate. */
  failOn?: Severity | undefined;
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
  /** A small JPEG that shows what the file is. */
  poster?: Uint8Array | undefined;
  /** Maps the id of an issue to its stills as JPEG, in the order of its evidence. */
  stills: Record<string, Uint8Array[]>;
  /** Maps the id of a waived issue to its decisions, newest first. Other issues may be missing. */
  decisions: Record<string, IssueDecision[]>;
};

/** A file without a result: it was rejected, or the run could not be finished for it. */
export type RejectedFile = {
  filename: string;
  reason: string;
  next: string | undefined;
  code: string | undefined;
  /** The command line rejects files by size and content before the upload. */
  stage: 'before_upload' | 'by_service' | 'unfinished';
};
