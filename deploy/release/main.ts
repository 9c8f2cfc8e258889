import { join } from 'node:path';
import { packPackages } from './pack.ts';

const usage = `usage: pnpm release pack [folder]

  Packs @assay/sdk and @assay/cli, with the version of the service, into tarballs that npm can install.
  Default folder: dist/packages`;

const [command, folder = join(import.meta.dirname, '..', '..', 'dist', 'packages'), ...rest] = process.argv.slice(2);
if (command !== 'pack' || folder.startsWith('-') || rest.length > 0) {
  console.error(usage);
  process.exit(2);
}
for (const tarball of packPackages(folder)) console.log(tarball);
