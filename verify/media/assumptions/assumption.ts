import { readFile } from 'node:fs/promises';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import type { CheckOutcome } from '@assay/contract/schemas/coverage.ts';
import type { BuiltInProfile } from '@assay/contract/schemas/profiles/built-in.ts';
import type { DeliverySpecLimits } from '@assay/contract/schemas/profiles/delivery-spec.ts';
import { runSidekicks } from '@assay/sidekicks/run/run.ts';
import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { extendProfile } from '@assay/sidekicks/sidekick/profile.ts';
import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { withBytes } from '@assay/testing/media/examine.ts';
import { makeWithFfmpeg } from '@assay/testing/media/made-by-ffmpeg.ts';

/** What an issue of this rule must say. */
type ExpectedIssue = {
  measured?: number;
  /** How much the measurement may differ; by default 0.15. */
  within?: number;
  /** The start of its first location. */
  atSeconds?: number;
  says?: RegExp;
};

/** Something that a check could take for granted, a file for which it does not hold, and what is true of that file. */
export type Assumption = {
  /** Completes the sentence that starts with the name of the check: `needs no …`, `measures …`, `reports …`. */
  promise: string;
  /** The short name of the check. */
  check: string;
  filename: string;
  make: () => Promise<Uint8Array> | Uint8Array;
  profile?: BuiltInProfile;
  spec?: Partial<DeliverySpecLimits>;
  /** If the asset has to fail, why. */
  fails?: AssetFailure['errorType'];
  outcome?: CheckOutcome;
  /** Every rule with an issue, except for rules of what was not examined. */
  issues?: Record<string, ExpectedIssue>;
  /** What was not examined. */
  notExamined?: RegExp;
};

/** Every check of a media file assumes that its format is known. */
export const unknownFormat = (check: Assumption['check'], filename: string): Assumption => ({
  promise: 'names the whole file if its format is not known',
  check,
  filename,
  make: () => Buffer.from('a format that nobody knows \0\x01\x02', 'latin1'),
  outcome: 'incomplete',
  notExamined: /the whole file/,
});

/** The content of a file that ffmpeg makes with these arguments, separated by spaces. */
export async function made(nameEnd: string, args: string, inputs: Record<string, Uint8Array | string> = {}) {
  const list = args.split(' ').filter((arg) => arg !== '');
  return readFile(await makeWithFfmpeg(nameEnd, list, inputs));
}

/** Examines the file of the row with its check, and describes the result in the form of an expectation. */
export async function examine({ check, filename, make, profile = 'general', spec }: Assumption) {
  const sidekick = sidekicks.find(({ shortName }) => shortName === check);
  if (!sidekick) throw new Error(`no check ${check}`);
  const declared = declarationFor(filename, profile);
  const limits = spec ? { limits: { deliverySpec: spec } } : {};
  const file = await make();
  try {
    const examination = await withBytes(file, (source) =>
      runSidekicks([sidekick], source, { ...declared, profile: extendProfile(declared.profile, limits) }),
    );
    const [result] = examination.checks;
    return {
      failure: null,
      outcome: result?.outcome,
      notExamined: (result?.coverage.notExamined ?? []).map(({ label }) => label).join('; '),
      examined: result?.coverage.examined ?? [],
      issues: examination.findings.filter(({ ruleCode }) => ruleCode !== sidekick.notVerified),
    };
  } catch (failure) {
    if (!(failure instanceof AssetFailure)) throw failure;
    return { failure: failure.errorType, outcome: undefined, notExamined: '', examined: [], issues: [] };
  }
}
