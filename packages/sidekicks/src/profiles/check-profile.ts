import { severities } from '@assay/contract/schemas/severity.ts';
import { complainAboutDeliverySpec } from '#checks/delivery-spec/complaints.ts';
import { sidekicks } from '#sidekick/catalogue.ts';
import type { Profile } from '#sidekick/profile.ts';

/** What is wrong with a profile, by JSON pointer. The detail is a predicate: it follows the name of the field. */
export type ProfileComplaint = { pointer: string; detail: string };

const ruleCodes = new Set(sidekicks.flatMap(({ rules }) => Object.keys(rules)));

/**
 * What no schema can express about a profile, inherited limits included. Without a complaint every sidekick can use the
 * profile.
 */
export function complaintsAboutProfile({ limits, rules }: Pick<Profile, 'limits' | 'rules'>): ProfileComplaint[] {
  const { qcPictureSound: qc, captions, photosensitivity } = limits;
  const complaints: ProfileComplaint[] = [];
  const complain = (isWrong: boolean, pointer: string, detail: string) => {
    if (isWrong) complaints.push({ pointer, detail });
  };
  complain(
    qc.levelMin >= qc.levelMax,
    '/limits/qcPictureSound/levelMin',
    `must be less than levelMax (${qc.levelMax}).`,
  );
  complain(
    captions.wordsPerMinuteMinor > captions.wordsPerMinuteMajor,
    '/limits/captions/wordsPerMinuteMinor',
    `must be at most wordsPerMinuteMajor (${captions.wordsPerMinuteMajor}).`,
  );
  complain(
    new Set(photosensitivity.areas).size < photosensitivity.areas.length,
    '/limits/photosensitivity/areas',
    'must not repeat an area.',
  );
  complainAboutDeliverySpec(limits.deliverySpec, complain);
  for (const [i, { ruleCode, severity, grades }] of rules.entries()) {
    const at = `/rules/${i}`;
    const isRepeated = rules.findIndex((setting) => setting.ruleCode === ruleCode) < i;
    complain(!ruleCodes.has(ruleCode), `${at}/ruleCode`, 'must be the code of a rule; `GET /sidekicks` lists them.');
    complain(isRepeated, `${at}/ruleCode`, 'must not repeat a rule.');
    complain(!severity === !grades, at, 'must have either severity or grades.');
    complain(!!grades && grades[0]?.beyond !== 0, `${at}/grades/0/beyond`, 'must be 0.');
    for (const [n, grade] of (grades ?? []).entries()) {
      const previous = grades?.[n - 1];
      if (!previous) continue;
      complain(
        grade.beyond <= previous.beyond,
        `${at}/grades/${n}/beyond`,
        'must be more than that of the grade before.',
      );
      const isMilder = severities.indexOf(grade.severity) >= severities.indexOf(previous.severity);
      complain(isMilder, `${at}/grades/${n}/severity`, 'must be more severe than that of the grade before.');
    }
  }
  return complaints;
}
