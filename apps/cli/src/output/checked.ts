import { type AppliedGate, judgeAsset } from '@assay/report/verdict/judgement.ts';
import type { AssetResult, Issue } from '@assay/sdk';
import type { FailureDescription } from '../failure.ts';

/** With `--fail-on none`, the verdict is still that of the delivery profile, but does not decide the exit code. */
export type RunGate = AppliedGate & { isEnforced: boolean };

/** A file with its result, or with the reason why it was rejected or has none. */
export type CheckedFile = {
  file: string;
  result: AssetResult | null;
  /** Most severe first. */
  issues: Issue[];
  refusal: FailureDescription | null;
  /** Why there is no result although the file was not rejected. */
  failure?: FailureDescription | undefined;
};

/**
 * The file as printed by `--json`, with its verdict if there is a gate. Issues are listed in full, so the result’s short
 * list of them is left out.
 */
export function toJson({ file, result, issues, refusal, failure }: CheckedFile, gate: RunGate | null = null) {
  const error = refusal ?? failure;
  const judged = gate && (result ? judgeAsset({ result, issues }, gate) : { verdict: null });
  return { file, ...judged, result: result && withoutIssues(result), issues, ...(error && { error }) };
}

function withoutIssues({ issues: _, ...rest }: AssetResult) {
  return rest;
}
