import type { Sidekick } from '@assay/sidekicks/sidekick.ts';

export function presentSidekick({ id, name, shortName, version, description, appliesTo, isDefault, rules }: Sidekick) {
  return {
    sidekickId: id,
    name,
    shortName,
    version,
    description,
    appliesTo: [...appliesTo],
    isDefault,
    rules: Object.entries(rules).map(([ruleCode, { headline, severity, standard }]) => ({
      ruleCode,
      headline,
      severity,
      standard,
    })),
  };
}
