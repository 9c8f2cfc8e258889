/** A deviation of a cue file from its format. */
export type Flaw = {
  line: number;
  what: string;
  /** Whether players skip or garble the text there. If not, they tolerate the flaw. */
  isLost: boolean;
};

const lost = (what: string) => ({ what, isLost: true });
const tolerated = (what: string) => ({ what, isLost: false });

export const flawKinds = {
  notUnicode: lost('characters in an encoding that is neither UTF-8 nor UTF-16'),
  notUtf8: lost('UTF-16, where WebVTT has to be UTF-8'),
  tooLarge: lost('more bytes than are read'),
  tooManyCues: lost('more captions than are read'),
  badTime: lost('a time that cannot be read'),
  textWithoutTime: lost('text without a time'),
  longText: lost('a caption with more text than is read'),

  numberAlone: tolerated('a number without a caption'),
  noNumber: tolerated('a caption without its number'),
  wrongNumber: tolerated('a number that does not follow the one before'),
  noEmptyLine: tolerated('no empty line before a caption'),
  commentAtCue: tolerated('a comment that runs into a caption'),
  unusualTime: tolerated('a time in an unusual form'),
  unknownSetting: tolerated('a setting that WebVTT does not have'),
} as const;
export type FlawKind = keyof typeof flawKinds;
