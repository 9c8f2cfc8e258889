import { createHash } from 'node:crypto';
import type { Issue } from '@assay/contract/issue.ts';

const sha256 = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** What is compared of the issues of an asset: all of it, and what must be equal for every asset with these bytes. */
export function digestIssues({ issues }: { issues: Issue[] }) {
  const findings = issues.map(({ id: _, createdAt, updatedAt, evidence, ...said }) => ({
    ...said,
    evidence: evidence.map(({ url, ...shown }) => shown), // a URL holds ids
  }));
  return {
    issuesSha256: sha256(issues),
    findingsSha256: sha256(findings),
    ruleCodes: issues.map(({ ruleCode }) => ruleCode),
  };
}
