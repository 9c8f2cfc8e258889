export type Cause = {
  /** The name of the cause, in the title of the topic. */
  title: string;
  /** Issues of two of these rules have this cause, if they are in the right place. */
  ruleCodes: readonly string[];
  /** `near`: as for issues of one rule. `together`: each lasts for at least half of the other. */
  where: 'anywhere' | 'near' | 'together';
};

/** The causes that issues of different rules can share. Rules that only belong to the same check share none. */
export const causes: readonly Cause[] = [
  // Nothing was recorded, so video and audio stop at once.
  { title: 'Interruption', ruleCodes: ['QC-BLACK', 'QC-FREEZE', 'QC-SILENCE'], where: 'together' },
  // Loudness cannot be measured if all of the audio is silent.
  { title: 'Silent audio', ruleCodes: ['LOUD-NOT-MEASURED', 'QC-SILENCE'], where: 'anywhere' },
  // A lower gain solves all of them.
  {
    title: 'Audio level too high',
    ruleCodes: ['LOUD-INTEGRATED-HIGH', 'LOUD-SHORT-TERM', 'LOUD-TRUE-PEAK', 'QC-CLIPPING'],
    where: 'anywhere',
  },
  // What cannot be decoded cannot be checked, and one of the streams ends early.
  {
    title: 'Incomplete or damaged file',
    ruleCodes: ['PSE-NOT-VERIFIED', 'QC-AV-LENGTH', 'QC-TRUNCATED'],
    where: 'anywhere',
  },
  { title: 'Flashing', ruleCodes: ['PSE-EXTENDED', 'PSE-LUMINANCE', 'PSE-RED'], where: 'near' },

  // The same limit at two severities.
  { title: 'Captions too fast', ruleCodes: ['CAPT-FAST', 'CAPT-TOO-FAST'], where: 'near' },
  { title: 'Captions out of order', ruleCodes: ['CAPT-ORDER', 'CAPT-OVERLAP'], where: 'near' },
  // Captions continue after the end and are missing elsewhere: they were made for another cut.
  { title: 'Captions of another version', ruleCodes: ['CAPT-GAP', 'CAPT-OUT-OF-RANGE'], where: 'anywhere' },
  // Captions that cannot be parsed are lost, and none may be left.
  {
    title: 'Syntax of the caption file',
    ruleCodes: ['CAPT-EMPTY', 'CAPT-IRREGULAR', 'CAPT-MALFORMED'],
    where: 'anywhere',
  },

  // Each was written by one program or device, and one option of it leaves all of them out.
  {
    title: 'Location in the metadata',
    ruleCodes: ['META-PLACE-NAME', 'META-POSITION', 'META-POSITION-COARSE'],
    where: 'anywhere',
  },
  {
    title: 'Device in the metadata',
    ruleCodes: ['META-MAKER-NOTES', 'META-SERIAL-NUMBER', 'META-UNIQUE-ID'],
    where: 'anywhere',
  },
  {
    title: 'People in the metadata',
    ruleCodes: ['META-COMPANY', 'META-CONTACT', 'META-EDITOR', 'META-PERSON-NAME'],
    where: 'anywhere',
  },

  // The automatic action starts the script or the program.
  {
    title: 'Active content',
    ruleCodes: ['SAFE-PDF-AUTOMATIC-ACTION', 'SAFE-PDF-JAVASCRIPT', 'SAFE-PDF-LAUNCH'],
    where: 'anywhere',
  },
  { title: 'Active content', ruleCodes: ['SAFE-OFFICE-CONTROL', 'SAFE-OFFICE-MACRO'], where: 'anywhere' },
  { title: 'Disguised file', ruleCodes: ['SAFE-EXECUTABLE', 'SAFE-TYPE-MISMATCH'], where: 'anywhere' },
  // The data after the image is the second file.
  { title: 'Second file inside', ruleCodes: ['SAFE-APPENDED-DATA', 'SAFE-POLYGLOT'], where: 'anywhere' },
];

/** The causes that several rules of these issues share. */
export function causesOf(issues: readonly { ruleCode: string }[]): Cause[] {
  const found = new Set(issues.map(({ ruleCode }) => ruleCode));
  return causes.filter(({ ruleCodes }) => ruleCodes.filter((code) => found.has(code)).length > 1);
}
