import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { prefixes } from '@assay/contract/route.ts';
import { printTable } from '@assay/stack/table.ts';
import { type GeneratedClient, listClients } from './clients.ts';
import { runCommand } from './run-command.ts';
import { type KnownWorkspace, withService } from './service.ts';
import { installTools, type Tools } from './tools.ts';

/**
 * Generates clients from the document that the service serves, with the generators that callers use, builds each client
 * and calls the service with it. Arguments select clients by a part of their names: `pnpm generators go`.
 */
const commandSecondsMax = 600; // the first build downloads the dependencies of the generated client
type ClientResult = { client: string; generated: string; built: string; called: string };

const requestedNames = process.argv.slice(2).map((word) => word.toLowerCase());
const tools = await installTools();
const scratch = mkdtempSync(join(tmpdir(), 'assay-generators-'));
const failures: string[] = [];
try {
  await withService(async (workspace) => {
    const document = join(scratch, 'openapi.json');
    writeFileSync(document, await (await fetch(`${workspace.url}/openapi.json`)).text());
    const clients = listClients(tools, document).filter(
      ({ name }) => requestedNames.length === 0 || requestedNames.some((word) => name.toLowerCase().includes(word)),
    );
    if (clients.length === 0) throw new Error(`no client is called ${requestedNames.join(', ')}`);
    const rows: ClientResult[] = [];
    for (const client of clients) rows.push(await tryClient(client, workspace));
    printTable(rows);
  });
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
for (const failure of failures) console.error(`\nFAILED: ${failure}`);
if (failures.length > 0) process.exitCode = 1;

/** Generates, builds and calls a client. Stops at the first step that fails, because later steps need it. */
async function tryClient(client: GeneratedClient, workspace: KnownWorkspace): Promise<ClientResult> {
  const folder = mkdtempSync(join(scratch, 'client-'));
  const row: ClientResult = { client: client.name, generated: '', built: '', called: '' };
  const step = async (column: 'generated' | 'built' | 'called', work: () => Promise<void>) => {
    const beganAt = performance.now();
    row[column] = 'failed';
    await work();
    row[column] = `${((performance.now() - beganAt) / 1000).toFixed(1)} s`;
  };
  const run = (command: string[], environment?: Record<string, string>) =>
    runCommand(command, {
      cwd: folder,
      secondsMax: commandSecondsMax,
      environment: { ...environmentOf(tools), ...environment },
    });
  try {
    await step('generated', async () => {
      await run(client.generate);
    });
    await step('built', async () => {
      const target = join(folder, client.smokeFile.to);
      mkdirSync(dirname(target), { recursive: true });
      copyFileSync(client.smokeFile.from, target);
      for (const command of client.build) await run(command);
    });
    await step('called', async () => {
      const output = await run(client.smoke, {
        ASSAY_URL: `${workspace.url}${prefixes[0]}`,
        ASSAY_KEY: workspace.key,
        NO_PROXY: '*',
        no_proxy: '*',
      });
      const { workspaceId, submissionIds } = workspace;
      if (!isDeepStrictEqual(JSON.parse(output), { workspaceId, submissionIds }))
        throw new Error(`read ${output.trim()} instead of ${JSON.stringify({ workspaceId, submissionIds })}`);
    });
  } catch (error) {
    failures.push(`${client.name}\n${(error as Error).message}`);
  }
  return row;
}

/** openapi-python-client formats its output with ruff, which must be in PATH. */
function environmentOf({ pythonBin }: Tools): Record<string, string> {
  return {
    PATH: `${pythonBin}${delimiter}${process.env.PATH}`,
    CGO_ENABLED: '0', // as in ./setup, so that the packages are cached
    PYTHONDONTWRITEBYTECODE: '1',
  };
}
