import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildGoTool, goSources, pathOfGoTool } from '@assay/stack/go-tool.ts';
import { cacheDir } from '@assay/stack/instance.ts';
import { temporalUiTool } from '@assay/stack/parts/temporal-ui.ts';
import { versitygwTool } from '@assay/stack/parts/versitygw.ts';
import { versionInSetup } from '@assay/stack/versions.ts';
import { parse } from 'yaml';
import { buildImages, imageNameOf, images } from '#deploy/images/build-images.ts';
import { makeBases } from '#deploy/images/make-bases.ts';
import { installTools, root, run } from '#deploy/images/tools.ts';

const context = join(import.meta.dirname, 'stand-ins');

/** Assay's images, and stand-ins with the names of the other images in compose.yaml. Layers are cached. */
export function makeImages(): void {
  installTools('netavark', 'aardvark-dns', 'iptables');
  const base = 'docker.io/library/debian:12-slim';
  if (spawnSync('podman', ['image', 'exists', base]).status !== 0) makeBases();
  buildImages();
  // Compose asks for `assay-api`, whose full name in Docker's API is docker.io/library/assay-api.
  for (const image of images) run('podman', 'tag', imageNameOf(image), `docker.io/library/assay-${image}:latest`);

  const temporal = versionInSetup('TEMPORAL_VERSION');
  for (const tool of [versitygwTool, temporalUiTool]) buildGoTool(tool);
  const contexts = {
    versitygw: dirname(pathOfGoTool(versitygwTool)),
    temporal: join(cacheDir, `temporal-${temporal}`),
    'temporal-release': goSources(`go.temporal.io/server@v${temporal}`),
    'temporal-ui': dirname(pathOfGoTool(temporalUiTool)),
  };
  for (const [service, image] of othersImages()) {
    run(
      'buildah',
      'bud',
      ...['--quiet', '--layers', '--pull=false', '--isolation', 'chroot', '--network', 'host'],
      ...Object.entries(contexts).flatMap(([name, folder]) => ['--build-context', `${name}=${folder}`]),
      ...['--target', service, '--tag', image, context],
    );
  }
}

function othersImages(): [string, string][] {
  const { services } = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'), { merge: true });
  return Object.entries<{ image: string }>(services)
    .map(([service, { image }]): [string, string] => [service, image])
    .filter(([, image]) => !image.startsWith('assay-'));
}
