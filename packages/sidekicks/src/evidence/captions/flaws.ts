/** Something in a cue file that its format does not have. */
export type Flaw = {
  line: number;
  what: string;
  /** Whether players leave out or garble what stands there; else they forgive it. */
  isLost: boolean;
};

const lost = (what: string) => ({ what, isLost: true });
const forgiven = (what: string) => ({ what, isLost: false });

export const flawKinds = {
  notUnicode: lost('characters in an encoding that is neither UTF-8 nor UTF-16'),
  notUtf8: lost('UTF-16, where WebVTT has to be UTF-8'),
  tooLarge: lost('more bytes than are read'),
  tooManyCues: lost('more captions than are read'),
  badTime: lost('a time that cannot be read'),
  textWithoutTime: lost('text without a time'),
  longText: lost('a caption with more text than is read'),

  numberAlone: forgiven('a number without a caption'),
  noNumber: forgiven('a caption without its number'),
  wrongNumber: forgiven('a number that does not follow the one before'),
  noEmptyLine: forgiven('no empty line before a caption'),
  commentAtCue: forgiven('a comment that runs into a caption'),
  unusualTime: forgiven('a time in an unusual form'),
  unknownSetting: forgiven('a setting that WebVTT does not have'),
} as const;
export type FlawKind = keyof typeof flawKinds;
