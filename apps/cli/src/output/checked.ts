import type { AssetResult, Issue } from '@assay/sdk';
import type { FailureDescription } from '../failure.ts';

/** One file: a result, or the reason why the service rejected it. */
export type Checked = {
  file: string;
  result: AssetResult | null;
  /** Most severe first. */
  issues: Issue[];
  refusal: FailureDescription | null;
};

/** For `--json`: each issue is listed once, in full, so the short list in the result is left out. */
export function toJson({ file, result, issues, refusal }: Checked) {
  return { file, result: result && withoutIssues(result), issues, ...(refusal && { error: refusal }) };
}

function withoutIssues({ issues: _, ...rest }: AssetResult) {
  return rest;
}
