import { formatCount, formatRevision } from '@assay/report/format/format.ts';
import { formatStandard } from '@assay/report/format/standard.ts';
import type { Profile, ProfileComparison, ProfileSummary, RuleSetting } from '@assay/sdk';
import { severityStyles } from './issue-table.ts';
import { type Output, stripControls } from './output.ts';
import { formatTime } from './submission-table.ts';
import { type Cell, formatFacts, formatTable } from './table.ts';

export function formatProfiles(profiles: ProfileSummary[], output: Output): string {
  const rows = profiles.map((one): Cell[] => [
    one.name,
    String(one.revision),
    kindOf(one),
    one.extends ? formatRevision(one.extends) : '–',
    one.title,
  ]);
  return formatTable(['NAME', 'REVISION', 'KIND', 'EXTENDS', 'TITLE'], rows, output);
}

/** Formats all limits and rules of a profile, each with its origin: the profile itself, or inherited. */
export function formatProfile(profile: Profile, output: Output): string {
  const { resolved, extends: base, baseUpdate, sources } = profile;
  const facts = formatFacts(
    [
      ['profile', profile.profileId],
      ['revision', String(profile.revision)],
      ['kind', kindOf(profile)],
      ['extends', base && formatRevision(base)],
      ['newer base', baseUpdate && formatBaseUpdate(baseUpdate)],
      ['description', profile.description],
      ['fails on', { text: `${resolved.failOn} and above`, styles: severityStyles[resolved.failOn] }],
      ['dismissal', resolved.requireDismissalNote ? 'needs a note' : 'needs no note'],
      ['created', profile.createdAt && formatTime(profile.createdAt)],
      ['changed', profile.updatedAt && formatTime(profile.updatedAt)],
    ],
    output,
  );
  const own = new Set(flatten(profile.limits).map(([name]) => name));
  const limits = flatten(resolved.limits).map(([name, value]) => [name, value, originOf(own.has(name), profile)]);
  const rules = resolved.rules.map((rule) => [
    rule.ruleCode,
    formatRule(rule),
    originOf(
      profile.rules.some(({ ruleCode }) => ruleCode === rule.ruleCode),
      profile,
    ),
  ]);
  return [
    output.paint(`${stripControls(profile.name)}: ${stripControls(profile.title)}`, 'bold'),
    facts,
    '',
    formatTable(['LIMIT', 'VALUE', 'FROM'], limits, output),
    ...(rules.length > 0 ? ['', formatTable(['RULE', 'SEVERITY', 'FROM'], rules, output)] : []),
    ...(sources.length > 0 ? ['', formatSources(sources, output)] : []),
  ].join('\n');
}

/** The update is the choice of the caller: results of the profile would change. */
function formatBaseUpdate({ name, latestRevision }: NonNullable<Profile['baseUpdate']>): string {
  return `${formatRevision({ name, revision: latestRevision })} (this profile keeps its own until you send extends again)`;
}

export function formatComparison({ left, right, differences }: ProfileComparison, output: Output): string {
  const [one, other] = [formatRevision(left), formatRevision(right)];
  if (differences.length === 0) return `No differences between ${one} and ${other}.`;
  const rows = differences.map(({ pointer, left, right }) => [
    nameOfPointer(pointer),
    formatValue(left),
    formatValue(right),
  ]);
  const count = formatCount(differences.length, 'difference');
  return `${formatTable(['', one, other], rows, output)}\n\n${count}.`;
}

function kindOf({ isBuiltIn, isDefault }: Pick<ProfileSummary, 'isBuiltIn' | 'isDefault'>): string {
  return `${isBuiltIn ? 'built-in' : 'own'}${isDefault ? ', default' : ''}`;
}

function originOf(isOwn: boolean, { name, extends: base }: Profile): string {
  return isOwn || !base ? name : 'inherited';
}

/** The path of each limit, such as `loudness.target`, and its formatted value. */
function flatten(value: object, path: string[] = []): [string, string][] {
  return Object.entries(value).flatMap(([name, one]): [string, string][] => {
    const at = [...path, name];
    if (one === undefined) return [];
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return [[at.join('.'), formatValue(one)]];
    return flatten(one as object, at);
  });
}

/** `/limits/loudness/target` → `loudness.target`, `/rules/LOUD-TRUE-PEAK` → `LOUD-TRUE-PEAK` */
function nameOfPointer(pointer: string): string {
  return pointer.replace(/^\/(limits\/|rules\/)?/, '').replaceAll('/', '.');
}

/** Numbers are formatted as in JSON, so that they can be copied into a profile document. */
function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (isGrades(value)) return formatGrades(value);
  if (Array.isArray(value)) return value.map(formatValue).join(', ');
  if (typeof value === 'object')
    return flatten(value)
      .map((pair) => pair.join(' '))
      .join(', ');
  return String(value);
}

type Grades = NonNullable<RuleSetting['grades']>;

function isGrades(value: unknown): value is Grades {
  return Array.isArray(value) && value.length > 0 && value.every((one) => one?.severity && 'beyond' in one);
}

function formatRule({ severity, grades }: RuleSetting): string {
  return grades ? formatGrades(grades) : (severity ?? '–');
}

/** `MINOR, MAJOR from 2` */
function formatGrades(grades: Grades): string {
  return grades.map(({ beyond, severity }) => (beyond > 0 ? `${severity} from ${beyond}` : severity)).join(', ');
}

function formatSources(sources: Profile['sources'], output: Output): string {
  const rows = sources.map(({ pointer, source, url, note, standard }) => [
    nameOfPointer(pointer),
    [source, url && `<${url}>`, note, standard && `[${formatStandard(standard)}]`].filter(Boolean).join(' '),
  ]);
  return formatTable(['LIMIT', 'SOURCE'], rows, output);
}
