import { cpSync, existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Packages needed only to build the workflow code, which is built earlier. */
const unusedPackages = /^(@swc\/|swc-loader$|source-map-loader$)/;

/** Files that packages contain for compilers, readers, browsers and other platforms. */
const isUseless = (file: string) => /\.([cm]?ts|map|md)$|\/protobufjs\/dist$/.test(file) || isOfOtherPlatform(file);

type Manifest = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> };

/**
 * Copies packages and all their dependencies side by side; a second version of a package goes below the package that
 * needs it.
 */
export function copyPackages(importer: string, names: string[], target: string): void {
  const copied = new Map<string, string>(); // from target folder to source folder
  const visit = (from: string, home: string, name: string, isOptional: boolean) => {
    if (unusedPackages.test(name)) return;
    const source = findPackage(from, name);
    if (!source && isOptional) return; // for a different platform
    if (!source) throw new Error(`${from} needs ${name}, which is not installed`);
    const usual = join(target, name);
    const place = [undefined, source].includes(copied.get(usual)) ? usual : join(home, 'node_modules', name);
    if (copied.has(place)) return;
    copied.set(place, source);
    cpSync(source, place, { recursive: true, filter: (file) => !isUseless(file) });
    const { dependencies, optionalDependencies } = JSON.parse(
      readFileSync(join(source, 'package.json'), 'utf8'),
    ) as Manifest;
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies }))
      visit(source, place, dependency, dependency in { ...optionalDependencies });
  };
  for (const name of names) visit(importer, dirname(target), name, false);
}

/** pnpm links the dependencies of a package beside it. */
function findPackage(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(candidate)) return realpathSync(candidate);
    if (folder === dirname(folder)) return undefined;
  }
}

/** The engine's library for every platform is 148 MB. */
function isOfOtherPlatform(file: string): boolean {
  const [, platform] = /core-bridge\/releases\/([^/]+)$/.exec(file) ?? [];
  const architecture = { x64: 'x86_64', arm64: 'aarch64' }[process.arch as string];
  return platform !== undefined && platform !== `${architecture}-unknown-linux-gnu`;
}
