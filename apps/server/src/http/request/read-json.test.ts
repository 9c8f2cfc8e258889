import { bodyValuesMax } from '@assay/contract/limits.ts';
import type { Refusal } from '@assay/contract/refusals.ts';
import { describe, expect, test } from 'vitest';
import { readJson } from './read-json.ts';
import { scanJson } from './scan-json.ts';

const countValues = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum, one) => sum + countValues(one), 1)
    : 1;

function codeOf(json: string | Buffer): string | undefined {
  try {
    readJson(Buffer.from(json));
  } catch (error) {
    return (error as Refusal).errors?.[0]?.code;
  }
  return undefined;
}

describe('the values of a JSON body are counted before it is parsed', () => {
  test.each([
    ...['1', '""', '[]', '{}', '[ ]', '[[],[],{}]', '[1,2]', '{"a":1}', ' { "a" : [ 1 , { } ] } '],
    ...['"a,b"', '["[,{","]"]', '["\\\\",","]', '{"\\",\\"":[",\\\\"]}', '[true,null,-1.5e3]'],
  ])('the count is correct for %s', (json) => {
    expect(scanJson(json, bodyValuesMax).valueCount).toBe(countValues(JSON.parse(json)));
  });

  test.each(['', '"', '[', '}{', '"\\', '"a\\"', ']]', ',,'])(
    'the invalid JSON %j is scanned without an exception',
    (json) => {
      expect(() => scanJson(json, bodyValuesMax)).not.toThrow();
    },
  );

  test('a body with exactly the allowed number of values is accepted, and one with more is rejected', () => {
    const list = (length: number) => JSON.stringify(Array.from({ length }, () => 0));
    expect(codeOf(list(bodyValuesMax - 1))).toBeUndefined();
    expect(codeOf(list(bodyValuesMax))).toBe('too_many_values');
  });

  test('a body with too many values is rejected even if it is not valid JSON', () => {
    expect(codeOf('['.repeat(500_000))).toBe('too_many_values');
    expect(codeOf(`{${'"a":1,'.repeat(170_000)}`)).toBe('too_many_values');
  });
});

describe('numbers in a JSON body', () => {
  test.each(['9007199254740993', '-9007199254740993', '[1e400]', '1E999', '{"a":123456789012345678}'])(
    '%s is rejected, because the number cannot be stored exactly',
    (json) => {
      expect(codeOf(json)).toBe('number_out_of_range');
    },
  );

  test.each(['9007199254740991', '"9007199254740993"', '0.1234567890123456789', '1e3', '{"12345678901234567":1}'])(
    '%s is accepted',
    (json) => expect(readJson(Buffer.from(json))).toEqual(JSON.parse(json)),
  );
});

test('a body that is not UTF-8 is rejected, because its characters would be replaced', () => {
  expect(codeOf(Buffer.from('{"metadata":{"title":"Gr\xfc\xdfe"}}', 'latin1'))).toBe('invalid_json');
  expect(codeOf(Buffer.from('{"metadata":{"title":"Grüße"}}'))).toBeUndefined();
});
