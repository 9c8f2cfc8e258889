import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from './instance.ts';

/** A program that is built from source on first use. `main` is the folder of its main package. */
export type GoTool = { name: string; version: string; module: string; main: string };

const toolFolderOf = ({ name, version }: GoTool) => join(cacheDir, `${name}-${version}`);

export function pathOfGoTool(tool: GoTool): string {
  return join(toolFolderOf(tool), tool.name);
}

/**
 * Builds a tool on first use, once per version, in the folder where `./setup` keeps its tools. The tool is built from a
 * copy of the sources, because `go install` refuses modules that replace or exclude a dependency.
 */
export function buildGoTool(tool: GoTool): void {
  if (existsSync(pathOfGoTool(tool))) return;
  const { name, version, module, main } = tool;
  console.log(`go: building ${name} ${version} (can take minutes)`);
  mkdirSync(cacheDir, { recursive: true });
  const scratch = mkdtempSync(join(cacheDir, 'build.'));
  try {
    const copy = join(scratch, 'sources'); // must differ from the name of the program, which is built beside it
    execFileSync('cp', ['-r', '--no-preserve=mode', goSources(`${module}@v${version}`), copy]);
    runGo('build', '-C', copy, '-o', join(scratch, name), main);
    mkdirSync(toolFolderOf(tool), { recursive: true });
    renameSync(join(scratch, name), pathOfGoTool(tool));
  } catch (cause) {
    throw new Error(`building ${name} failed; it needs Go 1.26`, { cause });
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** The folder with the sources of a module, such as `example.org/module@v1.2.3`; downloaded if necessary. */
export function goSources(module: string): string {
  return JSON.parse(runGo('mod', 'download', '-json', module)).Dir;
}

function runGo(...args: string[]): string {
  // Run outside the repository, because Go looks for a module in the working folder and its parents.
  const options = { cwd: cacheDir, env: { ...process.env, CGO_ENABLED: '0' }, encoding: 'utf8' } as const;
  return execFileSync('go', args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
}
