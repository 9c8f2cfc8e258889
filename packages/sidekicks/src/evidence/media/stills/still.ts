import type { IssueEvidenceFrame } from '@assay/contract/schemas/issue.ts';

export type Still = {
  timeMs: number;
  jpeg: Uint8Array;
  /** If the still has two frames side by side: those, from left to right. */
  frames?: IssueEvidenceFrame[];
};
