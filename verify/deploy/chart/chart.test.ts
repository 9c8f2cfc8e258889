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
import { defaultValues, exampleValues, mergeValues, minimalValues, readChartFile, type Values } from './chart-files.ts';
import { generateValues } from './generate-values.ts';
import { secretValues } from './rendered-config.ts';
import { wrongTypes, wrongValues } from './wrong-values.ts';

// The gate runs these tests, which do not need helm. `pnpm chart check` renders the chart and runs nightly.

const readRepositoryFile = (file: string) => readFileSync(join(root, file), 'utf8');
const schema = JSON.parse(readChartFile('values.schema.json'));
const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);
const problemsIn = (values: Values) => (validate(mergeValues(defaultValues(), values)) ? [] : validate.errors);
const templates = ['_env.tpl', 'api.yaml', 'workers.yaml'].map((file) => readChartFile(`templates/${file}`)).join('');

describe('values.schema.json', () => {
  const valid = {
    'the default values': {},
    'the minimum values': minimalValues,
    ...exampleValues,
    'generated values': generateValues(testSeed(1)),
  };
  test.each(Object.entries(valid))('accepts %s', (_, values) => {
    expect(problemsIn(values)).toEqual([]);
  });

  test.each(wrongTypes)('refuses %s', (_, values) => {
    expect(problemsIn(mergeValues(minimalValues, values))).not.toEqual([]);
  });

  test.each(wrongValues)('accepts %s, which is left to the templates', (_, values) => {
    expect(problemsIn(mergeValues(minimalValues, values))).toEqual([]);
  });
});

describe('the chart', () => {
  const sources: Record<string, string> = parse(readChartFile('files/variables.yaml'));
  const inConfig = Object.keys(sources).filter((name) => sources[name] === 'config');
  const elsewhere = Object.entries(sources).filter(([, source]) => source !== 'config');

  test('lists exactly the documented environment variables', () => {
    const documented = [...readRepositoryFile('docs/operate/configuration.md').matchAll(/^\| `(\w+)`/gm)].map(
      ([, name]) => name,
    );
    expect(Object.keys(sources).sort()).toEqual(documented.sort());
  });

  test('has the same environment variables under `config` as values.schema.json', () => {
    expect(Object.keys(schema.properties.config.properties).sort()).toEqual(inConfig.sort());
  });

  test.each(elsewhere.filter(([, source]) => !source.startsWith('nothing, ')))(
    'sets %s from the chart value %s',
    (name, source) => {
      const setting = source.split('.').reduce<unknown>((values, key) => (values as Values)[key], defaultValues());
      expect(setting).toBeDefined();
      if (name !== 'API_PORT') expect(templates).toMatch(new RegExp(`\\b${name}\\b`)); // the port in a pod is fixed
    },
  );
});

describe('the chart and the service', () => {
  const queues = readConfig({ ...secretValues, ...leastEnvironment() }).WORKER_QUEUES;

  test('have the same version', () => {
    const { version } = JSON.parse(readRepositoryFile('package.json'));
    expect(parse(readChartFile('Chart.yaml'))).toMatchObject({ version, appVersion: version });
  });

  test('have the same queue names', () => {
    const names = queues.map(({ name }) => name);
    const { pattern } = schema.properties.workers.items.properties.queues.items;
    expect(pattern).toBe(`^(${names.join('|')})(:[1-9][0-9]*)?$`);
    expect(readChartFile('templates/_checks.tpl')).toContain(`list ${names.map((name) => `"${name}"`).join(' ')} }}`);
  });

  test('have the same object stores', () => {
    const { properties } = schema.properties.objectStore;
    expect(properties.type.enum).toEqual(['', ...storeKinds]);
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(storeKinds));
  });

  test('have the same maximum file sizes and numbers of concurrent examinations', () => {
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
