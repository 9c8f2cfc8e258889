import { severities } from '@assay/contract/schemas/severity.ts';
import { notVerifiedRuleCodes, sidekicks } from '#sidekick/catalogue.ts';
import type { Profile } from '#sidekick/profile.ts';
import type { ProfileError } from '#sidekick/sidekick.ts';

const shortNames = new Set(sidekicks.map(({ shortName }) => shortName));
const ruleCodes = new Set(sidekicks.flatMap(({ rules }) => Object.keys(rules)));

/** The errors in a profile, inherited limits included, that no schema can find. */
export function validateProfile({
  limits,
  rules,
  allowIncomplete,
}: Pick<Profile, 'limits' | 'rules' | 'allowIncomplete'>): ProfileError[] {
  const errors = sidekicks.flatMap((sidekick) => sidekick.validateLimits?.(limits) ?? []);
  const addErrorIf = (isWrong: boolean, pointer: string, detail: string) => {
    if (isWrong) errors.push({ pointer, detail });
  };
  for (const [i, shortName] of allowIncomplete.entries()) {
    const detail = 'must be the `shortName` of a check; `GET /sidekicks` lists them.';
    addErrorIf(!shortNames.has(shortName), `/allowIncomplete/${i}`, detail);
  }
  for (const [i, { ruleCode, severity, grades }] of rules.entries()) {
    const at = `/rules/${i}`;
    const isOff = severity === 'OFF' && notVerifiedRuleCodes.has(ruleCode);
    addErrorIf(isOff, `${at}/severity`, 'must not be OFF for what was not examined. Use allowIncomplete instead.');
    const isRepeated = rules.findIndex((setting) => setting.ruleCode === ruleCode) < i;
    addErrorIf(!ruleCodes.has(ruleCode), `${at}/ruleCode`, 'must be the code of a rule; `GET /sidekicks` lists them.');
    addErrorIf(isRepeated, `${at}/ruleCode`, 'must not repeat a rule.');
    addErrorIf(!severity === !grades, at, 'must have either severity or grades.');
    addErrorIf(!!grades && grades[0]?.beyond !== 0, `${at}/grades/0/beyond`, 'must be 0.');
    for (const [n, grade] of (grades ?? []).entries()) {
      const previous = grades?.[n - 1];
      if (!previous) continue;
      addErrorIf(
        grade.beyond <= previous.beyond,
        `${at}/grades/${n}/beyond`,
        'must be more than that of the grade before.',
      );
      const isMilder = severities.indexOf(grade.severity) >= severities.indexOf(previous.severity);
      addErrorIf(isMilder, `${at}/grades/${n}/severity`, 'must be more severe than that of the grade before.');
    }
  }
  return errors;
}
