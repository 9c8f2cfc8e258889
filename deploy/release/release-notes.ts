import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** The section of a version in the changelog, without its heading. */
export function sectionOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => /^\S+/.exec(text)?.[0] === version);
  return section?.replace(/^.*\n/, '').trim() ?? '';
}

/** What must be done before a tag can be released. */
export function findUnreleasable(
  tag: string,
  {
    version,
    chart,
    packages,
    changelog,
    changesets,
  }: {
    version: string;
    chart: string;
    /** The versions of the published packages by their manifest. */
    packages: Record<string, string>;
    changelog: string;
    changesets: string[];
  },
): string[] {
  const chartVersions = [...chart.matchAll(/^(version|appVersion): (\S+)$/gm)].filter(
    ([, , value]) => value !== version,
  );
  return [
    ...(tag === `v${version}` ? [] : [`The tag is ${tag}, but package.json has the version ${version}.`]),
    ...chartVersions.map(
      ([, name, value]) => `deploy/chart/Chart.yaml has ${name} ${value}, and package.json ${version}.`,
    ),
    ...Object.entries(packages).flatMap(([file, value]) =>
      value === version ? [] : [`${file} has the version ${value}, and package.json ${version}.`],
    ),
    ...(sectionOf(changelog, version) ? [] : [`CHANGELOG.md has no section "## ${version}", or it is empty.`]),
    ...(changesets.length > 0 ? [`Run pnpm changeset version: .changeset has ${changesets.join(', ')}.`] : []),
  ];
}

/** `node deploy/release/release-notes.ts v1.2.3` prints the release notes, or what is missing for the release. */
function main(tag = ''): void {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const versionOf = (file: string): string => JSON.parse(read(file)).version;
  const version = versionOf('package.json');
  const manifests = ['packages/sdk/package.json', 'apps/cli/package.json'];
  const packages = Object.fromEntries(manifests.map((file) => [file, versionOf(file)]));
  const changesets = readdirSync(join(root, '.changeset')).filter((name) => /^(?!README).*\.md$/.test(name));
  const changelog = read('CHANGELOG.md');
  const chart = read('deploy/chart/Chart.yaml');
  const problems = findUnreleasable(tag, { version, chart, packages, changelog, changesets });
  if (problems.length > 0) {
    console.error(problems.join('\n'));
    process.exit(1);
  }
  console.log(sectionOf(changelog, version));
}

if (import.meta.main) main(process.argv[2]);
