import type { Fact } from './facts.ts';

/**
 * Tags with which the makers of a work sign it. They are usually wanted: some licences require them, and agencies refuse
 * images without them.
 */
const creditNames = new Set([
  'artist',
  'author',
  'byline',
  'copyright',
  'copyrightnotice',
  'creator',
  'credit',
  'photographer',
  'rights',
  'userdataaut', // QuickTime
  'xpauthor', // Windows copies the artist into this tag
]);
/** In these families, the author is only a name from the settings of the program that wrote the document. */
const documentFamilies = new Set(['PDF', 'Office']);

/** Whether a tag is the credit of an image, a video or audio. */
export function isCredit({ name, isEmbedded }: Fact, all: readonly Fact[]): boolean {
  if (!creditNames.has(name)) return false;
  return isEmbedded || !all.some((fact) => documentFamilies.has(fact.family) && !fact.isEmbedded);
}
