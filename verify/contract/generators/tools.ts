import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from '@assay/stack/install-packages.ts';
import { cacheDir } from '@assay/stack/instance.ts';
import { runCommand } from './run-command.ts';

const generatorVersion = '7.25.0';
const pythonClientVersion = '0.29.1';
// Packages that OpenAPI Generator's Python client needs in addition to the dependencies of openapi-python-client.
const pythonPackages = ['urllib3==2.8.0', 'python-dateutil==2.9.0.post0'];
const dependencyPlugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';
const installSecondsMax = 600;

export type Tools = { generatorJar: string; pythonBin: string };

/** Installs missing tools into the cache of `./setup`, which leaves them out: only `pnpm generators` needs them. */
export async function installTools(): Promise<Tools> {
  installPackages('default-jdk-headless', 'maven');
  return { generatorJar: await installGenerator(), pythonBin: await installPythonClient() };
}

async function installGenerator(): Promise<string> {
  const folder = join(cacheDir, `openapi-generator-${generatorVersion}`);
  const jar = join(folder, `openapi-generator-cli-${generatorVersion}.jar`);
  if (existsSync(jar)) return jar;
  console.log(`maven: fetching OpenAPI Generator ${generatorVersion}`);
  mkdirSync(folder, { recursive: true });
  const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${generatorVersion}`;
  const copy = ['mvn', '-q', '-B', `${dependencyPlugin}:copy`, artifact, `-DoutputDirectory=${folder}`];
  await runCommand(copy, { cwd: folder, secondsMax: installSecondsMax });
  return jar;
}

async function installPythonClient(): Promise<string> {
  const folder = join(cacheDir, `openapi-python-client-${pythonClientVersion}`);
  const bin = join(folder, 'bin');
  const mark = join(folder, 'installed');
  if (existsSync(mark)) return bin;
  console.log(`pip: installing openapi-python-client ${pythonClientVersion}`);
  rmSync(folder, { recursive: true, force: true });
  const limits = { cwd: cacheDir, secondsMax: installSecondsMax };
  await runCommand(['python3', '-m', 'venv', folder], limits);
  const packages = [`openapi-python-client==${pythonClientVersion}`, ...pythonPackages];
  await runCommand([join(bin, 'pip'), 'install', '--quiet', '--disable-pip-version-check', ...packages], limits);
  writeFileSync(mark, '');
  return bin;
}
