import type { Location, Precedent, Standard } from '@assay/contract/issue.ts';
import type { Category } from '@assay/contract/limits.ts';
import type { MediaType } from '@assay/contract/media-types.ts';
import type { Severity } from '@assay/contract/severity.ts';
import type { Evidence, EvidenceName } from './evidence/evidence.ts';
import type { Profile } from './profile.ts';

/** What a rule says of itself; every finding names one. */
export type Rule = {
  /** Why it matters, in one line for people. */
  headline: string;
  severity: Severity;
  standard: Standard | null;
  precedents: readonly Precedent[];
};

export type Finding<RuleCode extends string = string> = {
  ruleCode: RuleCode;
  /** What it is about, in words that stay the same from one version of an asset to the next: part of its fingerprint. */
  subject: string;
  /** What is wrong where. */
  summary: string;
  /** The measurement behind it. */
  severityReasoning: string;
  /** 0 to 1. */
  confidence: number;
  /** Without certainty a person has to look: the issue then awaits human input. */
  isCertain: boolean;
  measured?: number;
  limit?: number;
  unit?: string;
  /** In place of the rule's, where the limit is the house's and the house names its standard. */
  standard?: Standard;
  locations: Location[];
  /** Moments of the film, in milliseconds, that show what is meant: at most 3, of which stills are kept. */
  stillsAtMs?: number[];
};

/** A finding with all that its rule says, so that it can be read without the rule. */
export type FoundBy = Omit<Finding, 'standard'> & Rule & { sidekickId: string };

/** What an asset says of itself, before anyone has looked at its bytes, and the limits of the house that it is for. */
export type Declared = { media: MediaType; filename: string; profile: Profile };

export type Sidekick<Need extends EvidenceName = EvidenceName, RuleCode extends string = string> = {
  /** A uuid that is never reused. */
  id: string;
  name: string;
  /** What the command line and the client take in place of the id: the name of its folder, never changed or reused. */
  shortName: string;
  /** Raised whenever the same file may get other findings. */
  version: string;
  description: string;
  appliesTo: readonly Category[];
  /** Whether it runs when a submission names no sidekicks. */
  isDefault: boolean;
  /** A decision holds for the same bytes only: that one script is harmless says nothing about another. */
  decisionsNeedSameContent?: true;
  needs: readonly Need[];
  rules: Readonly<Record<RuleCode, Rule>>;
  /** Pure: the same evidence gives the same findings in the same order. */
  check(evidence: Pick<Evidence, Need>, declared: Declared): Finding<RuleCode>[];
};

/** Holds a sidekick to its own words: a finding of an undeclared rule or evidence it did not ask for does not compile. */
export function defineSidekick<const Need extends EvidenceName, const RuleCode extends string>(
  sidekick: Sidekick<Need, RuleCode>,
): Sidekick {
  return sidekick as unknown as Sidekick;
}
