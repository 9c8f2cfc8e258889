import type { DeliverySpecLimits } from '@assay/contract/schemas/profiles/delivery-spec.ts';
import { expectations } from '@assay/sidekicks/checks/delivery-spec/expectations.ts';
import type { Recipe } from '@assay/sidekicks/checks/delivery-spec/samples/recipe.ts';
import { formatTable } from '@assay/testing/measure/table.ts';
import { formatHead } from '../measure/report.ts';
import { differenceOf } from './mediaconch-differences.ts';

type SpecMember = keyof DeliverySpecLimits;

export type SpecVerdict = {
  recipe: Recipe;
  /** Rule codes. */
  found: string[];
  /** Whether the file passes each member of the specification in MediaConch; null if MediaConch is not installed. */
  peer: ReadonlyMap<SpecMember, boolean> | null;
};

type Difference = { recipe: Recipe; member: SpecMember; isPassed: boolean };

export function formatDeliverySpec(
  verdicts: SpecVerdict[],
  { command, versions }: { command: string; versions: Record<string, string> },
): string {
  const isRight = ({ recipe, found }: SpecVerdict) => found.join() === (recipe.wrong ?? '');
  const wrong = verdicts.filter((verdict) => !isRight(verdict));
  const clean = verdicts.filter(({ recipe }) => recipe.wrong === null).length;
  const head = formatHead({
    title: 'Delivery specification: generated files',
    command,
    settings: `${verdicts.length} files: ${clean} as expected, ${verdicts.length - clean} wrong in one property`,
    versions,
  });
  return [
    head,
    `Files with exactly the expected issue, or with none: ${verdicts.length - wrong.length} of ${verdicts.length}.`,
    ...wrong.map(
      ({ recipe, found }) => `- ${recipe.name}: expected ${recipe.wrong ?? 'none'}, got ${found.join(', ') || 'none'}`,
    ),
    formatRules(verdicts),
    ...(verdicts.some(({ peer }) => peer) ? formatPeer(verdicts) : ['MediaConch was not installed.']),
  ].join('\n\n');
}

function formatRules(verdicts: SpecVerdict[]): string {
  return formatTable(
    expectations.map(({ ruleCode, member }) => {
      const checked = verdicts.filter(({ recipe }) => recipe.spec[member]);
      const faulty = checked.filter(({ recipe }) => recipe.wrong === ruleCode);
      const found = (list: SpecVerdict[]) => list.filter((verdict) => verdict.found.includes(ruleCode)).length;
      return {
        rule: ruleCode,
        'files with the expectation': `${checked.length}`,
        wrong: `${faulty.length}`,
        found: `${found(faulty)}`,
        'false alarms': `${found(checked) - found(faulty)}`,
      };
    }),
  );
}

/** Each file has several expectations: every pair of file and property is one judgement. */
function formatPeer(verdicts: SpecVerdict[]): string[] {
  const differences: Difference[] = [];
  const rows = expectations.flatMap(({ ruleCode, member }) => {
    const judged = verdicts.filter(({ peer }) => peer?.has(member));
    if (judged.length === 0) return [];
    const others = judged.filter(({ peer, recipe }) => peer?.get(member) !== (recipe.wrong !== ruleCode));
    for (const { recipe, peer } of others) differences.push({ recipe, member, isPassed: peer?.get(member) ?? false });
    const ours = judged.filter(({ found, recipe }) => found.includes(ruleCode) === (recipe.wrong === ruleCode));
    return {
      property: member,
      judgements: `${judged.length}`,
      'wrong files': `${judged.filter(({ recipe }) => recipe.wrong === ruleCode).length}`,
      'Assay as labelled': `${ours.length}`,
      'MediaConch as labelled': `${judged.length - others.length}`,
    };
  });
  const sum = (name: 'judgements' | 'Assay as labelled' | 'MediaConch as labelled') =>
    rows.reduce((total, row) => total + Number(row[name]), 0);
  return [
    '## Beside MediaConch',
    `An equivalent policy, on the properties that both know: of ${sum('judgements')} judgements of a property of a file, Assay makes ${sum('Assay as labelled')} as labelled and MediaConch ${sum('MediaConch as labelled')}.`,
    formatTable(rows),
    '## Where MediaConch differs from the label',
    formatDifferences(differences),
  ];
}

function formatDifferences(differences: Difference[]): string {
  const byReason = Map.groupBy(differences, ({ recipe, member }) => `${member}: ${differenceOf(member, recipe)}`);
  return [...byReason]
    .map(([reason, list]) => {
      const names = list
        .slice(0, 3)
        .map(({ recipe, isPassed }) => `${recipe.name} (${isPassed ? 'passed' : 'failed'})`);
      return `- ${reason} ${list.length} ${list.length === 1 ? 'file' : 'files'}, such as ${names.join(', ')}.`;
    })
    .join('\n');
}
