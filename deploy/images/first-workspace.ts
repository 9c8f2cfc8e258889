import { administer } from '@assay/server/assemble.ts';
import { readConfig } from '@assay/server/config.ts';

// Creates a first workspace and prints its keys, once: where there is a workspace already, it does nothing.

const config = readConfig();
const workspaces = (await administer(config, ['workspace', 'list'])) as unknown[];
if (workspaces.length === 0) {
  const created = await administer(config, ['workspace', 'create', '--name', 'demo', '--tier', 'pro']);
  console.log(JSON.stringify(created, null, 2));
}
