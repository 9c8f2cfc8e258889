/** A deviation of a cue file from its format. */
export type Flaw = {
  line: number;
  what: string;
  /** Whether players skip or garble the text there. If not, they tolerate the flaw. */
  isLost: boolean;
};

const lossFlaw = (what: string) => ({ what, isLost: true });
const toleratedFlaw = (what: string) => ({ what, isLost: false });

export const flawKinds = {
  notUnicode: lossFlaw('characters in an encoding that is neither UTF-8 nor UTF-16'),
  notUtf8: lossFlaw('UTF-16, where WebVTT has to be UTF-8'),
  tooLarge: lossFlaw('more bytes than are read'),
  tooManyCues: lossFlaw('more captions than are read'),
  badTime: lossFlaw('a time that cannot be read'),
  textWithoutTime: lossFlaw('text without a time'),
  longText: lossFlaw('a caption with more text than is read'),

  numberAlone: toleratedFlaw('a number without a caption'),
  noNumber: toleratedFlaw('a caption without its number'),
  wrongNumber: toleratedFlaw('a number that does not follow the one before'),
  noEmptyLine: toleratedFlaw('no empty line before a caption'),
  commentAtCue: toleratedFlaw('a comment that runs into a caption'),
  unusualTime: toleratedFlaw('a time in an unusual form'),
  unknownSetting: toleratedFlaw('a setting that WebVTT does not have'),
} as const;
export type FlawKind = keyof typeof flawKinds;
