import { makePdf } from '@assay/testing/media/make-pdf.ts';
import type { Client } from '@assay/testing/service/client.ts';
import { assetPath, type SubmissionIds, submit, untilFinished } from '@assay/testing/service/submissions.ts';

type Stored = { ruleCode: string; severity: string };
export type Reading = { verdict: string | undefined; issues: Stored[]; passedChecks: string[] };

const noise = '00112233445566778899aabbccddeeff'.repeat(2);
const trailer = `/ID [<${noise}> <${noise}>] /Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <${noise}> /U <${noise}> >>`;

/** Submits a file that cannot be examined: a PDF with a password. */
export async function submitUnexamined(client: Client): Promise<SubmissionIds> {
  const { status, body } = await client.uploadFile('locked.pdf', makePdf({ trailer }));
  if (status !== 201) throw new Error(`the upload was answered with ${status}`);
  return submit(client, [body.blobPath]);
}

/** What a caller sees of this file, from whichever api answers. */
export async function readUnexamined(client: Client, submission: SubmissionIds): Promise<Reading> {
  await untilFinished(client, submission.submissionId);
  const { body: asset } = await client.get(assetPath(submission));
  const { body: list } = await client.get(`${assetPath(submission)}/issues`);
  return {
    verdict: asset.verdict,
    issues: list.issues.map(({ ruleCode, severity }: Stored) => ({ ruleCode, severity })),
    passedChecks: asset.checks.flatMap(({ sidekickName, outcome, issueCount }: Record<string, unknown>) =>
      outcome === 'ran' && issueCount === 0 ? [sidekickName as string] : [],
    ),
  };
}

/** The new version says that the file was not examined, and the previous one does not show it as free of issues. */
export function compareReadings(byNew: Reading, byPrevious: Reading[]): string[] {
  const expected = byNew.verdict === 'not_checked' ? [] : [`the new version's verdict is ${byNew.verdict}`];
  const asText = (value: unknown) => JSON.stringify(value);
  return byPrevious.reduce((violations, { issues, passedChecks }) => {
    if (issues.length === 0 || asText(issues) !== asText(byNew.issues))
      violations.push(`the previous api lists ${asText(issues)}, the new one ${asText(byNew.issues)}`);
    if (asText(passedChecks) !== asText(byNew.passedChecks))
      violations.push(`passed by the previous api: ${passedChecks}; by the new one: ${byNew.passedChecks}`);
    return violations;
  }, expected);
}
