import { formatCount } from '#sidekick/format-values.ts';
import { certainFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import { toPlainText } from '#sidekick/words.ts';
import { describeCount, type Fact, preferFirstReader } from './facts.ts';
import { listLabels, maskAllButEnd } from './mask.ts';
import { remedyFor } from './remedy.ts';
import type { RuleCode } from './rules.ts';

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
/** Names of operating systems and models, which do not identify a single device. */
const genericNamePattern = /^(?:iphone|ipad|ipod|mac ?os|macos|windows|linux|android)\b/i;

type DeviceRule = {
  ruleCode: RuleCode;
  subject: string;
  text: string;
  matches(fact: Fact, all: readonly Fact[]): boolean;
};

const deviceRules: DeviceRule[] = [
  {
    ruleCode: 'META-SERIAL-NUMBER',
    subject: 'serial number of the camera',
    text: 'Contains the serial number of the device',
    matches: (fact) => isSerial(fact) && !/lens/.test(fact.name),
  },
  {
    ruleCode: 'META-SERIAL-NUMBER',
    subject: 'serial number of the lens',
    text: 'Contains the serial number of the lens',
    matches: (fact) => isSerial(fact) && /lens/.test(fact.name),
  },
  {
    ruleCode: 'META-UNIQUE-ID',
    subject: 'document identifier',
    text: 'Contains an identifier that other versions of this file share',
    matches: ({ family, name }) => family === 'XMP' && documentIds.has(name),
  },
  {
    ruleCode: 'META-UNIQUE-ID',
    subject: 'recording identifier',
    text: 'Contains an identifier that the device gave to this recording',
    matches: ({ name }) => imageIds.has(name),
  },
  {
    ruleCode: 'META-UNIQUE-ID',
    subject: 'computer name',
    text: 'Contains the name of the computer the file was made on',
    matches: ({ name, value }, all) =>
      name === 'hostcomputer' &&
      !genericNamePattern.test(value) &&
      !all.some((one) => one.name === 'model' && one.value === value),
  },
];

/** Reports metadata that links the file to one device or to other files. */
export function judgeDevice(all: readonly Fact[]): Finding<RuleCode>[] {
  // Cameras without a serial number write zeros or dashes.
  const numbered = all.filter(({ value }) => /[1-9\p{L}]/u.test(value) && !/^(?:unknown|n\/?a|none)$/i.test(value));
  const found = deviceRules.flatMap(({ ruleCode, subject, text, matches }) => {
    const facts = preferFirstReader(numbered.filter((fact) => matches(fact, all)));
    const [first] = facts;
    if (!first) return [];
    return [
      certainFinding(ruleCode, {
        subject,
        summary: `${text}: ${maskAllButEnd(first.value)} (${listLabels(facts.map(({ label }) => label))}). ${remedyFor(facts, all)}`,
        severityReasoning: describeCount(facts),
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
    certainFinding('META-MAKER-NOTES', {
      subject: 'maker notes',
      summary: `Contains maker notes from the camera (${toPlainText(first.group)}). ${remedyFor(notes, all)}`,
      severityReasoning: `${formatCount(notes.length, 'maker note tag')} could be read; there may be more`,
      measured: notes.length,
      limit: 0,
      unit: 'tags',
    }),
  ];
}
