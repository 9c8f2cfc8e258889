import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDir } from '@assay/stack/instance.ts';

const run = promisify(execFile);
const secondsMax = 300;

/** Downloads a Debian package once, unpacks it into the cache and returns the paths of the given files. */
export async function takeFromPackage(name: string, files: readonly string[]): Promise<Map<string, string>> {
  const folder = join(cacheDir, 'ordinary', name);
  if (!existsSync(folder)) await download(name, folder);
  const paths = (await readdir(folder, { recursive: true })).sort();
  return new Map(
    files.map((file) => {
      const path = paths.find((one) => basename(one) === file);
      if (!path) throw new Error(`${name} has no file ${file}: another version of the package?`);
      return [file, join(folder, path)];
    }),
  );
}

async function download(name: string, folder: string): Promise<void> {
  const parent = join(cacheDir, 'ordinary');
  await mkdir(parent, { recursive: true });
  const scratch = await mkdtemp(join(parent, 'scratch-'));
  try {
    const options = { cwd: scratch, timeout: secondsMax * 1000 };
    await run('apt-get', ['download', name], options);
    const [archive = ''] = await readdir(scratch);
    await run('dpkg-deb', ['-x', archive, 'unpacked'], options);
    await rename(join(scratch, 'unpacked'), folder);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
