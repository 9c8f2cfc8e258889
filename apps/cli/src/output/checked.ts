import type { AssetResult, Issue } from '@assay/sdk';
import type { FailureDescription } from '../failure.ts';

/** A file with its result, or with the reason why it was rejected. */
export type CheckedFile = {
  file: string;
  result: AssetResult | null;
  /** Most severe first. */
  issues: Issue[];
  refusal: FailureDescription | null;
};

/** The file as printed by `--json`. Issues are listed in full, so the result’s short list of them is left out. */
export function toJson({ file, result, issues, refusal }: CheckedFile) {
  return { file, result: result && withoutIssues(result), issues, ...(refusal && { error: refusal }) };
}

function withoutIssues({ issues: _, ...rest }: AssetResult) {
  return rest;
}
