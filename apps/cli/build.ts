import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';

// Bundles the CLI and its dependencies into one file that runs on Node 20 and later (`pnpm build`).
const bundleFile = join(import.meta.dirname, 'dist', 'assay.js');
rmSync(join(import.meta.dirname, 'dist'), { recursive: true, force: true });
await build({
  input: join(import.meta.dirname, 'src', 'main.ts'),
  platform: 'node',
  transform: { target: 'node20' },
  output: { file: bundleFile, format: 'esm', codeSplitting: false },
});
chmodSync(bundleFile, 0o755);
