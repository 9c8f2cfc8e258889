import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readConfig } from '@assay/server/config/config.ts';
import { root } from '@assay/testing/run/root.ts';
import { testSeed } from '@assay/testing/run/test-seed.ts';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { chartFolder, exampleValues, mergeValues, minimalValues, readChartFile, type Values } from './chart-files.ts';
import { generateValues } from './generate-values.ts';
import { restrictedProblems } from './pod-security.ts';
import { manifestsIn, podsIn, render } from './render.ts';
import { environmentOf, filesWithoutMount } from './rendered-config.ts';
import { pathOf } from './tools.ts';
import { wrongTypes, wrongValues } from './wrong-values.ts';

const seed = testSeed(0);
const generatedValues = Object.fromEntries(
  Array.from({ length: 40 }, (_, i) => [`generated ${i}`, generateValues(seed + i)]),
);
const curatedValues: Record<string, Values> = { 'the minimum values': minimalValues, ...exampleValues };
const allValues = Object.entries({ ...curatedValues, ...generatedValues });
const renderedOutputs = new Map<Values, ReturnType<typeof render>>();
function renderOnce(values: Values) {
  const output = renderedOutputs.get(values) ?? render(values);
  renderedOutputs.set(values, output);
  return output;
}
const isBubblewrap = (values: Values) => (values.jail as Values | undefined)?.level === 'bubblewrap';

/** Strict Kubernetes schemas outside the repository; without them kubeconform downloads its own. */
const schemas = resolve(process.env.ASSAY_KUBERNETES_SCHEMAS ?? join(root, '..', 'shared', 'kubernetes', 'schemas'));
const locations = [existsSync(schemas) ? schemas : 'default', join(import.meta.dirname, 'schemas')].flatMap((place) => [
  '-schema-location',
  place === 'default' ? place : `${place}/{{ .ResourceKind }}{{ .KindSuffix }}.json`,
]);

describe('the rendered manifests', () => {
  test.each(allValues)('%s: conform to strict schemas', (_, values) => {
    const { text, refusal } = renderOnce(values);
    expect(refusal).toBe('');
    expect(run('kubeconform', ['-strict', '-summary', ...locations], text)).toContain(
      'Invalid: 0, Errors: 0, Skipped: 0',
    );
  });

  test.each(allValues)('%s: pods conform to the Pod Security level restricted', (_, values) => {
    const pods = podsIn(manifestsIn(renderOnce(values).text));
    expect(pods.length).toBeGreaterThan(1);
    const isAllowed = (name: string, problem: string) =>
      isBubblewrap(values) && name.includes('-worker-') && problem === 'worker: procMount';
    const problems = pods.flatMap(([name, pod]) =>
      restrictedProblems(pod)
        .filter((problem) => !isAllowed(name, problem))
        .map((problem) => `${name}: ${problem}`),
    );
    expect(problems).toEqual([]);
  });

  test.each(allValues)('%s: the service accepts the variables', (_, values) => {
    const known = parse(readChartFile('files/variables.yaml'));
    for (const [name, pod] of podsIn(manifestsIn(renderOnce(values).text))) {
      for (const container of pod.containers) {
        expect(() => readConfig(environmentOf(container)), name).not.toThrow();
        const names = (container.env ?? []).map((variable) => variable.name);
        expect(names).toEqual([...new Set(names)]);
        expect(names.filter((one) => !(one in known) && !['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY'].includes(one))).toEqual(
          [],
        );
        expect(filesWithoutMount(pod, container)).toEqual([]);
      }
    }
  });

  test.each(Object.entries(curatedValues))('%s: kube-score finds nothing critical', (_, values) => {
    // A limit of CPU time slows examinations down although the node is idle; an image with a version is not fetched again.
    const ignored = ['--ignore-container-cpu-limit', '--ignore-test', 'container-image-pull-policy'];
    const report = run('kube-score', ['score', '--output-format', 'ci', ...ignored, '-'], renderOnce(values).text);
    expect(report.split('\n').filter((line) => line.startsWith('[CRITICAL]'))).toEqual([]);
    expect(report).toContain('[OK]');
  });
});

describe('helm template, with wrong values,', () => {
  test.each([...wrongValues, ...wrongTypes])('refuses %s', (_, values, message, ...args) => {
    expect(render(mergeValues(minimalValues, values), ...args).refusal).toContain(message);
  });

  test('reports several mistakes together', () => {
    const { refusal } = render({});
    for (const name of ['existingSecret', 'temporal.address', 'temporal.namespace', 'objectStore.type'])
      expect(refusal).toContain(`${name}: is empty.`);
  });
});

test('helm lint finds no problem in the chart', () => {
  const args = ['lint', chartFolder, '--strict', '--values', join(chartFolder, 'examples', 'eks-s3.yaml')];
  expect(run('helm', args)).toContain('0 chart(s) failed');
});

test('the unit tests of the chart pass in helm-unittest', () => {
  expect(run('helm-unittest', ['--strict', chartFolder])).toMatch(/Tests:\s+[1-9]\d* passed/);
});

/** Returns the output of a tool, which contains its findings, whatever its exit code. */
function run(tool: Parameters<typeof pathOf>[0], args: string[], input = ''): string {
  const { stdout, stderr, error } = spawnSync(pathOf(tool), args, { input, encoding: 'utf8' });
  if (error) throw error;
  return stdout + stderr;
}
