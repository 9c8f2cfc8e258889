import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { imageNameOf, images } from './build-images.ts';
import { readOutput, root } from './tools.ts';

type Component = { type: string; name: string; version: string; purl: string };
type Bom = { metadata: { component: object }; components: object[] };

/** CycloneDX, one file per image: the npm packages of the service from the lockfile, and Debian's from the image. */
export function writeSboms(): void {
  const npm = JSON.parse(
    readOutput('pnpm', '--filter', '@assay/server', 'sbom', '--prod', '--sbom-format', 'cyclonedx', '--lockfile-only'),
  ) as Bom;
  for (const image of images) {
    const packages = debianPackages(imageNameOf(image));
    const node = { type: 'application', name: 'node', version: process.versions.node };
    const bom: Bom = {
      ...npm,
      metadata: { ...npm.metadata, component: { type: 'container', name: `assay-${image}` } },
      // The component of the service is included, because the dependencies refer to it.
      components: [
        npm.metadata.component,
        ...npm.components,
        ...packages,
        { ...node, purl: `pkg:generic/node@${node.version}` },
      ],
    };
    const file = join(root, `sbom-${image}.cdx.json`);
    writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`);
    console.log(`${file}: ${npm.components.length} npm packages, ${packages.length} Debian packages`);
  }
}

function debianPackages(image: string): Component[] {
  const list = readOutput('podman', 'run', '--rm', '--network', 'none', '--entrypoint', 'dpkg-query', image, '--show');
  return list.split('\n').map((line) => {
    const [name = '', version = ''] = line.split(/:\w+\t|\t/);
    const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?distro=debian-12`;
    return { type: 'library', name, version, purl };
  });
}
