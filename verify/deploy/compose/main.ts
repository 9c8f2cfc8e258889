import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildGoTool, pathOfGoTool } from '@assay/stack/go-tool.ts';
import { printTable } from '@assay/stack/table.ts';
import { root } from '#deploy/images/tools.ts';
import { composeProject, openEngine } from './engine.ts';
import { makeImages } from './stand-ins.ts';
import { blockWith, commandsOf, lineWith, walk } from './walk.ts';

/**
 * `pnpm compose-check`: runs the commands of README.md and docs/quickstart.md as they are written there, with Docker
 * Compose on podman's Docker API: from nothing until the first issue, then from a stopped state; three rounds.
 */

const rounds = 3;
const compose = { name: 'docker-compose', version: '2.40.3', module: 'github.com/docker/compose/v2', main: './cmd' };
const pages = ['README.md', 'docs/quickstart.md'];
const read = (file: string) => readFileSync(join(root, file), 'utf8');

buildGoTool(compose);
makeImages();
const scratch = mkdtempSync(join(tmpdir(), 'assay-compose-'));
const socket = join(scratch, 'podman.sock');
const bin = join(scratch, 'bin');
mkdirSync(bin);
const docker = `#!/bin/sh\n[ "$1" = compose ] || exit 127\nshift\nexec ${pathOfGoTool(compose)} "$@"\n`;
writeFileSync(join(bin, 'docker'), docker, { mode: 0o755 });
const environment = {
  PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH}`,
  HOME: scratch,
  LANG: 'C.UTF-8',
  DOCKER_HOST: `unix://${socket}`,
  COMPOSE_PROJECT_NAME: composeProject,
  COMPOSE_FILE: `compose.yaml:${join(import.meta.dirname, 'override.yaml')}`,
};
const [stop = '', start = '', remove = ''] = blockWith('down --volumes', read('docs/operate/docker.md')).split('\n');

const engine = await openEngine(socket);
try {
  const repository = makeRepository();
  const rows = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const page of pages) {
      const row = await walkPage(page, `round ${round}`, repository);
      rows.push({ round: `${round}`, page, ...row });
    }
  }
  printTable(rows);
} catch (error) {
  engine.printLogs();
  throw error;
} finally {
  await engine.close();
  rmSync(scratch, { recursive: true, force: true });
}

async function walkPage(page: string, round: string, repository: string) {
  const folder = mkdtempSync(join(scratch, 'walk-'));
  const text = read(page).replaceAll('<address of this repository>', repository);
  const first = await walk(`${page}, ${round}, from nothing`, commandsOf(text), { folder, environment });

  // A reader returns in another terminal, with the key that the page told them to store.
  const stored = JSON.parse(/^\{\n[\s\S]*?\n\}$/m.exec(first.output)?.[0] ?? '') as { liveKey: string };
  const check = lineWith('run --rm cli check', text);
  const later = { folder: join(folder, 'assay'), environment: { ...environment, ASSAY_API_KEY: stored.liveKey } };
  const second = await walk(`${page}, ${round}, from a stopped state`, [stop, start, check, ''].join('\n'), later);

  // The key is lost: the page's command must say what to do. It fails, but podman forgets the exit code of a container
  // that it removes.
  const lost = `
    ${lineWith('first-workspace', text).replace(/\)$/, ' 2>message)')} || true
    test -z "$WORKSPACE"
    ${lineWith('pick() { docker', text)}
    export ASSAY_API_KEY=$(pick key "$(sh -c "$(grep 'key create' message)")")
    ${check}
    ${remove}
  `;
  await walk(`${page}, ${round}, with a lost key`, lost, later);
  const leftovers = engine.listLeftovers();
  if (leftovers.length > 0) throw new Error(`${remove} leaves ${leftovers.join(', ')}`);
  const [nothing, stopped] = [first, second].map(({ secondsToIssue }) => `${secondsToIssue.toFixed(1)} s`);
  console.log(`${page}, ${round}: ${nothing} from nothing, ${stopped} from a stopped state`);
  return { 'from nothing': `${nothing}`, 'from a stopped state': `${stopped}` };
}

/** Makes the repository that a reader clones: the files of this checkout, and for README.md a video of the reader. */
function makeRepository(): string {
  const folder = join(scratch, 'repository');
  const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' });
  const files = git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0').filter(Boolean);
  for (const file of files) if (existsSync(join(root, file))) cpSync(join(root, file), join(folder, file));
  execFileSync('bash', ['-c', blockWith('ffmpeg -v error -y', read('docs/quickstart.md'))], { cwd: folder });
  renameSync(join(folder, 'spring-ad.mp4'), join(folder, 'your-video.mp4'));
  git(folder, 'init', '--quiet');
  git(folder, 'add', '--all', '--force');
  git(folder, '-c', 'user.name=reader', '-c', 'user.email=reader@localhost', 'commit', '--quiet', '--message', 'copy');
  return folder;
}
