import { AssetFailure, assetFailures } from '@assay/contract/asset-failures.ts';
import { findingsPerAssetMax } from '@assay/contract/limits.ts';
import type { CheckOutcome, Coverage, MeasuredValue, NotApplicableReason } from '@assay/contract/schemas/coverage.ts';
import { severities } from '@assay/contract/schemas/severity.ts';
import { countSeverities, type SeverityCounts } from '@assay/contract/verdict.ts';
import { asMachineFailure, MachineFailure } from '@assay/jail/machine-failure.ts';
import type { Source } from '@assay/jail/source/source.ts';
import type { Evidence } from '#evidence/evidence.ts';
import { gather } from '#evidence/gather.ts';
import { openPlayable } from '#evidence/media/decode/animated-webp.ts';
import type { Still } from '#evidence/media/stills/still.ts';
import { posterTimeOf, takePoster } from '#evidence/media/stills/take-poster.ts';
import { takeStills } from '#evidence/media/stills/take-stills.ts';
import { citeLimits, explainCitation } from '#profiles/cite-limits.ts';
import { describeMedia, type MediaFacts } from '#sidekick/describe-media.ts';
import { explainSeverity } from '#sidekick/explain-severity.ts';
import { type Measured, measureOverTime } from '#sidekick/measured.ts';
import { notVerifiedSeverity, severityOf } from '#sidekick/severity.ts';
import type { Declared, Finding, FindingWithRule, Sidekick } from '#sidekick/sidekick.ts';
import { trackProgress } from './progress.ts';

export type Check = {
  sidekickId: string;
  version: string;
  outcome: CheckOutcome;
  /** Why the outcome is `not_applicable`; otherwise null. */
  reason: NotApplicableReason | null;
  coverage: Coverage;
  measured: MeasuredValue[];
  /** Findings left out because of the limit per asset, the least severe first. */
  omittedCount: number;
  omittedSeverityCounts: SeverityCounts;
};

export type Examination = {
  checks: Check[];
  findings: (FindingWithRule & { stills: Still[] })[];
  measured: Measured;
  /** Null if nothing that was gathered describes the file. */
  media: MediaFacts | null;
  /** A still that shows what the file is; null without a picture. */
  poster: Still | null;
  /** How long each sidekick that ran took to gather its evidence, which others may share, and to check it. */
  durations: { sidekick: string; seconds: number }[];
};

/**
 * Gathers the evidence that the sidekicks need, each kind once, then runs each check. Findings are in the order of the
 * sidekicks and of their output. A sidekick that fails fails the asset, because an asset is complete only when every
 * check has run; the others still run, so that all failures are logged.
 */
export async function runSidekicks(
  chosen: readonly Sidekick[],
  source: Source,
  declared: Declared,
): Promise<Examination> {
  source.signal.throwIfAborted();
  const ofCategory = chosen.filter(({ appliesTo }) => appliesTo.includes(declared.media.category));
  const needsOf = (sidekick: Sidekick) => sidekick.needsFor?.(declared.profile) ?? sidekick.needs;
  using progress = trackProgress({ ...declared.media, ...source.bytes }, (share, isMeasured) =>
    source.report?.(share, isMeasured),
  );
  const names = new Set(ofCategory.flatMap(needsOf));
  using playable = names.has('flashes') ? await openPlayable(source) : { source, [Symbol.dispose]: () => {} };
  const { evidence, seconds, failures } = await gather(
    names,
    { ...source, report: progress.onGathered },
    playable.source,
  );
  source.signal.throwIfAborted();

  const findings: FindingWithRule[] = [];
  const durations: Examination['durations'] = [];
  const nothing = new Map<Sidekick, NotApplicableReason>();
  const coverages = new Map<Sidekick, Coverage>();
  const values = new Map<Sidekick, MeasuredValue[]>();
  for (const sidekick of ofCategory) {
    if (!needsOf(sidekick).every((name) => Object.hasOwn(evidence, name))) continue; // a gatherer of its evidence has failed
    const startedAt = performance.now();
    try {
      const reason = sidekick.nothingToExamine?.(evidence as Evidence, declared) ?? null;
      if (reason) {
        nothing.set(sidekick, reason);
        continue;
      }
      const found = sidekick.check(evidence as Evidence, declared);
      coverages.set(sidekick, coverageOf(sidekick, found, evidence as Evidence, declared));
      values.set(sidekick, sidekick.measured?.(evidence as Evidence, declared) ?? []);
      // Pushed one by one, because a file can have more findings than a call can have arguments.
      for (const finding of findingsOf(sidekick, found, declared)) findings.push(finding);
    } catch (failure) {
      failures.push(failure);
    }
    const gatheredSeconds = Math.max(0, ...needsOf(sidekick).map((name) => seconds.get(name) ?? 0));
    durations.push({ sidekick: sidekick.name, seconds: gatheredSeconds + (performance.now() - startedAt) / 1000 });
  }
  if (failures.length > 0) throw combineFailures(failures);

  const kept = keepMostSevere(findings);
  const keptFindings = new Set(kept);
  const checks = chosen.map((sidekick): Check => {
    const { id: sidekickId, version } = sidekick;
    const omitted = findings.filter((finding) => finding.sidekickId === sidekickId && !keptFindings.has(finding));
    const coverage = coverages.get(sidekick) ?? { examined: [], notExamined: [] };
    return {
      sidekickId,
      version,
      outcome: !coverages.has(sidekick) ? 'not_applicable' : coverage.notExamined.length > 0 ? 'incomplete' : 'ran',
      reason: coverages.has(sidekick) ? null : (nothing.get(sidekick) ?? 'nothing_in_file'),
      coverage,
      measured: values.get(sidekick) ?? [],
      omittedCount: omitted.length,
      omittedSeverityCounts: countSeverities(omitted),
    };
  });
  const stills = await takeStills(kept, { ...playable.source, report: progress.onStillsTaken }, evidence.probe ?? null);
  const measured = measureOverTime(evidence);
  const luminance = measured.series.find(({ name }) => name === 'luminance');
  const poster = await takePoster(source, {
    recognition: evidence.recognition ?? 'unknown',
    probe: evidence.probe ?? null,
    imageSize: evidence.imageHeader ?? null,
    timeMs: posterTimeOf(measured.durationMs, luminance),
  });
  source.signal.throwIfAborted();
  return {
    checks,
    findings: kept.map((finding) => ({ ...finding, stills: stills.get(finding) ?? [] })),
    measured,
    media: describeMedia(evidence),
    poster,
    durations,
  };
}

/** What was not examined follows from the findings, so that no check can leave one of the two out. */
function coverageOf(sidekick: Sidekick, found: Finding[], evidence: Evidence, declared: Declared): Coverage {
  const notExamined = found.flatMap(({ ruleCode, notExamined: part }) => {
    if ((ruleCode === sidekick.notVerified) !== (part !== undefined)) {
      throw new Error(`${sidekick.name}: ${ruleCode} and what was not examined belong together`);
    }
    return part ?? [];
  });
  return { examined: sidekick.examined(evidence, declared), notExamined };
}

function findingsOf(sidekick: Sidekick, found: Finding[], declared: Declared): FindingWithRule[] {
  return found.flatMap(({ severityMax, notExamined: _, ...finding }) => {
    const rule = sidekick.rules[finding.ruleCode];
    if (!rule) throw new Error(`${sidekick.name} has no rule ${finding.ruleCode}`);
    const severity =
      finding.ruleCode === sidekick.notVerified
        ? notVerifiedSeverity(sidekick, declared.profile)
        : severityOf({ ...finding, ...(severityMax && { severityMax }) }, rule, declared.profile);
    if (!severity) return [];
    const { headline, precedents } = rule;
    const cited = rule.limits ? citeLimits(rule.limits, declared) : null;
    const standard = cited ?? rule.standard;
    const reasons = [
      finding.severityReasoning,
      cited && explainCitation(cited),
      explainSeverity(finding, rule, declared.profile, severity),
    ];
    const severityReasoning = reasons.filter(Boolean).join('; ');
    return { ...finding, headline, precedents, severity, severityReasoning, standard, sidekickId: sidekick.id };
  });
}

/**
 * In order of precedence: a permanent asset failure, a machine failure, a retryable asset failure. All failures become
 * the cause of the combined one.
 */
function combineFailures(failures: unknown[]): unknown {
  if (failures.length === 1) return failures[0];
  const cause = new AggregateError(failures, `${failures.length} failures`);
  const ofAsset = failures.filter((failure) => failure instanceof AssetFailure);
  const combined = ({ errorType, reason, variable }: AssetFailure) =>
    new AssetFailure(errorType, reason, { cause, variable });
  const permanent = ofAsset.find(({ errorType }) => !assetFailures[errorType].isRetryable);
  if (permanent) return combined(permanent);
  const ofMachine = failures.map(asMachineFailure).find((failure) => failure !== null);
  if (ofMachine) return new MachineFailure(ofMachine.kind, ofMachine.message, { cause });
  return ofAsset[0] ? combined(ofAsset[0]) : cause;
}

function keepMostSevere(findings: FindingWithRule[]): FindingWithRule[] {
  if (findings.length <= findingsPerAssetMax) return findings;
  const rank = new Map(severities.map((severity, i) => [severity, i]));
  const worst = findings.toSorted((a, b) => (rank.get(a.severity) ?? 0) - (rank.get(b.severity) ?? 0));
  const kept = new Set(worst.slice(0, findingsPerAssetMax));
  return findings.filter((finding) => kept.has(finding));
}
