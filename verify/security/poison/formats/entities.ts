import type { Fixture } from './recipe.ts';

/** A document type that declares two entities, `&a;` and `&b;`, whose content no reader may load. */
export const externalEntities = ({ listener, canary }: Fixture, root = 'a') =>
  `<!DOCTYPE ${root} [<!ENTITY a SYSTEM "file://${canary}"><!ENTITY b SYSTEM "http://${listener}/">]>`;
