import type { DeliverySpecLimits } from '@assay/contract/schemas/profiles/delivery-spec.ts';
import type { RuleCode } from '../rules.ts';

type Spec = Partial<DeliverySpecLimits>;

/** How ffmpeg makes a sample file, what its profile expects, and the one rule that the file breaks. */
export type Recipe = {
  name: string;
  extension: string;
  /** ffmpeg arguments before the output file. */
  args: readonly string[];
  /** Arguments of a second run that copies the streams of the first. */
  copyArgs?: readonly string[];
  spec: Spec;
  /** Null if the file is as expected. */
  wrong: RuleCode | null;
};

/** A kind of file that meets its specification. Variants of it differ in one property. */
export type Master = {
  name: string;
  extension: string;
  spec: Spec;
  /** libavfilter sources; null for none. */
  picture: string | null;
  sound: string | null;
  /** ffmpeg arguments, separated by spaces. A variant's follow those of its master and override them. */
  video: string;
  audio: string;
  container: string;
};

export type Variant = Partial<
  Pick<Master, 'extension' | 'picture' | 'sound' | 'video' | 'audio' | 'container' | 'spec'>
> & {
  copy?: string;
};

export const tone = (more = '') => `sine=f=440:r=48000:d=1${more}`;

export function cleanFile(master: Master, name: string, variant: Variant = {}): Recipe {
  return recipeOf(master, name, null, variant);
}

export function faultyFile(master: Master, wrong: RuleCode, name: string, variant: Variant = {}): Recipe {
  return recipeOf(master, name, wrong, variant);
}

function recipeOf(master: Master, name: string, wrong: RuleCode | null, variant: Variant): Recipe {
  const { picture = master.picture, sound = master.sound, extension = master.extension } = variant;
  const input = (source: string | null) => (source ? ['-f', 'lavfi', '-i', source] : []);
  const both = (member: 'video' | 'audio' | 'container') => splitWords(`${master[member]} ${variant[member] ?? ''}`);
  return {
    name: `${master.name}: ${wrong ? `${wrong}, ` : ''}${name}`,
    extension,
    args: [
      ...[...input(picture), ...input(sound)],
      ...(picture ? both('video') : []),
      ...(sound ? both('audio') : []),
      ...both('container'),
    ],
    ...(variant.copy && { copyArgs: splitWords(variant.copy) }),
    spec: { ...master.spec, ...variant.spec },
    wrong,
  };
}

const splitWords = (text: string) => text.split(' ').filter((word) => word !== '');
