import { certainFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import { quote } from '#sidekick/words.ts';
import { isCredit } from './credits.ts';
import { describeCount, type Fact, preferFirstReader } from './facts.ts';
import { listLabels, maskName } from './mask.ts';
import { remedyFor } from './remedy.ts';
import type { RuleCode } from './rules.ts';

/** Families in which the artist is the author of an image or text. Elsewhere, the artist is a public performer. */
const authorFamilies = new Set(['EXIF', 'IPTC', 'XMP', 'PDF', 'PNG', 'Office', 'MakerNotes', 'Photoshop', 'GIF']);
const authorTags = new Set([
  'artist',
  'creator',
  'byline',
  'xpauthor',
  'writereditor',
  'captionwriter',
  'photographer',
]);
const ownerTags = new Set(['ownername', 'cameraownername', 'owner', 'fileowner']);
const personShownTags = new Set(['personinimage', 'personinimagename', 'regionname', 'regionpersondisplayname']);
const editorTags = new Set(['lastmodifiedby', 'lastsavedby', 'lastauthor', 'manager']);
const contactTags = new Set([
  'contact',
  'creatorworkemail',
  'creatorworktelephone',
  'creatoraddress',
  'creatorpostalcode',
  'applestoreaccount',
]);

/** Defaults that programs and cameras write if no name was set. */
const placeholderName =
  /^(?:unknown|none|n\/?a|default|user|admin|administrator|owner|owner ?name|author|artist|anonymous|(?:microsoft office|windows|office) user|python-docx|openpyxl|un-named|\(none\)|apache poi)$/i;

type PersonRule = {
  ruleCode: RuleCode;
  subject: string;
  text: string;
  matches(fact: Fact): boolean;
  mask(value: string): string;
};

const personRules: PersonRule[] = [
  {
    ruleCode: 'META-PERSON-NAME',
    subject: 'author',
    text: 'Contains the name of the author',
    matches: isAuthor,
    mask: maskName,
  },
  {
    ruleCode: 'META-PERSON-NAME',
    subject: 'owner',
    text: 'Contains the name of the device owner',
    matches: isOwner,
    mask: maskName,
  },
  {
    ruleCode: 'META-PERSON-NAME',
    subject: 'person shown',
    text: 'Contains the name of a person shown in the file',
    matches: ({ name }) => personShownTags.has(name),
    mask: maskName,
  },
  {
    ruleCode: 'META-EDITOR',
    subject: 'editor',
    text: 'Contains the name of an editor',
    matches: ({ name }) => editorTags.has(name),
    mask: maskName,
  },
  {
    ruleCode: 'META-CONTACT',
    subject: 'contact',
    text: 'Contains contact details of a person',
    matches: ({ name }) => contactTags.has(name),
    mask: () => '',
  },
  {
    ruleCode: 'META-COMPANY',
    subject: 'company',
    text: 'Contains a company name',
    matches: ({ name }) => name === 'company',
    mask: quote, // a company is not a person
  },
];

/** Reports metadata that names people. */
export function judgePeople(all: readonly Fact[]): Finding<RuleCode>[] {
  const named = all.filter(({ value }) => /[\p{L}\p{N}]/u.test(value) && !placeholderName.test(value));
  return personRules.flatMap(({ ruleCode, subject, text, matches, mask }) => {
    const matching = named.filter((fact) => matches(fact) && !isNonFaceRegion(fact, all));
    const uncredited = matching.filter((fact) => !isCredit(fact, all));
    if (uncredited.length === 0 && matching.length > 0) return [creditFinding(subject, preferFirstReader(matching))];
    const facts = preferFirstReader(uncredited);
    const [first] = facts;
    if (!first) return [];
    const value = mask(first.value);
    return [
      certainFinding(ruleCode, {
        subject,
        summary: `${text}${value && `: ${value}`} (${listLabels(facts.map(({ label }) => label))}). ${remedyFor(facts, all)}`,
        severityReasoning: describeCount(facts),
        measured: facts.length,
        limit: 0,
        unit: 'tags',
      }),
    ];
  });
}

/** Credits name only authors, so the finding has the subject and the rule code of an author. */
function creditFinding(subject: string, facts: readonly Fact[]): Finding<RuleCode> {
  const labels = listLabels(facts.map(({ label }) => label));
  return certainFinding('META-PERSON-NAME', {
    subject,
    summary: `Credits the author: ${maskName(facts[0]?.value ?? '')} (${labels}). A credit is usually wanted; keep it unless the author asked not to be named.`,
    severityReasoning: `${describeCount(facts)}. INFO, because it is a credit`,
    measured: facts.length,
    limit: 0,
    unit: 'tags',
    severityMax: 'INFO',
  });
}

function isAuthor({ family, group, name }: Fact): boolean {
  if (name === 'author') return group !== 'custom';
  if (family === 'QuickTime') return name === 'userdataaut';
  // In PDF, the creator is a program.
  return authorFamilies.has(family) && authorTags.has(name) && !(family === 'PDF' && name === 'creator');
}

// The owner in XMP-xmpRights is the rights owner, who is meant to be public.
function isOwner({ group, name }: Fact): boolean {
  return ownerTags.has(name) && group !== 'XMP-xmpRights';
}

/** Whether a region is not a face but, for example, a pet or a barcode. The n-th type belongs to the n-th name. */
function isNonFaceRegion(fact: Fact, all: readonly Fact[]): boolean {
  if (fact.name !== 'regionname') return false;
  const ofGroup = (name: string) => all.filter((one) => one.group === fact.group && one.name === name);
  const type = ofGroup('regiontype')[ofGroup('regionname').indexOf(fact)];
  return type !== undefined && !/face/i.test(type.value);
}
