import { AssetFailure, assetFailures } from '@assay/contract/asset-failures.ts';
import { findingsPerAssetMax } from '@assay/contract/limits.ts';
import { severities } from '@assay/contract/severity.ts';
import type { Evidence } from './evidence/evidence.ts';
import { gather } from './evidence/gather.ts';
import { asMachineFailure, MachineFailure } from './evidence/machine-failure.ts';
import type { Source } from './evidence/source.ts';
import { type Still, takeStills } from './evidence/take-stills.ts';
import { type Measured, measureOverTime } from './measured.ts';
import type { Declared, FoundBy, Sidekick } from './sidekick.ts';

export type Check = {
  sidekickId: string;
  version: string;
  outcome: 'ran' | 'not_applicable';
  /** Findings that were left out, the least severe first, because an asset carries only so many. */
  omittedCount: number;
};

export type Examination = {
  checks: Check[];
  findings: (FoundBy & { stills: Still[] })[];
  measured: Measured;
  /** How long each sidekick that ran took: until all that it needs was gathered, which it may share with others, and its check. */
  durations: { sidekick: string; seconds: number }[];
};

/**
 * Gathers what the sidekicks ask for, each kind once, then lets each check. Findings come in the order of the
 * sidekicks and of their own output, whichever finished first. One that cannot answer fails the asset, as an
 * asset is complete only when everyone who was asked has answered; the others are still heard, for the log.
 */
export async function runSidekicks(
  chosen: readonly Sidekick[],
  source: Source,
  declared: Declared,
): Promise<Examination> {
  source.signal.throwIfAborted();
  const fitting = chosen.filter(({ appliesTo }) => appliesTo.includes(declared.media.category));
  const { evidence, seconds, failures } = await gather(new Set(fitting.flatMap(({ needs }) => needs)), source);
  source.signal.throwIfAborted();

  const findings: FoundBy[] = [];
  const durations: Examination['durations'] = [];
  for (const sidekick of fitting) {
    if (!sidekick.needs.every((name) => Object.hasOwn(evidence, name))) continue; // its gatherer has failed already
    const begin = performance.now();
    try {
      // One by one: a file can have more findings than a call may have arguments.
      for (const finding of findingsOf(sidekick, evidence as Evidence, declared)) findings.push(finding);
    } catch (failure) {
      failures.push(failure);
    }
    const gatheredSeconds = Math.max(0, ...sidekick.needs.map((name) => seconds.get(name) ?? 0));
    durations.push({ sidekick: sidekick.name, seconds: gatheredSeconds + (performance.now() - begin) / 1000 });
  }
  if (failures.length > 0) throw asOne(failures);

  const kept = keepMostSevere(findings);
  const checks = chosen.map((sidekick): Check => {
    const countOf = (list: FoundBy[]) => list.filter(({ sidekickId }) => sidekickId === sidekick.id).length;
    return {
      sidekickId: sidekick.id,
      version: sidekick.version,
      outcome: fitting.includes(sidekick) ? 'ran' : 'not_applicable',
      omittedCount: countOf(findings) - countOf(kept),
    };
  });
  const stills = await takeStills(kept, source);
  source.signal.throwIfAborted();
  return {
    checks,
    findings: kept.map((finding) => ({ ...finding, stills: stills.get(finding) ?? [] })),
    measured: measureOverTime(evidence),
    durations,
  };
}

function findingsOf(sidekick: Sidekick, evidence: Evidence, declared: Declared): FoundBy[] {
  return sidekick.check(evidence, declared).map((finding) => {
    const rule = sidekick.rules[finding.ruleCode];
    if (!rule) throw new Error(`${sidekick.name} has no rule ${finding.ruleCode}`);
    return { ...finding, ...rule, standard: finding.standard ?? rule.standard, sidekickId: sidekick.id };
  });
}

/**
 * What says something of the asset wins, first what no retry can cure; then what the machine did. The rest goes along
 * as its cause.
 */
function asOne(failures: unknown[]): unknown {
  if (failures.length === 1) return failures[0];
  const cause = new AggregateError(failures, `${failures.length} failures`);
  const ofAsset = failures.filter((failure) => failure instanceof AssetFailure);
  const permanent = ofAsset.find(({ errorType }) => !assetFailures[errorType].isRetryable);
  if (permanent) return new AssetFailure(permanent.errorType, { cause });
  const ofMachine = failures.map(asMachineFailure).find((failure) => failure !== null);
  if (ofMachine) return new MachineFailure(ofMachine.kind, ofMachine.message, { cause });
  return ofAsset[0] ? new AssetFailure(ofAsset[0].errorType, { cause }) : cause;
}

function keepMostSevere(findings: FoundBy[]): FoundBy[] {
  if (findings.length <= findingsPerAssetMax) return findings;
  const rank = new Map(severities.map((severity, i) => [severity, i]));
  const worst = findings.toSorted((a, b) => (rank.get(a.severity) ?? 0) - (rank.get(b.severity) ?? 0));
  const kept = new Set(worst.slice(0, findingsPerAssetMax));
  return findings.filter((finding) => kept.has(finding));
}
