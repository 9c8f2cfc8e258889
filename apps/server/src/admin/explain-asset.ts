import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type Explanation, explainAsset } from '#modules/analysis/explain-asset.ts';
import { AdminMistake, type Command, WrongUsage } from './command.ts';

/** Prints why an asset failed, as text or JSON. */
export const explainAssetCommand: Command = {
  usage: '<asset id> [--json]',
  async run(args, { handles: { db } }) {
    const { assetId, json } = readArguments(args);
    const explanation = await explainAsset(db, assetId);
    if (!explanation)
      throw new AdminMistake(`Asset ${assetId} not found. It may have been deleted with its submission.`);
    return json ? explanation : formatExplanation(explanation);
  },
};

function readArguments(args: string[]): { assetId: string; json: boolean } {
  let parsed: { values: { json?: boolean | undefined }; positionals: string[] };
  try {
    parsed = parseArgs({ args, allowPositionals: true, options: { json: { type: 'boolean' } } });
  } catch (error) {
    throw new WrongUsage((error as Error).message);
  }
  const [id, ...rest] = parsed.positionals;
  const assetId = z.uuid().safeParse(id);
  if (!assetId.success || rest.length > 0) throw new WrongUsage('asset explain needs one asset id.');
  return { assetId: assetId.data.toLowerCase(), json: parsed.values.json ?? false };
}

function formatExplanation(asset: Explanation): string {
  const facts = {
    Asset: asset.assetId,
    Status: asset.errorType ? `${asset.status}: ${asset.errorType}` : asset.status,
    File: `${asset.category}, ${asset.sizeBytes} bytes`,
    Submission: `${asset.submissionId} (${asset.mode})`,
    Workspace: asset.workspaceId,
    Workflow: asset.workflowId,
    Created: formatTime(asset.createdAt),
    ...(asset.completedAt && { Finished: formatTime(asset.completedAt) }),
    ...(asset.restartCount > 0 && { Restarts: `${asset.restartCount}; Temporal lost the run` }),
  };
  return [
    ...Object.entries(facts).map(([name, value]) => `${name.padEnd(12)}${value}`),
    ...asset.attempts.flatMap(formatAttempt),
    '',
    `Next step: ${asset.nextStep}`,
  ].join('\n');
}

function formatAttempt({ attempt, tries }: Explanation['attempts'][number]): string[] {
  const lines = tries.flatMap((one, i) => [
    `  try ${i + 1}: ${formatTime(one.startedAt)} to ${formatTime(one.endedAt)}, worker ${one.workerId}`,
    `    ended by: ${one.endedBy ?? 'not recorded'}${one.errorType ? ` (${one.errorType})` : ''}`,
    `    reason: ${one.reason ?? explainMissingReason(one.endedBy)}`,
    ...(one.variable ? [`    limited by: ${one.variable}`] : []),
  ]);
  return ['', `Attempt ${attempt}`, ...(lines.length > 0 ? lines : ['  no try is recorded'])];
}

function explainMissingReason(endedBy: string | null): string {
  if (endedBy === 'worker') return 'the worker died, or sent no heartbeat in time';
  return endedBy === null ? 'it is in progress, or ended with its worker or its run' : 'not recorded';
}

function formatTime(time: Date | null): string {
  return time?.toISOString() ?? 'unknown';
}
