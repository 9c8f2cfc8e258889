import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { cached } from './cached.ts';
import { root } from './root.ts';

/** The CLI as one file, as it is published. It is cached, and starts faster than from its TypeScript sources. */
export async function builtCli(): Promise<string> {
  const sources = globSync('{apps/cli,packages/{contract,report,sdk}}/{package.json,src/**/*.{ts,json}}', {
    cwd: root,
    exclude: ['**/*.test.ts'],
  });
  const files = [...sources.sort(), 'apps/cli/build.ts', 'package.json', 'pnpm-lock.yaml'];
  const builtFrom = files.map((name) => [name, readFileSync(join(root, name))]);
  return cached('built-cli', '.mjs', builtFrom, (file) =>
    build({
      input: join(root, 'apps/cli/src/main.ts'),
      platform: 'node',
      transform: { target: 'node20' },
      output: { file, format: 'esm', codeSplitting: false },
    }),
  );
}
