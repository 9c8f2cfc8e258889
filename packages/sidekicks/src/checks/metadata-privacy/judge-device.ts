import { certain } from '../../rule-table.ts';
import type { Finding } from '../../sidekick.ts';
import { count, plain } from '../../words.ts';
import { type Fact, preferFirstReader } from './facts.ts';
import { remedyFor } from './remedy.ts';
import type { RuleCode } from './rules.ts';
import { listLabels, maskEnd } from './words.ts';

const documentIds = new Set([
  'documentid',
  'instanceid',
  'originaldocumentid',
  'derivedfromdocumentid',
  'derivedfrominstanceid',
  'derivedfromoriginaldocumentid',
]);
const imageIds = new Set([
  'imageuniqueid',
  'photoidentifier',
  'contentidentifier',
  'mediauniqueid',
  'mediagroupuuid',
  'burstuuid',
  'imagecapturerequestid',
  'deviceid',
]);
const isSerial = ({ family, name }: Fact) => /serial(?:number|no)?$/.test(name) && family !== 'ICC_Profile';
/** Systems and models: what many have. */
const notOneMachine = /^(?:iphone|ipad|ipod|mac ?os|macos|windows|linux|android)\b/i;

type Row = { ruleCode: RuleCode; subject: string; says: string; isMeant(fact: Fact, all: readonly Fact[]): boolean };

const rows: Row[] = [
  {
    ruleCode: 'META-SERIAL-NUMBER',
    subject: 'serial number of the camera',
    says: 'carries the serial number of the device',
    isMeant: (fact) => isSerial(fact) && !/lens/.test(fact.name),
  },
  {
    ruleCode: 'META-SERIAL-NUMBER',
    subject: 'serial number of the lens',
    says: 'carries the serial number of the lens',
    isMeant: (fact) => isSerial(fact) && /lens/.test(fact.name),
  },
  {
    ruleCode: 'META-UNIQUE-ID',
    subject: 'document identifier',
    says: 'carries an identifier that its other versions share',
    isMeant: ({ family, name }) => family === 'XMP' && documentIds.has(name),
  },
  {
    ruleCode: 'META-UNIQUE-ID',
    subject: 'recording identifier',
    says: 'carries an identifier that the device gave to this recording',
    isMeant: ({ name }) => imageIds.has(name),
  },
  {
    ruleCode: 'META-UNIQUE-ID',
    subject: 'computer name',
    says: 'names the computer on which it was made',
    isMeant: ({ name, value }, all) =>
      name === 'hostcomputer' &&
      !notOneMachine.test(value) &&
      !all.some((one) => one.name === 'model' && one.value === value),
  },
];

/** By what could it be tied to one device, or to other files? */
export function judgeDevice(all: readonly Fact[]): Finding<RuleCode>[] {
  // Zeros and dashes are what a camera writes that has no number.
  const numbered = all.filter(({ value }) => /[1-9\p{L}]/u.test(value) && !/^(?:unknown|n\/?a|none)$/i.test(value));
  const found = rows.flatMap(({ ruleCode, subject, says, isMeant }) => {
    const facts = preferFirstReader(numbered.filter((fact) => isMeant(fact, all)));
    const [first] = facts;
    if (!first) return [];
    return [
      certain(ruleCode, {
        subject,
        summary: `The file ${says}: ${maskEnd(first.value)} (${listLabels(facts.map(({ label }) => label))}). ${remedyFor(facts)}`,
        severityReasoning: `${count(facts.length, 'tag')} with ${count(new Set(facts.map(({ value }) => value)).size, 'value')}.`,
        measured: facts.length,
        limit: 0,
        unit: 'tags',
      }),
    ];
  });
  return [...found, ...judgeMakerNotes(all)];
}

function judgeMakerNotes(all: readonly Fact[]): Finding<RuleCode>[] {
  const notes = all.filter(({ family }) => family === 'MakerNotes');
  const [first] = notes;
  if (!first) return [];
  return [
    certain('META-MAKER-NOTES', {
      subject: 'maker notes',
      summary: `The file carries notes of its camera in a form of the maker’s own (${plain(first.group)}). ${remedyFor(notes)}`,
      severityReasoning: `${count(notes.length, 'tag')} of them could be read; how many there are is not known.`,
      measured: notes.length,
      limit: 0,
      unit: 'tags',
    }),
  ];
}
