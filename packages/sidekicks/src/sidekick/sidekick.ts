import type { Category } from '@assay/contract/limits.ts';
import type { MediaType } from '@assay/contract/media-types.ts';
import type { Examined, MeasuredValue, NotApplicableReason, NotExamined } from '@assay/contract/schemas/coverage.ts';
import type { Location, Precedent, Standard } from '@assay/contract/schemas/issue.ts';
import type { Grade } from '@assay/contract/schemas/profiles/document.ts';
import type { Limits } from '@assay/contract/schemas/profiles/limits.ts';
import type { Severity } from '@assay/contract/schemas/severity.ts';
import type { Evidence, EvidenceName } from '#evidence/evidence.ts';
import type { FlashStill } from './flash-still.ts';
import type { Profile, ProfileOrigin } from './profile.ts';

/** A limit of a delivery profile, by group and name: `loudness/target`. */
export type LimitPath = { [Group in keyof Limits]: `${Group}/${keyof Limits[Group] & string}` }[keyof Limits];

/** A requirement that a sidekick tests. Every finding names its rule. */
export type Rule = {
  /** Why it matters, in one line, shown to users. */
  headline: string;
  severity: Severity;
  /** Severity by distance of the measurement from the limit, nearest first; `severity` is that of most findings. */
  grades?: readonly Grade[];
  /** The limits of the delivery profile that the rule applies, the main one first. Issues cite where they come from. */
  limits?: readonly LimitPath[];
  /** The standard behind the rule. Issues cite it if the rule applies no limit of the profile. */
  standard: Standard | null;
  precedents: readonly Precedent[];
};

/** A cause that issues of different rules can share. Belonging to the same check is not a shared cause. */
export type Cause = {
  /** Names the cause in the title of the topic. */
  title: string;
  /**
   * Issues of at least two of these rules have this cause if their locations match `where`. The rules may belong to
   * different checks; the cause is then in the folder of one of them.
   */
  ruleCodes: readonly string[];
  /** `near`: as close as issues of one rule. `together`: they overlap for at least half of the longer one. */
  where: 'anywhere' | 'near' | 'together';
};

export type Finding<RuleCode extends string = string> = {
  ruleCode: RuleCode;
  /**
   * Identifies what the finding is about. Used to match issues across versions of an asset, so it must never change,
   * even where its wording is outdated. Not shown to users.
   */
  subject: string;
  /** What happened, where, and what to do, in at most two sentences. */
  summary: string;
  /** The measurement and the limit that was applied. */
  severityReasoning: string;
  /** 0 to 1. */
  confidence: number;
  /** If false, the issue needs review: it awaits human input. */
  isCertain: boolean;
  /** With more decimals than the texts show; see `toMeasurement`. */
  measured?: number;
  /** The limit that was applied, tolerance included. */
  limit?: number;
  unit?: string;
  locations: Location[];
  /** Caps the severity if the finding is less than a fault, such as black at the very end. */
  severityMax?: Severity;
  /** Up to 3 times in the video at which stills are taken. */
  stillsAtMs?: number[];
  /** Up to 3 flashes of which stills are made. */
  flashStills?: FlashStill[];
  /** What the check did not examine: only with the rule `notVerified` of the check, and always with it. */
  notExamined?: NotExamined;
};

/** A finding together with its rule and sidekick, so that it is complete on its own. */
export type FindingWithRule = Omit<Finding, 'severityMax' | 'notExamined'> &
  Omit<Rule, 'grades' | 'limits'> & { sidekickId: string };

/** An error in a profile, located by a JSON pointer. The detail is a predicate that follows the name of the field. */
export type ProfileError = { pointer: string; detail: string };

/** What is known about an asset before it is read, and the delivery profile against which it is checked. */
export type Declared = { media: MediaType; filename: string; profile: Profile; origin: ProfileOrigin };

export type Sidekick<Need extends EvidenceName = EvidenceName, RuleCode extends string = string> = {
  /** A UUID that is never reused. */
  id: string;
  /** The name of the check, shown to users. */
  name: string;
  /** The label of its issues in the title of a topic. */
  topicLabel: string;
  /** Accepted by the CLI and the SDK instead of the id. It is the name of the folder; never change or reuse it. */
  shortName: string;
  /** Increased whenever the same file may get different findings. */
  version: string;
  description: string;
  appliesTo: readonly Category[];
  /** Whether it runs when a submission names no sidekicks. */
  isDefault: boolean;
  /** Decisions carry over only to identical files: that a script is harmless says nothing about another script. */
  decisionsNeedSameContent?: true;
  needs: readonly Need[];
  /** The evidence in `needs` that matters under this profile; by default, all of it. The rest may be undefined. */
  needsFor?(profile: Profile): readonly Need[];
  rules: Readonly<Record<RuleCode, Rule>>;
  /**
   * The rule for what the check did not examine. A finding of it makes the check incomplete. Its severity is that of the
   * worst rule that it could have hidden, at most MAJOR.
   */
  notVerified: NoInfer<RuleCode>;
  causes?: readonly Cause[];
  /** Pure: the errors in this sidekick's limits, inherited ones included, that no schema can find. */
  validateLimits?(limits: Profile['limits']): ProfileError[];
  /** Pure: why a file of these categories has nothing to examine, or null. If left out, every file has something. */
  nothingToExamine?(evidence: Pick<Evidence, Need>, declared: Declared): NotApplicableReason | null;
  /** Pure: what the check examines in this file, whatever it finds. */
  examined(evidence: Pick<Evidence, Need>, declared: Declared): Examined[];
  /** Pure: values that results show whether or not they are an issue. */
  measured?(evidence: Pick<Evidence, Need>, declared: Declared): MeasuredValue[];
  /** Pure: the same evidence gives the same findings in the same order. */
  check(evidence: Pick<Evidence, Need>, declared: Declared): Finding<RuleCode>[];
};

/** Type-checks that findings use only declared rules and that the check reads only the evidence in `needs`. */
export function defineSidekick<const Need extends EvidenceName, const RuleCode extends string>(
  sidekick: Sidekick<Need, RuleCode>,
): Sidekick {
  return sidekick as unknown as Sidekick;
}
