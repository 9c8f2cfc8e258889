import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';

/** The minified code of a bundle whose entry file has these lines, as a page loads it. */
async function bundleOf(lines: string): Promise<string> {
  const entry = join(import.meta.dirname, 'entry.js');
  const bundle = await rolldown({
    input: entry,
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? lines : null),
      },
    ],
  });
  const { output } = await bundle.generate({ minify: true });
  expect(output.length).toBe(1);
  return output[0].code;
}

test.each([
  ['the client', 12, `export { Assay } from '@assay/sdk';`],
  ['unwrap alone', 4, `export { unwrap } from '@assay/sdk';`],
  ['the webhooks module', 4, `export * from '@assay/sdk/webhooks';`],
])('the bundle of %s is at most %i KB and does not need Node', async (_, kilobytesMax, lines) => {
  const code = await bundleOf(lines);
  expect(code).not.toMatch(/node:|\brequire\(/);
  const bytes = gzipSync(code, { level: 9 }).length;
  expect(bytes).toBeGreaterThan(500);
  expect(bytes).toBeLessThanOrEqual(kilobytesMax * 1024);
});
