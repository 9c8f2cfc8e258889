import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@assay/server/config/config.ts';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  composeEnvironmentOf,
  databaseOwner,
  environmentOf,
  openInstance,
  s3Bucket,
  s3Region,
  serviceRole,
  temporalNamespace,
} from './instance.ts';
import { versionInSetup } from './versions.ts';

type ComposeService = {
  image: string;
  environment: Record<string, string>;
  ports: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: object;
  [more: string]: unknown;
};

const root = join(import.meta.dirname, '..', '..');
const readRootFile = (file: string) => readFileSync(join(root, file), 'utf8');
const { services } = parse(readRootFile('compose.yaml'), { merge: true }) as {
  services: Record<string, ComposeService>;
};
const { ports } = openInstance('dev');
const assayServices = Object.entries(services).filter(([, { image }]) => image.startsWith('assay-'));
const apiSettings = services.api?.environment as Record<string, string>;

describe('compose.yaml, compared with the development stack', () => {
  test.each([
    ['postgres', 'library/postgres', firstNumbersOf(installedVersion('/usr/lib/postgresql/15/bin/postgres'), 1)],
    ['redis', 'library/redis', firstNumbersOf(installedVersion('/usr/bin/redis-server'), 2)],
    ['versitygw', 'versity/versitygw', `v${versionInSetup('VERSITYGW_VERSION')}`],
    ['temporal', 'temporalio/server', versionInSetup('TEMPORAL_VERSION')],
    ['temporal-schema', 'temporalio/admin-tools', versionInSetup('TEMPORAL_VERSION')],
    ['temporal-ui', 'temporalio/ui', versionInSetup('TEMPORAL_UI_VERSION')],
  ])('runs the same version of %s', (service, image, version) => {
    expect(services[service]?.image).toBe(`docker.io/${image}:${version}`);
  });

  test.each([
    ['postgres', ports.postgres],
    ['redis', ports.redis],
    ['versitygw', ports.versitygw],
    ['temporal', ports.temporal],
    ['temporal-ui', ports.temporalUi],
  ])('publishes %s on the same loopback port', (service, port) => {
    expect(services[service]?.ports).toEqual([expect.stringMatching(`^127\\.0\\.0\\.1:${port}:`)]);
  });

  test('uses the same bucket, region and namespace', () => {
    expect(apiSettings).toMatchObject({ S3_BUCKET: s3Bucket, TEMPORAL_NAMESPACE: temporalNamespace });
    expect(services.versitygw?.command).toEqual(expect.arrayContaining(['--region', s3Region]));
  });
});

describe('compose.yaml', () => {
  const env = variablesOf(makeEnv());
  const resolved = Object.fromEntries(
    Object.entries(apiSettings).map(([name, text]) => [
      name,
      text.replaceAll(/\$\{(\w+)(?::-(.*?))?(?::\?.*?)?\}/g, (_, key, fallback) => `${env[key] ?? fallback}`),
    ]),
  );

  test('sets every variable that the development stack sets, and only variables that the configuration accepts', () => {
    const config = readConfig({ ...resolved, API_HOST: '0.0.0.0' });
    const known = Object.keys(config);
    expect(Object.keys(apiSettings).filter((name) => !known.includes(name))).toEqual([]);
    // compose.yaml uses S3 too. DRAIN_SECONDS may have its default; the default region is compared below.
    const ofStack = Object.keys(environmentOf({ ...openInstance('dev'), storage: 's3' }));
    const unset = ofStack.filter((name) => !['DRAIN_SECONDS', 'S3_REGION'].includes(name) && !(name in apiSettings));
    expect(unset).toEqual(['MIGRATION_DATABASE_URL']); // only `migrate` has it
    expect(config.S3_REGION).toBe(s3Region);
  });

  test('gives the owner of the tables to `migrate` only, and the service a role of its own', () => {
    const userOf = (url = '') => /^postgres:\/\/(\w+):/.exec(url)?.[1];
    expect([userOf(apiSettings.DATABASE_URL), apiSettings.MIGRATION_DATABASE_URL]).toEqual([serviceRole, undefined]);
    expect(userOf(services.migrate?.environment.MIGRATION_DATABASE_URL)).toBe(databaseOwner);
    const withOwner = assayServices.filter(([, service]) => JSON.stringify(service).includes('POSTGRES_PASSWORD'));
    expect(withOwner.map(([name]) => name)).toEqual(['migrate']);
  });

  test('adds secrets that a newer version needs to an existing .env, and keeps the others', () => {
    const kept = ['POSTGRES_PASSWORD=a', 'KEY_PEPPER=b', 'WORKER_MEMORY=4g', ''].join('\n');
    const written = makeEnv(kept);
    expect(written.startsWith(kept)).toBe(true);
    expect(Object.keys(variablesOf(written)).sort()).toEqual([...Object.keys(env), 'WORKER_MEMORY'].sort());
  });

  test('publishes every port on loopback only', () => {
    const published = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  test('publishes the object store on the port that upload URLs contain', () => {
    const port = new URL(`${apiSettings.S3_PUBLIC_ENDPOINT}`).port;
    expect(services.versitygw?.ports).toEqual([`127.0.0.1:${port}:${port}`]);
    expect(new URL(`${apiSettings.S3_ENDPOINT}`).port).toBe(port); // the service `cli` shares the server's network
    expect(services.cli?.network_mode).toBe('service:versitygw');
  });

  test.each(assayServices.filter(([name]) => name !== 'cli'))(
    'runs %s without unnecessary privileges',
    (_, service) => {
      expect(service).toMatchObject({
        user: '10001:10001',
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        environment: apiSettings,
      });
      expect(service.privileged).toBeUndefined();
    },
  );

  test('starts each service only after its dependencies are ready', () => {
    for (const [name, service] of Object.entries(services)) {
      for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
        const isOnce = /^(migrate|provision|temporal-schema)$/.test(needed);
        expect(condition, `${name} needs ${needed}`).toBe(
          isOnce ? 'service_completed_successfully' : 'service_healthy',
        );
        if (!isOnce) expect(services[needed]?.healthcheck, needed).toBeDefined();
      }
    }
  });

  test('requires the secrets that deploy/make-env writes, and uses the variables that .env.example lists', () => {
    const used = new Set([...readRootFile('compose.yaml').matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name]) => `${name}`));
    used.delete('ASSAY_API_KEY'); // set by the caller, not by the installation
    expect(Object.keys(variablesOf(readRootFile('.env.example'))).sort()).toEqual([...used].sort());
    const required = [...readRootFile('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => `${name}`);
    expect(Object.keys(env).sort()).toEqual([...new Set(required)].sort());
    expect(Object.keys(composeEnvironmentOf(openInstance('dev'))).sort()).toEqual(Object.keys(env).sort());
  });

  test('prints keys only on request: `up` starts no service that prints keys', () => {
    const printers = Object.entries(services).filter(([, { command }]) => /first-workspace|admin/.test(`${command}`));
    expect(printers.map(([name]) => name)).toEqual(['first-workspace']);
    for (const [name, { profiles }] of printers) expect(profiles, name).toEqual(['tools']);
  });

  test('builds nothing before `docker compose run`, so that the output is only that of the container', () => {
    const forRun = Object.values(services).filter(({ profiles }) => profiles);
    expect(forRun).toHaveLength(2);
    for (const { depends_on, network_mode } of forRun) {
      expect(depends_on).toBeUndefined();
      const [, needed = ''] = /^service:(.*)/.exec(`${network_mode}`) ?? [];
      expect(services[needed]?.build).toBeUndefined();
    }
  });

  test.each(['README.md', 'docs/quickstart.md', 'docs/operate/docker.md'])(
    'has a command that prints the keys and exits, which %s uses instead of `docker compose logs`',
    (page) => {
      expect(readRootFile(page)).toContain('WORKSPACE=$(docker compose run --rm -T first-workspace)');
      expect(readRootFile(page)).not.toMatch(
        /\$\(docker compose logs|docker compose logs.* (-f|--follow)|logs .*first-workspace/,
      );
    },
  );

  test('builds each image only once, because concurrent builds of one tag fail', () => {
    const built = assayServices.filter(([, { build }]) => build).map(([, { image }]) => image);
    expect(built.sort()).toEqual(['assay-api', 'assay-worker']);
    for (const [name, { build, pull_policy }] of assayServices)
      expect(pull_policy, name).toBe(build ? 'build' : 'never');
  });

  test('sends the builder only files that .dockerignore allows, not a video beside compose.yaml', () => {
    const [first] = readRootFile('.dockerignore').match(/^[^#\n].*$/m) ?? [];
    expect(first).toBe('*');
  });

  test('builds images with the Node.js and pnpm versions of the workspace', () => {
    const dockerfile = readRootFile('deploy/images/Dockerfile');
    expect(dockerfile).toContain(`ARG NODE_VERSION=${readRootFile('.nvmrc').trim()}\n`);
    expect(dockerfile).toContain(`ARG PNPM_VERSION=${versionInSetup('PNPM_VERSION')}\n`);
  });

  test('builds images with the package.json of every package', () => {
    const manifests = execFileSync('git', ['ls-files', '*/package.json'], { cwd: root, encoding: 'utf8' }).trim();
    const copied = [...readRootFile('deploy/images/Dockerfile').matchAll(/^COPY (\S+\/package\.json) /gm)].map(
      ([, file]) => file,
    );
    expect(copied.sort()).toEqual(manifests.split('\n').sort());
  });
});

/** The .env file that deploy/make-env writes, here in a temporary folder. */
function makeEnv(existing?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-env-'));
  mkdirSync(join(folder, 'deploy'));
  cpSync(join(root, 'deploy/make-env'), join(folder, 'deploy/make-env'));
  if (existing !== undefined) writeFileSync(join(folder, '.env'), existing);
  const run = () => execFileSync(join(folder, 'deploy/make-env'), { encoding: 'utf8' });
  run();
  const written = readFileSync(join(folder, '.env'), 'utf8');
  run(); // a second run changes nothing
  expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(written);
  return written;
}

function variablesOf(file: string): Record<string, string> {
  return Object.fromEntries([...file.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
}

function installedVersion(program: string): string {
  return /\d+\.\d+(\.\d+)?/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[0] ?? '';
}

function firstNumbersOf(version: string, parts: number): string {
  return version.split('.').slice(0, parts).join('.');
}
