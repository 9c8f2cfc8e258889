import type { AssetResult, Issue, Measurements, Submission } from '@assay/sdk';

/** All data of a report. */
export type Report = {
  submission: Submission;
  assets: ReportAsset[];
  generatedAt: string;
  baseUrl: string;
};

export type ReportAsset = {
  result: AssetResult;
  issues: Issue[];
  measurements: Measurements | undefined;
  /** Issue id → its stills as JPEG, in the order of its evidence. */
  stills: Record<string, Uint8Array[]>;
};
