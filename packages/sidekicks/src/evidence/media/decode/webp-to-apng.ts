import { fileURLToPath } from 'node:url';
import { builtPath } from '@assay/jail/built.ts';

export const webpToApngSource = fileURLToPath(new URL('../../../../native/webp/webp-to-apng.c', import.meta.url));

/** The program that writes an animated WebP image as APNG. */
export const builtWebpToApng = () => builtPath(webpToApngSource, 'webp-to-apng');
