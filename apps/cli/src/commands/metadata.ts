import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { isObject, parseJsonObject } from '../json-object.ts';

export type Metadata = Record<string, unknown>;

/** A longer one is accepted, but not sent in events. */
const clientReferenceCharactersMax = 200;

/** Adds what one `--metadata` says: `key=value`, a JSON object, or `@file` with one. A later value replaces an earlier one. */
export function addMetadata(text: string, before: Metadata = {}): Metadata {
  return { ...before, ...readMetadata(text) };
}

function readMetadata(text: string): Metadata {
  if (text.startsWith('@')) return parseJsonObject(readText(text.slice(1)), text.slice(1));
  if (text.trimStart().startsWith('{')) return parseJsonObject(text, 'The value of --metadata');
  const at = text.indexOf('=');
  if (at > 0) return { [text.slice(0, at)]: text.slice(at + 1) };
  throw new InvalidArgumentError('Expected key=value, a JSON object, or @file.');
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new InvalidArgumentError(`Cannot read ${path}: ${(error as Error).message}.`);
  }
}

export function parseClientReference(text: string): string {
  if (text !== '' && [...text].length <= clientReferenceCharactersMax) return text;
  throw new InvalidArgumentError(`Expected 1 to ${clientReferenceCharactersMax} characters.`);
}

type Given = { metadata?: Metadata; clientReference?: string; profile?: string };

/** `--client-reference` and `--profile` take precedence over the same members of `--metadata`. */
export function metadataOf({ metadata = {}, clientReference, profile }: Given): Metadata | undefined {
  const given = {
    ...metadata,
    ...(clientReference !== undefined && { clientReference }),
    ...(profile && { assay: { ...(isObject(metadata.assay) && metadata.assay), profile: profile.toLowerCase() } }),
  };
  return Object.keys(given).length > 0 ? given : undefined;
}
