import { setTimeout as sleep } from 'node:timers/promises';
import { makePdf, passwordTrailer } from '@assay/testing/media/make-pdf.ts';

type Stored = { ruleCode: string; severity: string };
export type Reading = { verdict: string | undefined; issues: Stored[]; passedChecks: string[] };

/** A caller without a schema: the responses of two versions differ. */
export type Caller = { url: string; key: string };

/** The members that are read here, of several responses. */
type Response = {
  blobPath: string;
  submissionId: string;
  assets: { assetId: string }[];
  status: string;
  verdict?: string;
  checks: { sidekickName: string; outcome: string; issueCount: number }[];
  issues: Stored[];
};

const secondsMax = 90;

async function call({ url, key }: Caller, path: string, body?: FormData | string): Promise<Response> {
  const init = body ? { method: 'POST', body } : {};
  const response = await fetch(`${url}/api/integrations${path}`, { ...init, headers: { 'x-api-key': key } });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
  return (await response.json()) as Response;
}

/** Submits a file that cannot be examined, a PDF with a password, and returns the path of the asset. */
export async function submitUnexamined(caller: Caller): Promise<string> {
  const form = new FormData();
  form.set(
    'file',
    new Blob([Uint8Array.from(makePdf({ trailer: passwordTrailer }))], { type: 'application/pdf' }),
    'locked.pdf',
  );
  const { blobPath } = await call(caller, '/uploads/direct', form);
  const { submissionId, assets } = await call(caller, '/submissions', JSON.stringify({ assets: [{ blobPath }] }));
  return `/submissions/${submissionId}/assets/${assets[0]?.assetId}`;
}

/** What a caller sees of this asset once it is complete, from whichever api answers. */
export async function readUnexamined(caller: Caller, path: string): Promise<Reading> {
  let asset = await call(caller, path);
  for (const deadline = Date.now() + secondsMax * 1000; asset.status !== 'complete'; asset = await call(caller, path)) {
    if (asset.status === 'failed' || Date.now() > deadline) throw new Error(`the asset is ${asset.status}`);
    await sleep(250);
  }
  const { issues } = await call(caller, `${path}/issues`);
  return {
    verdict: asset.verdict,
    issues: issues.map(({ ruleCode, severity }) => ({ ruleCode, severity })),
    passedChecks: asset.checks.flatMap(({ sidekickName, outcome, issueCount }) =>
      outcome === 'ran' && issueCount === 0 ? [sidekickName] : [],
    ),
  };
}

/** The file does not pass in the new version, and the previous one does not show it as free of issues. */
export function compareReadings(byNew: Reading, byPrevious: Reading[]): string[] {
  const isPass = byNew.verdict === undefined || byNew.verdict === 'passed';
  const expected = isPass ? [`the new version's verdict is ${byNew.verdict}`] : [];
  const asText = (value: unknown) => JSON.stringify(value);
  return byPrevious.reduce((violations, { issues, passedChecks }) => {
    if (issues.length === 0 || asText(issues) !== asText(byNew.issues))
      violations.push(`the previous api lists ${asText(issues)}, the new one ${asText(byNew.issues)}`);
    if (asText(passedChecks) !== asText(byNew.passedChecks))
      violations.push(`passed by the previous api: ${passedChecks}; by the new one: ${byNew.passedChecks}`);
    return violations;
  }, expected);
}
