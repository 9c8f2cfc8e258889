import { buildImages, imageNameOf, images } from './build-images.ts';
import { readOutput } from './tools.ts';

/** Builds both images again from nothing, and lists the files whose content or mode differs. */
export function compareBuilds(): void {
  buildImages(images, 'again', ['--no-cache']);
  for (const image of images) {
    const [first, second] = ['latest', 'again'].map((tag) => listFiles(`${imageNameOf(image)}:${tag}`)) as [
      Files,
      Files,
    ];
    const paths = new Set([...first.keys(), ...second.keys()]);
    const differing = [...paths].filter((path) => first.get(path) !== second.get(path)).sort();
    console.log(`assay-${image}: ${differing.length} of ${paths.size} files differ`);
    for (const path of differing) console.log(`  ${path}`);
  }
}

type Files = Map<string, string>;

/** The mode and owner of each path, with the hash of its content or the target of its link. */
function listFiles(image: string): Files {
  const script = `cd / && find . -xdev \\( -path ./proc -o -path ./sys -o -path ./dev \\) -prune -o -type f -printf '%m %U:%G ' \\
    -exec sha256sum {} \\; -o -type l -printf '%m %U:%G %l  %p\\n'`;
  const output = readOutput(
    ...(['podman', 'run', '--rm', '--network', 'none', '--user', '0:0', '--entrypoint', '/bin/sh'] as const),
    ...[image, '-c', script],
  );
  return new Map(
    output.split('\n').map((line) => {
      const [facts = '', path = ''] = line.split('  ');
      return [path, facts];
    }),
  );
}
