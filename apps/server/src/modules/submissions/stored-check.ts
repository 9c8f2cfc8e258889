import type { CheckOutcome, Coverage, MeasuredValue, NotApplicableReason } from '@assay/contract/schemas/coverage.ts';
import type { SeverityCounts } from '@assay/contract/verdict.ts';

/** A check as stored with its asset. Earlier versions did not store the optional members. */
export type StoredCheck = {
  sidekickId: string;
  version: string;
  profile: string;
  profileRevision?: number;
  outcome: CheckOutcome;
  reason?: NotApplicableReason | null;
  coverage?: Coverage;
  measured?: MeasuredValue[];
  omittedCount: number;
  omittedSeverityCounts?: SeverityCounts;
};
