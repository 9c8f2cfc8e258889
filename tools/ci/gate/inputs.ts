import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { relative } from 'node:path';
import { createInterface } from 'node:readline';
import { installPackages } from '@assay/stack/install-packages.ts';
import { root } from '@assay/testing/run/root.ts';
import { groups, isInput } from './groups.ts';
import { readFiles } from './kept.ts';
import { runGroup } from './run-group.ts';

/**
 * `pnpm inputs`: runs each group and records the repository files that any process opens meanwhile. A file that a group
 * opens, but does not declare as an input, is an error: after a change to it, the group would not run again.
 */
const unwatchedPaths = '/(node_modules|\\.git|\\.stack|dist)(/|$)';

async function filesOpenedDuring(run: () => Promise<unknown>): Promise<Set<string>> {
  const args = ['-m', '-r', '-e', 'open', '--exclude', unwatchedPaths, '--format', '%e %w%f', root];
  const watcher = spawn('inotifywait', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const opened = new Set<string>();
  createInterface({ input: watcher.stdout }).on('line', (line) => {
    const [events = '', path = ''] = line.split(/ (.*)/);
    if (events.includes('Q_OVERFLOW')) throw new Error('events were lost: raise fs.inotify.max_queued_events');
    if (!events.includes('ISDIR')) opened.add(relative(root, path));
  });
  for await (const line of createInterface({ input: watcher.stderr })) if (line.includes('established')) break;
  await run();
  watcher.kill();
  await once(watcher, 'close');
  return opened;
}

installPackages('inotify-tools');
const repositoryFiles = readFiles();
let undeclaredCount = 0;
for (const group of groups.filter(({ notRead }) => notRead)) {
  const opened = await filesOpenedDuring(() => runGroup(group));
  const missing = [...opened].filter((file) => repositoryFiles.has(file) && !isInput(group, file)).sort();
  undeclaredCount += missing.length;
  console.log(`${group.name} opened ${opened.size} files; not declared: ${missing.join(', ') || 'none'}`);
}
console.log(`${undeclaredCount} files were opened but not declared as inputs`);
process.exitCode = undeclaredCount > 0 ? 1 : 0;
