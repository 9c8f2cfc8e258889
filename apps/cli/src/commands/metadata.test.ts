import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { addMetadata, metadataOf, parseClientReference } from './metadata.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-metadata-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'order.json');
writeFileSync(path, '{"order": {"number": 17}}');

describe('--metadata', () => {
  test.each([
    ['key=value', 'campaign=spring=1', { campaign: 'spring=1' }],
    ['an empty value', 'campaign=', { campaign: '' }],
    ['a JSON object', ' {"number": 17, "tags": ["a"]}', { number: 17, tags: ['a'] }],
    ['a file', `@${path}`, { order: { number: 17 } }],
  ])('accepts %s', (_, text, expected) => {
    expect(addMetadata(text)).toEqual(expected);
  });

  test('can be repeated, and a later value replaces an earlier one', () => {
    const texts = ['a=1', '{"b": 2, "c": 3}', 'b=4'];
    expect(texts.reduce((before, text) => addMetadata(text, before), {})).toEqual({ a: '1', b: '4', c: 3 });
  });

  test.each([
    ['spring', 'Expected key=value'],
    ['=spring', 'Expected key=value'],
    ['{"a": 1', 'is not valid JSON'],
    ['@/nowhere/order.json', 'Cannot read /nowhere/order.json'],
  ])('rejects %s', (text, message) => {
    expect(() => addMetadata(text)).toThrow(message);
  });

  test('rejects a file without a JSON object', () => {
    writeFileSync(join(folder, 'list.json'), '[1]');
    expect(() => addMetadata(`@${join(folder, 'list.json')}`)).toThrow('must contain a JSON object');
  });
});

describe('the metadata of a submission', () => {
  test('has the client reference and the profile of their own flags, beside what --metadata says', () => {
    const metadata = { clientReference: 'old', assay: { profile: 'old' }, campaign: 'spring' };
    expect(metadataOf({ metadata, clientReference: 'order 17', profile: 'Streaming' })).toEqual({
      clientReference: 'order 17',
      assay: { profile: 'streaming' },
      campaign: 'spring',
    });
    expect(metadataOf({ metadata })).toEqual(metadata);
  });

  test('is not sent if there is none', () => {
    expect(metadataOf({})).toBeUndefined();
  });

  test('cannot have a client reference that is empty, or longer than events can contain', () => {
    expect(parseClientReference('x'.repeat(200))).toHaveLength(200);
    for (const text of ['', 'x'.repeat(201)]) expect(() => parseClientReference(text)).toThrow('200 characters');
  });
});
