import { builtInProfiles, defaultProfile } from '@assay/contract/schemas/profiles/built-in.ts';
import type { Limits } from '@assay/contract/schemas/profiles/limits.ts';
import {
  builtInProfile,
  type DataFile,
  findDataFile,
  type ProfileSource,
} from '@assay/sidekicks/profiles/built-in-profiles.ts';
import { asStandard, citedDocuments } from '@assay/sidekicks/sidekick/cited-documents.ts';
import type { Profile } from '@assay/sidekicks/sidekick/profile.ts';
import { code, escapeProse, frontMatter, type Page, paragraphs, table } from './markdown.ts';
import { formatNumber, formatRange, type LimitRow, limitRows } from './profile-limit-rows.ts';
import { sidekickFolders } from './sidekick-pages.ts';

/** The data file of a profile, followed by those of the profiles that it extends. */
type Chain = { name: string; file: DataFile }[];
type Entry = { name: string; profile: Profile; chain: Chain };

const entries: Entry[] = builtInProfiles.map((name) => ({
  name,
  profile: builtInProfile(name),
  chain: pathIdsOf(name, findDataFile(name)?.revision),
}));

/** Titles and paths of the profile pages, for the site map. */
export const profileEntries = entries.map(({ name, profile }) => ({ title: profile.title, path: `/profiles/${name}` }));

const titles: Record<keyof Limits, string> = {
  loudness: 'Loudness',
  photosensitivity: 'Flashes',
  qcPictureSound: 'Video and audio quality',
  captions: 'Captions',
  deliverySpec: 'File format',
};
const groups = Object.entries(titles) as [keyof Limits, string][];

export function makeProfilePages(): Page[] {
  return [overview(), ...entries.map(profilePage)];
}

function overview(): Page {
  const rows = entries.map(({ name, profile }) => [
    `${linkTo(name)}<br>${code(name)}`,
    escapeProse(profile.description),
    loudnessCell(profile),
    profile.limits.photosensitivity.areas.includes('screen') ? 'the screen' : 'a window',
  ]);
  const text = paragraphs(
    frontMatter({
      title: 'Delivery profiles',
      description: 'The built-in delivery profiles: their limits, and where each number was read.',
    }),
    '# Delivery profiles',
    `A delivery profile has the limits that checks compare a file with, and says how severe an issue is. Choose the one for the place that the file goes to. Without a choice, the profile of the workspace applies; a new workspace has ${linkTo(defaultProfile)}.`,
    table(['Profile', 'For', 'Loudness and true peak', 'Flashes over'], rows),
    '## How to read the pages',
    [
      '- **Each limit has a source**: where the number was read. Many standards are not freely available. Where only an article about one could be read, or where a number is our own choice, the page says so.',
      '- **A profile can extend another one.** It then has all limits and severities of that profile except those that it changes. The page shows both.',
      '- **Flashes** are measured over the screen for broadcasters. Elsewhere they are measured over any window of a part of the screen, which is stricter.',
      '- **A published limit never changes.** A change gets a new revision, and every result names the revision that it was made with.',
      '- **A profile does not replace the specification** of the broadcaster or platform, which may ask for more.',
    ].join('\n'),
    '## What issues cite',
    'An issue cites a clause only if the limit of that clause was applied unchanged. A limit that is our own choice, or that your own profile changes, is cited as the profile and its revision. `standard.isVerified` says whether we read the source in the original. The command line and the report mark the others as not read in the original: check such a clause before you rely on it.',
    table(
      ['Document', 'Read in the original', 'What we read'],
      Object.entries(citedDocuments).map(([name, { isVerified, read }]) => [
        escapeProse(name),
        isVerified ? 'yes' : 'no',
        escapeProse(read),
      ]),
    ),
  );
  return { path: 'profiles/index.md', text };
}

function profilePage({ name, profile, chain }: Entry): Page {
  const [own, base] = chain;
  const facts = [
    ['Name', code(name)],
    ['Revision', String(own?.file.revision)],
    ['Extends', base ? `${linkTo(base.name)}, revision ${base.file.revision}` : 'no other profile'],
    ['An asset is blocked by', `an open issue of severity ${profile.failOn} or higher`],
    ['May be incomplete', profile.allowIncomplete.join(', ') || 'no check'],
    ['Dismissing an issue', profile.requireDismissalNote ? 'takes a note' : 'does not take a note'],
  ];
  const text = paragraphs(
    frontMatter({ title: profile.title, description: profile.description }),
    `# ${profile.title}`,
    escapeProse(profile.description),
    table(['Fact', 'Value'], facts),
    '## Limits',
    ...groups.flatMap(([group, title]) => limitSection(title, limitRows(group, profile), chain)),
    ...chain.slice(1).flatMap((owner) => inheritedSection(profile, owner, chain)),
    '## Severities',
    profile.rules.length === 0
      ? 'Every rule has its usual severity, which the page of its [check](/sidekicks/) lists.'
      : 'These rules are judged otherwise than usual. All others have the severity that the page of their [check](/sidekicks/) lists.',
    profile.rules.length > 0 && ruleTable(profile, chain),
  );
  return { path: `profiles/${name}.md`, text };
}

/** The limits that the profile’s own data file contains, with their sources. */
function limitSection(title: string, rows: LimitRow[], chain: Chain): string[] {
  const own = rows.filter(({ pointer }) => ownerOf(pointer, chain) === chain[0]);
  if (own.length === 0) return [];
  const cells = own.map(({ pointer, label, value }) => [escapeProse(label), value, sourcesOf(pointer, chain[0])]);
  return [`### ${title}`, table(['Limit', 'Value', 'Source'], cells)];
}

/** The limits that a profile inherits from one of those that it extends. */
function inheritedSection(profile: Profile, owner: Chain[number], chain: Chain): string[] {
  const rows = groups.flatMap(([group, title]) =>
    limitRows(group, profile)
      .filter(({ pointer }) => ownerOf(pointer, chain) === owner)
      .map(({ label, value }) => [title, escapeProse(label), value]),
  );
  if (rows.length === 0) return [];
  return [
    `### Inherited from ${builtInProfile(owner.name).title}`,
    `The sources of these limits are on the page of ${linkTo(owner.name)}.`,
    table(['Group', 'Limit', 'Value'], rows),
  ];
}

function loudnessCell({ limits: { loudness }, rules }: Profile): string {
  const isInformation = rules.some(
    ({ ruleCode, severity }) => ruleCode === 'LOUD-INTEGRATED-HIGH' && severity === 'INFO',
  );
  // A no-break space keeps a number and its unit on one line.
  const hasPeak = !rules.some(({ ruleCode, severity }) => ruleCode === 'LOUD-TRUE-PEAK' && severity === 'OFF');
  const { target, rangeWithoutTarget: range, scale } = loudness;
  const value = target === null ? range && `outside ${formatRange(range)}` : formatNumber(target);
  const level = value ? `${value} ${scale}`.replaceAll(' ', '\u00a0') : 'not judged';
  const limits = `${level}${hasPeak ? `<br>${formatNumber(loudness.truePeakMaxDb)}\u00a0dBTP` : ''}`;
  return isInformation ? `${limits}<br>(information)` : limits;
}

function ruleTable({ rules }: Profile, chain: Chain): string {
  const rows = rules.map(({ ruleCode, severity, grades }) => {
    const indexIn = ({ file }: Chain[number]) => file.rules?.findIndex((rule) => rule.ruleCode === ruleCode) ?? -1;
    const owner = chain.find((link) => indexIn(link) >= 0);
    const judged = grades
      ? grades.map(({ beyond, severity }) =>
          beyond ? `${severity} from ${formatNumber(beyond)} beyond the limit` : severity,
        )
      : [severity === 'OFF' ? 'not reported' : severity];
    const why = owner && sourcesOf(`/rules/${indexIn(owner)}`, owner);
    const from = owner && owner !== chain[0] && `From ${linkTo(owner.name)}.`;
    return [ruleLink(ruleCode), judged.join(', '), [why, from].filter(Boolean).join(' ')];
  });
  return table(['Rule', 'Severity in this profile', 'Why'], rows);
}

function ruleLink(ruleCode: string): string {
  const check = sidekickFolders.find(({ sidekick }) => Object.hasOwn(sidekick.rules, ruleCode));
  return check ? `[${ruleCode}](/sidekicks/${check.folder})` : code(ruleCode);
}

/** The first file of the chain that has a value at the pointer. */
function ownerOf(pointer: string, chain: Chain): Chain[number] | undefined {
  return chain.find(({ file }) => (valueAt(file, pointer) ?? null) !== null);
}

/** The sources that a file names for the value at a pointer, or for a part of that value. */
function sourcesOf(pointer: string, owner: Chain[number] | undefined): string {
  const isAbout = (source: ProfileSource) =>
    `${pointer}/`.startsWith(`${source.pointer}/`) || source.pointer.startsWith(`${pointer}/`);
  return (owner?.file.sources ?? [])
    .filter(isAbout)
    .map(({ source, url, note, standard }) =>
      [`${url ? `[${source}](${url})` : source}.`, note && escapeProse(note), standard && citationOf(standard)]
        .filter(Boolean)
        .join(' '),
    )
    .join('<br>');
}

/** What issues of an unchanged limit cite. */
function citationOf(clause: NonNullable<ProfileSource['standard']>): string {
  const { name, isVerified } = asStandard(clause);
  return `Issues cite ${escapeProse(name)}, ${escapeProse(clause.clause)}${isVerified ? '' : ' (not read in the original)'}.`;
}

function pathIdsOf(name: string, revision?: number): Chain {
  const file = findDataFile(name, revision);
  if (!file) throw new Error(`unknown profile: ${name}`);
  return [{ name, file }, ...(file.extends ? pathIdsOf(file.extends.profile, file.extends.revision) : [])];
}

function valueAt(file: DataFile, pointer: string): unknown {
  const names = pointer.split('/').slice(1);
  return names.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], file);
}

function linkTo(name: string): string {
  return `[${builtInProfile(name).title}](/profiles/${name})`;
}
