import { setTimeout as sleep } from 'node:timers/promises';
import { AssetFailure, assetFailures } from '@assay/contract/asset-failures.ts';
import { sidekicks } from '@assay/sidekicks/catalogue.ts';
import type { Cage } from '@assay/sidekicks/evidence/cage.ts';
import { withNamelessFile } from '@assay/sidekicks/evidence/nameless-file.ts';
import { recognise } from '@assay/sidekicks/evidence/recognise.ts';
import { openExaminers } from '@assay/sidekicks/examiner/examiners.ts';
import type { Examination } from '@assay/sidekicks/run.ts';
import type { Declared } from '@assay/sidekicks/sidekick.ts';
import { familyOf, isExaminer, processesHolding } from '../chaos/process-table.ts';
import { declaredAs } from '../support/declared-as.ts';
import type { OpenPantry } from './pantry.ts';
import type { Recipe, Verdict } from './recipe.ts';

export type Served = {
  recipe: Recipe;
  sizeBytes: number;
  verdict: Verdict | 'error';
  seconds: number;
  /** What is wrong; nothing where it was harmless. */
  faults: string[];
};

/** Less than the least that a decoding may take, and more than any of these needs even on a busy machine. */
export const patienceSeconds = 90;
const endedWithinMs = 3000;

// As in a worker, but each file has a process of its own.
const examiners = openExaminers({ heapMegabytes: 512, secondsMin: 600, secondsPerSecond: 20, secondsMax: 43_200 }, 0);

/**
 * Lets every sidekick check the file as a worker would, also where the upload would have been refused, and says what
 * harm it did.
 */
export async function serve(
  recipe: Recipe,
  pantry: OpenPantry,
  { cage = 'bubblewrap', onMade = async () => {} }: { cage?: Cage; onMade?: () => Promise<unknown> } = {},
): Promise<Served> {
  const bytes = Buffer.from(recipe.make(pantry));
  await onMade();
  const declared = declaredAs(recipe.filename);
  const begin = performance.now();
  const read = async (target: Uint8Array, offset: number) => bytes.copy(target, 0, Math.min(offset, bytes.length));
  const access = { sizeBytes: bytes.length, read };
  const signal = AbortSignal.timeout(patienceSeconds * 1000);
  let recognition = '';
  const outcome = await withNamelessFile(bytes, async (fd) => {
    recognition = await recognise(access);
    const file = { path: `/proc/${process.pid}/fd/${fd}`, sizeBytes: bytes.length, filename: recipe.filename };
    const request = { ...file, sidekickIds: sidekicks.map(({ id }) => id), profile: 'ebu-r128', cage };
    return examiners.examine('poison', request, { signal, report() {} });
  }).catch((failure: unknown) => failure as Error);
  const seconds = (performance.now() - begin) / 1000;

  const end = outcome instanceof AssetFailure ? outcome.errorType : outcome instanceof Error ? 'error' : 'complete';
  const verdict = declared.media.recognisedAs.includes(recognition) ? end : 'refused 415';
  const isPermanent = outcome instanceof AssetFailure && !assetFailures[outcome.errorType].isRetryable;
  const faults = [
    ...(end === 'complete' || isPermanent ? [] : [`ended as ${end}: ${textOf(outcome)}`.slice(0, 300)]),
    ...(isRight(recipe, verdict) ? [] : [`${verdict} where ${recipe.expected.join(' or ')} is right`]),
    ...(signal.aborted ? [`took longer than ${patienceSeconds} s`] : []),
    ...(verdict === 'complete' && isUnseen(outcome as Examination, declared) ? ['complete, and nobody looked'] : []),
    ...(textOf(outcome).includes(pantry.secret) ? ['read the canary'] : []),
  ];
  return { recipe, sizeBytes: bytes.length, verdict, seconds, faults };
}

export function isRight({ expected }: Recipe, verdict: string): boolean {
  return expected.some((one) => one === verdict);
}

/** Who called the listener, which tools go on although nobody waits for them, and what lies in the scratch folder. */
export async function tracesOf(pantry: OpenPantry, expectedPids: (number | undefined)[] = []): Promise<string[]> {
  const family = () => familyOf(process.pid).filter(({ pid }) => !expectedPids.includes(pid) && !isExaminer(pid));
  const find = () => [...family(), ...processesHolding(pantry.scratch)];
  let left = find();
  for (const deadline = Date.now() + endedWithinMs; left.length > 0 && Date.now() < deadline; left = find())
    await sleep(10);
  return [
    ...left.map(({ name, pid }) => `left ${name} (${pid}) running`),
    ...pantry.leftovers().map((file) => `left ${file} behind`),
    ...(pantry.callCount() > 0 ? [`called the listener ${pantry.callCount()} times`] : []),
  ];
}

const saidSo: readonly string[] = ['QC-TRUNCATED', 'LOUD-NOT-MEASURED'];

/** Whether nothing of a film or sound was measured, and no finding says so. */
function isUnseen({ measured, findings }: Examination, { media }: Declared): boolean {
  if (media.category !== 'video' && media.category !== 'audio') return false;
  const isMeasured = measured.series.some(({ values }) => values.length > 0);
  return !isMeasured && !findings.some(({ ruleCode }) => saidSo.includes(ruleCode));
}

/** All that is said of a file, also why it failed; what is drawn is left out. */
function textOf(outcome: unknown): string {
  if (outcome instanceof AggregateError) return `${outcome.message}: ${outcome.errors.map(textOf).join(' | ')}`;
  if (outcome instanceof Error) return `${outcome.message}${outcome.cause ? ` ← ${textOf(outcome.cause)}` : ''}`;
  return JSON.stringify(outcome, (_, value) => (value instanceof Uint8Array ? undefined : value));
}
