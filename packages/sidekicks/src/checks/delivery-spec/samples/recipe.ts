import type { DeliverySpecLimits } from '@assay/contract/schemas/profiles/delivery-spec.ts';
import type { RuleCode } from '../rules.ts';

type Spec = Partial<DeliverySpecLimits>;

/** How ffmpeg makes a file of the labelled set, what is expected of it, and the one thing that is wrong. */
export type Recipe = {
  name: string;
  extension: string;
  /** Arguments of ffmpeg before the output file. */
  args: readonly string[];
  /** Arguments of a second run that copies the streams of the first. */
  copyArgs?: readonly string[];
  spec: Spec;
  /** Null: the file is as expected. */
  wrong: RuleCode | null;
};

/** A kind of file that meets its specification. Variants of it differ in one property. */
export type Master = {
  name: string;
  extension: string;
  spec: Spec;
  /** Sources of libavfilter; null for none. */
  picture: string | null;
  sound: string | null;
  /** Each is a list of ffmpeg's arguments. In a variant they follow those of the master, and the last one counts. */
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

export function clean(master: Master, name: string, variant: Variant = {}): Recipe {
  return recipeOf(master, name, null, variant);
}

export function faulty(master: Master, wrong: RuleCode, name: string, variant: Variant = {}): Recipe {
  return recipeOf(master, name, wrong, variant);
}

function recipeOf(master: Master, name: string, wrong: RuleCode | null, variant: Variant): Recipe {
  const { picture = master.picture, sound = master.sound, extension = master.extension } = variant;
  const input = (source: string | null) => (source ? ['-f', 'lavfi', '-i', source] : []);
  const both = (member: 'video' | 'audio' | 'container') => words(`${master[member]} ${variant[member] ?? ''}`);
  return {
    name: `${master.name}: ${wrong ? `${wrong}, ` : ''}${name}`,
    extension,
    args: [
      ...[...input(picture), ...input(sound)],
      ...(picture ? both('video') : []),
      ...(sound ? both('audio') : []),
      ...both('container'),
    ],
    ...(variant.copy && { copyArgs: words(variant.copy) }),
    spec: { ...master.spec, ...variant.spec },
    wrong,
  };
}

const words = (text: string) => text.split(' ').filter((word) => word !== '');
