import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@assay/testing/run/root.ts';
import { blocksOf } from './blocks.ts';

const docsFolder = join(root, 'docs');

export const readPage = (name: string) => readFileSync(join(docsFolder, `${name}.md`), 'utf8');

/** The commands that a reader of any page has run before; they set the keys, the address and `pick`. */
export const prelude = blocksOf(readPage('quickstart')).find(({ marker }) => marker === 'prelude')?.text ?? '';

/** Replaces the example addresses of the service and of a receiver with real ones. */
export const withRealAddresses = (text: string, real: { service: string; receiver: string }) =>
  text.replaceAll('http://127.0.0.1:8080', real.service).replaceAll('http://127.0.0.1:3000', real.receiver);
