import { setTimeout as sleep } from 'node:timers/promises';
import { AssetFailure, assetFailures } from '@assay/contract/asset-failures.ts';
import { withAnonymousFile } from '@assay/jail/anonymous-file.ts';
import type { Jail } from '@assay/jail/source/source.ts';
import { recognise } from '@assay/sidekicks/evidence/file/format/recognise.ts';
import { builtInProfile, originOfBuiltIn } from '@assay/sidekicks/profiles/built-in-profiles.ts';
import { type Examiners, openExaminers } from '@assay/sidekicks/run/examiner/examiners.ts';
import { createToolMemory } from '@assay/sidekicks/run/examiner/tool-memory.ts';
import type { Examination } from '@assay/sidekicks/run/run.ts';
import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import type { Declared } from '@assay/sidekicks/sidekick/sidekick.ts';
import { belongsToExaminer, descendantsOf, processesWithOpenFileIn } from '@assay/testing/faults/process-table.ts';
import { declarationFor } from '@assay/testing/media/declared-as.ts';
import type { OpenFixture } from './fixture.ts';
import type { Recipe, Verdict } from './formats/recipe.ts';

export type ExaminedFile = {
  recipe: Recipe;
  sizeBytes: number;
  verdict: Verdict | 'error';
  seconds: number;
  /** The harm that the file did; empty if there was none. */
  faults: string[];
};

/** Shorter than the shortest time limit for decoding, but longer than any of these files takes on an idle host. */
export const timeLimitSeconds = 90;
const endedWithinMs = 3000;
/** As in a worker with 2 GiB. */
const toolMemoryBytes = 2 ** 30;

/** Examiners with the same limits as in a worker. */
export const openPoisonExaminers = (spareCount: number): Examiners =>
  openExaminers(
    { heapMegabytes: 512, secondsMin: 600, secondsPerSecond: 20, secondsMax: 43_200, jail: 'bubblewrap' },
    spareCount,
    createToolMemory(toolMemoryBytes),
  );

/** An examiner process is reused only for files of the same `owner`. */
type Options = { jail?: Jail; owner?: string; onMade?: () => Promise<unknown> };

/**
 * Runs every sidekick on the file as a worker would, even if the upload would have been refused, and returns the harm
 * it did.
 */
export async function examine(
  examiners: Examiners,
  recipe: Recipe,
  fixture: OpenFixture,
  { jail = 'bubblewrap', owner = 'poison', onMade = async () => {} }: Options = {},
): Promise<ExaminedFile> {
  const bytes = Buffer.from(recipe.make(fixture));
  await onMade();
  const declared = declarationFor(recipe.filename);
  const startedAt = performance.now();
  const read = async (target: Uint8Array, offset: number) => bytes.copy(target, 0, Math.min(offset, bytes.length));
  const access = { sizeBytes: bytes.length, read };
  const signal = AbortSignal.timeout(timeLimitSeconds * 1000);
  let recognition = '';
  const outcome = await withAnonymousFile(bytes, async (fd) => {
    recognition = await recognise(access);
    const file = { fd, sizeBytes: bytes.length, filename: recipe.filename };
    const applied = { profile: builtInProfile('ebu-r128'), origin: originOfBuiltIn('ebu-r128') };
    const request = { ...file, ...applied, sidekickIds: sidekicks.map(({ id }) => id), jail };
    return examiners.examine(owner, request, { signal, report() {} });
  }).catch((failure: unknown) => failure as Error);
  const seconds = (performance.now() - startedAt) / 1000;

  const end = outcome instanceof AssetFailure ? outcome.errorType : outcome instanceof Error ? 'error' : 'complete';
  const verdict = declared.media.recognisedAs.includes(recognition) ? end : 'refused 415';
  const isPermanent = outcome instanceof AssetFailure && !assetFailures[outcome.errorType].isRetryable;
  const faults = [
    ...(end === 'complete' || isPermanent ? [] : [`ended as ${end}: ${textOf(outcome)}`.slice(0, 300)]),
    ...(isExpected(recipe, verdict) ? [] : [`${verdict} instead of ${recipe.expected.join(' or ')}`]),
    ...(signal.aborted ? [`took longer than ${timeLimitSeconds} s`] : []),
    ...(verdict === 'complete' && isUnmeasured(outcome as Examination, declared)
      ? ['complete, but nothing was measured']
      : []),
    ...(textOf(outcome).includes(fixture.secret) ? ['read the canary'] : []),
  ];
  return { recipe, sizeBytes: bytes.length, verdict, seconds, faults };
}

export function isExpected({ expected }: Recipe, verdict: string): boolean {
  return expected.some((one) => one === verdict);
}

/**
 * Lists what an examination left behind: tools still running, files in the scratch folder, and connections to the
 * listener.
 */
export async function tracesOf(fixture: OpenFixture, expectedPids: (number | undefined)[] = []): Promise<string[]> {
  const family = () =>
    descendantsOf(process.pid).filter(({ pid }) => !expectedPids.includes(pid) && !belongsToExaminer(pid));
  const find = () => [...family(), ...processesWithOpenFileIn(fixture.scratch)];
  let left = find();
  for (const deadline = Date.now() + endedWithinMs; left.length > 0 && Date.now() < deadline; left = find())
    await sleep(10);
  return [
    ...left.map(({ name, pid }) => `left ${name} (${pid}) running`),
    ...fixture.leftovers().map((file) => `left the file ${file}`),
    ...(fixture.callCount() > 0 ? [`connected to the listener ${fixture.callCount()} times`] : []),
  ];
}

const unmeasuredCodes: readonly string[] = ['QC-TRUNCATED', 'LOUD-NOT-MEASURED'];

/** Whether nothing was measured in a video or audio file although no finding reports it. */
function isUnmeasured({ measured, findings }: Examination, { media }: Declared): boolean {
  if (media.category !== 'video' && media.category !== 'audio') return false;
  const isMeasured = measured.series.some(({ values }) => values.length > 0);
  return !isMeasured && !findings.some(({ ruleCode }) => unmeasuredCodes.includes(ruleCode));
}

/** Formats everything reported about a file, including why it failed, as text without the images. */
function textOf(outcome: unknown): string {
  if (outcome instanceof AggregateError) return `${outcome.message}: ${outcome.errors.map(textOf).join(' | ')}`;
  if (outcome instanceof Error) return `${outcome.message}${outcome.cause ? ` ← ${textOf(outcome.cause)}` : ''}`;
  return JSON.stringify(outcome, (_, value) => (value instanceof Uint8Array ? undefined : value));
}
