import { setTimeout as sleep } from 'node:timers/promises';
import { administer } from '@assay/server/admin/admin.ts';
import { readConfig } from '@assay/server/config/config.ts';

// For compose.yaml: creates a first workspace and prints its keys, as soon as the processes whose /readyz the arguments
// name can use them. The documentation assigns the output to a variable, so anything but the keys goes to stderr.

const secondsMax = 120;

const config = readConfig();
const unreadyHost = await findUnready(process.argv.slice(2));
if (unreadyHost) {
  refuse(`${unreadyHost} is not ready after ${secondsMax} s, and no key was created. Start Assay with
docker compose up -d --wait, and if that fails, see docker compose logs ${unreadyHost}.`);
} else {
  const [workspace] = (await administer(config, ['workspace', 'list'])) as { workspaceId: string; name: string }[];
  if (workspace) {
    refuse(`The workspace ${workspace.name} already exists, and a key is shown only when it is created. To create a new key, run:

  docker compose exec -T api assay-server admin key create --workspace ${workspace.workspaceId} --mode live
`);
  } else {
    const created = await administer(config, ['workspace', 'create', '--name', 'demo', '--tier', 'pro']);
    console.log(JSON.stringify(created, null, 2));
  }
}

function refuse(message: string): void {
  console.error(message);
  process.exitCode = 1;
}

/** Returns the host of the first URL that does not respond with success in time. */
async function findUnready(urls: string[]): Promise<string | undefined> {
  const deadline = Date.now() + secondsMax * 1000;
  for (const url of urls) {
    const isReady = () =>
      fetch(url, { signal: AbortSignal.timeout(5000) }).then(
        ({ ok }) => ok,
        () => false, // the process is not started yet
      );
    while (!(await isReady())) {
      if (Date.now() > deadline) return new URL(url).hostname;
      await sleep(500);
    }
  }
}
