import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assetBytesMax } from '@assay/contract/limits.ts';
import { readConfig } from '@assay/server/config/config.ts';
import { storeKinds } from '@assay/server/platform/storage/stores.ts';
import { root } from '@assay/testing/run/root.ts';
import { testSeed } from '@assay/testing/run/test-seed.ts';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { defaultValues, examples, leastValues, mergeValues, readChartFile, type Values } from './chart-files.ts';
import { generateValues } from './generate-values.ts';
import { secretValues } from './rendered-config.ts';
import { wrongTypes, wrongValues } from './wrong-values.ts';

// What can be checked without helm, in the gate. `pnpm chart check` renders the chart, nightly.

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const schema = JSON.parse(readChartFile('values.schema.json'));
const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);
const problemsIn = (values: Values) => (validate(mergeValues(defaultValues(), values)) ? [] : validate.errors);
const templates = ['_env.tpl', 'api.yaml', 'workers.yaml'].map((file) => readChartFile(`templates/${file}`)).join('');

describe('values.schema.json', () => {
  const valid = { 'the default values': {}, least: leastValues, ...examples, generated: generateValues(testSeed(1)) };
  test.each(Object.entries(valid))('accepts %s', (_, values) => {
    expect(problemsIn(values)).toEqual([]);
  });

  test.each(wrongTypes)('refuses %s', (_, values) => {
    expect(problemsIn(mergeValues(leastValues, values))).not.toEqual([]);
  });

  test.each(wrongValues)('leaves %s to the templates, whose messages say what to set', (_, values) => {
    expect(problemsIn(mergeValues(leastValues, values))).toEqual([]);
  });
});

describe('variables of the service', () => {
  const sources: Record<string, string> = parse(readChartFile('files/variables.yaml'));
  const inConfig = Object.keys(sources).filter((name) => sources[name] === 'config');
  const elsewhere = Object.entries(sources).filter(([, source]) => source !== 'config');

  test('are listed in the chart if they are documented', () => {
    const documented = [...read('docs/operate/configuration.md').matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    expect(Object.keys(sources).sort()).toEqual(documented.sort());
  });

  test('that are set under `config` are exactly those that the schema allows there', () => {
    expect(Object.keys(schema.properties.config.properties).sort()).toEqual(inConfig.sort());
  });

  test.each(elsewhere.filter(([, source]) => !source.startsWith('nothing, ')))('%s is set by %s', (name, source) => {
    const setting = source.split('.').reduce<unknown>((values, key) => (values as Values)[key], defaultValues());
    expect(setting).toBeDefined();
    if (name !== 'API_PORT') expect(templates).toMatch(new RegExp(`\\b${name}\\b`)); // the port of pods is fixed
  });
});

describe('values that the chart repeats', () => {
  const queues = readConfig({ ...secretValues, ...leastEnvironment() }).WORKER_QUEUES;

  test('the chart has the version of package.json', () => {
    const { version } = JSON.parse(read('package.json'));
    expect(parse(readChartFile('Chart.yaml'))).toMatchObject({ version, appVersion: version });
  });

  test('the chart has the queue names of the service', () => {
    const names = queues.map(({ name }) => name);
    const { pattern } = schema.properties.workers.items.properties.queues.items;
    expect(pattern).toBe(`^(${names.join('|')})(:[1-9][0-9]*)?$`);
    expect(readChartFile('templates/_checks.tpl')).toContain(`list ${names.map((name) => `"${name}"`).join(' ')} }}`);
  });

  test('the chart has the object stores of the service', () => {
    const { properties } = schema.properties.objectStore;
    expect(properties.type.enum).toEqual(['', ...storeKinds]);
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(storeKinds));
  });

  test('the chart has the maximum file sizes and the numbers of concurrent examinations of the service', () => {
    const text = readChartFile('templates/_workers.tpl');
    const sizes = Object.entries(assetBytesMax).map(([name, bytes]) => `"${name}" ${bytes / 1024 ** 2}`);
    const counts = Object.keys(assetBytesMax).map(
      (name) => `"${name}" ${queues.find((queue) => queue.name === name)?.atOnceMax}`,
    );
    expect(text).toContain(`$sizes := dict ${sizes.join(' ')} -`);
    expect(text).toContain(`$counts := dict ${counts.join(' ')} -`);
  });
});

function leastEnvironment(): Record<string, string> {
  return {
    TEMPORAL_ADDRESS: 'temporal:7233',
    TEMPORAL_NAMESPACE: 'assay',
    OBJECT_STORE: 's3',
    S3_BUCKET: 'media',
    BLOB_ACCOUNT_KEY: '',
  };
}
