import { certain } from '../../rule-table.ts';
import type { Finding } from '../../sidekick.ts';
import { count } from '../../words.ts';
import { type Fact, preferFirstReader } from './facts.ts';
import { remedyFor } from './remedy.ts';
import type { RuleCode } from './rules.ts';
import { listLabels, maskName, quote } from './words.ts';

/** Families in which an artist is who made the picture or text. Elsewhere it is who performs, and meant to be read. */
const ofMaker = new Set(['EXIF', 'IPTC', 'XMP', 'PDF', 'PNG', 'Office', 'MakerNotes', 'Photoshop', 'GIF']);
const makers = new Set(['artist', 'creator', 'byline', 'xpauthor', 'writereditor', 'captionwriter', 'photographer']);
const owners = new Set(['ownername', 'cameraownername', 'owner', 'fileowner']);
const shown = new Set(['personinimage', 'personinimagename', 'regionname', 'regionpersondisplayname']);
const editors = new Set(['lastmodifiedby', 'lastsavedby', 'lastauthor', 'manager']);
const contacts = new Set([
  'contact',
  'creatorworkemail',
  'creatorworktelephone',
  'creatoraddress',
  'creatorpostalcode',
  'applestoreaccount',
]);

/** What programs and cameras write when nobody has told them a name. */
const nobody =
  /^(?:unknown|none|n\/?a|default|user|admin|administrator|owner|owner ?name|author|artist|anonymous|(?:microsoft office|windows|office) user|python-docx|openpyxl|un-named|\(none\)|apache poi)$/i;

type Row = {
  ruleCode: RuleCode;
  subject: string;
  says: string;
  isMeant(fact: Fact): boolean;
  mask(value: string): string;
};

const rows: Row[] = [
  { ruleCode: 'META-PERSON-NAME', subject: 'author', says: 'names its author', isMeant: isAuthor, mask: maskName },
  {
    ruleCode: 'META-PERSON-NAME',
    subject: 'owner',
    says: 'names the owner of the device',
    isMeant: isOwner,
    mask: maskName,
  },
  {
    ruleCode: 'META-PERSON-NAME',
    subject: 'person shown',
    says: 'names who is to be seen',
    isMeant: ({ name }) => shown.has(name),
    mask: maskName,
  },
  {
    ruleCode: 'META-EDITOR',
    subject: 'editor',
    says: 'names who worked on it',
    isMeant: ({ name }) => editors.has(name),
    mask: maskName,
  },
  {
    ruleCode: 'META-CONTACT',
    subject: 'contact',
    says: 'tells how to reach a person',
    isMeant: ({ name }) => contacts.has(name),
    mask: () => '',
  },
  {
    ruleCode: 'META-COMPANY',
    subject: 'company',
    says: 'names a company',
    isMeant: ({ name }) => name === 'company',
    mask: quote, // a company is no person
  },
];

/** Whom does it name? */
export function judgePeople(all: readonly Fact[]): Finding<RuleCode>[] {
  const named = all.filter(({ value }) => /[\p{L}\p{N}]/u.test(value) && !nobody.test(value));
  return rows.flatMap(({ ruleCode, subject, says, isMeant, mask }) => {
    const meant = named.filter((fact) => isMeant(fact) && !isRegionOfNoFace(fact, all));
    const facts = preferFirstReader(meant);
    const [first] = facts;
    if (!first) return [];
    const value = mask(first.value);
    return [
      certain(ruleCode, {
        subject,
        summary: `The file ${says}${value && `: ${value}`} (${listLabels(facts.map(({ label }) => label))}). ${remedyFor(facts)}`,
        severityReasoning: `${count(facts.length, 'tag')} with ${count(new Set(facts.map((fact) => fact.value)).size, 'value')}.`,
        measured: facts.length,
        limit: 0,
        unit: 'tags',
      }),
    ];
  });
}

function isAuthor({ family, group, name }: Fact): boolean {
  if (name === 'author') return group !== 'custom';
  if (family === 'QuickTime') return name === 'userdataaut';
  // The creator of a PDF is a program.
  return ofMaker.has(family) && makers.has(name) && !(family === 'PDF' && name === 'creator');
}

// Whose the rights are is meant to be read.
function isOwner({ group, name }: Fact): boolean {
  return owners.has(name) && group !== 'XMP-xmpRights';
}

/** Regions are named for faces, but also for pets and codes; the n-th type goes with the n-th name. */
function isRegionOfNoFace(fact: Fact, all: readonly Fact[]): boolean {
  if (fact.name !== 'regionname') return false;
  const ofGroup = (name: string) => all.filter((one) => one.group === fact.group && one.name === name);
  const type = ofGroup('regiontype')[ofGroup('regionname').indexOf(fact)];
  return type !== undefined && !/face/i.test(type.value);
}
