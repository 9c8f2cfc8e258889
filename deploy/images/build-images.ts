import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installTools, readOutput, run } from './tools.ts';

export const images = ['api', 'worker'] as const;
export type Image = (typeof images)[number];
export const imageNameOf = (image: Image) => `localhost/assay-${image}`;

/** Builds images with buildah, as `docker build` would, which podman can run. */
export function buildImages(wanted: readonly Image[] = images, tag = 'latest', options: string[] = []): void {
  installTools();
  for (const image of wanted) {
    withCertificates((trust) =>
      run(
        'buildah',
        'bud',
        ...['--file', 'deploy/images/Dockerfile', '--target', image, '--tag', `${imageNameOf(image)}:${tag}`],
        ...['--layers', '--pull=false', '--isolation', 'chroot', '--network', 'host'],
        ...['--format', 'docker'], // the OCI format has no health check
        ...['--build-arg', `REVISION=${readOutput('git', 'rev-parse', 'HEAD')}`],
        // The timestamp is that of the commit, so that two builds of the same sources can be compared.
        ...['--timestamp', readOutput('git', 'log', '-1', '--format=%ct')],
        ...trust,
        ...options,
        '.',
      ),
    );
    const bytes = Number(
      readOutput('podman', 'image', 'inspect', '--format', '{{.Size}}', `${imageNameOf(image)}:${tag}`),
    );
    console.log(`${imageNameOf(image)}:${tag}  ${Math.round(bytes / 1e6)} MB`);
  }
}

/** Behind a proxy with its own CA, npm in the build must trust the CA too. NODE_EXTRA_CA_CERTS names its file. */
function withCertificates<T>(work: (options: string[]) => T): T {
  const { NODE_EXTRA_CA_CERTS: bundle = '' } = process.env;
  if (!existsSync(bundle)) return work([]);
  const folder = mkdtempSync(join(tmpdir(), 'assay-build-'));
  try {
    const npmrc = join(folder, 'npmrc');
    writeFileSync(npmrc, 'cafile=/run/secrets/certificates\n');
    return work(['--secret', `id=npmrc,src=${npmrc}`, '--secret', `id=certificates,src=${bundle}`]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
