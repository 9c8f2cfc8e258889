import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '@assay/testing/run/root.ts';
import { parse } from 'yaml';

export type Values = { [name: string]: unknown };

export const chartFolder = join(root, 'deploy', 'chart');

export function readChartFile(path: string): string {
  return readFileSync(join(chartFolder, path), 'utf8');
}

export const defaultValues = (): Values => parse(readChartFile('values.yaml'));

/** The values of each example, by its name. */
export const exampleValues: Record<string, Values> = Object.fromEntries(
  globSync('examples/*.yaml', { cwd: chartFolder })
    .sort()
    .map((path) => [basename(path, '.yaml'), parse(readChartFile(path))]),
);

/** Merges values as Helm does: maps are merged, anything else is replaced. */
export function mergeValues(below: Values, above: Values): Values {
  const merged = { ...below };
  for (const [name, value] of Object.entries(above)) {
    const other = merged[name];
    merged[name] = isMap(value) && isMap(other) ? mergeValues(other, value) : value;
  }
  return merged;
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The minimum that an installation must set. */
export const minimalValues: Values = {
  existingSecret: 'assay',
  temporal: { address: 'temporal:7233', namespace: 'assay' },
  objectStore: { type: 's3', s3: { bucket: 'media' } },
};
