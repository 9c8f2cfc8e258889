import type { Sidekick } from '@assay/sidekicks/sidekick/sidekick.ts';

export function presentSidekick({ id, name, shortName, version, description, appliesTo, isDefault, rules }: Sidekick) {
  return {
    sidekickId: id,
    name,
    shortName,
    version,
    description,
    appliesTo: [...appliesTo],
    isDefault,
    rules: Object.entries(rules).map(([ruleCode, { headline, severity, grades, standard }]) => ({
      ruleCode,
      headline,
      severity,
      ...(grades && { grades: [...grades] }),
      standard,
    })),
  };
}
