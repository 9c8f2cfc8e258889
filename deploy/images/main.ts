import { acceptImages } from './accept.ts';
import { buildImages, type Image, images } from './build-images.ts';
import { compareBuilds } from './compare-builds.ts';
import { makeBases } from './make-bases.ts';
import { proveJails } from './prove-jails.ts';
import { runImage } from './run-image.ts';
import { writeSboms } from './write-sboms.ts';

const usage = `usage: pnpm image <command>

  build [api|worker]     build the images with buildah
  run <role> [argument]  run api, worker, migrate or admin in its image, against \`pnpm stack up\`
  sbom                   write sbom-api.cdx.json and sbom-worker.cdx.json
  compare                build the images a second time and list the files that differ
  prove-jails            try to leave each jail in a container, as an ordinary user and as root
  accept                 compare the results of the images with those of this checkout, kill and restart them
  bases                  without access to an image registry: make stand-ins for the base images

Containers get Docker's default system call filter; with ASSAY_IMAGE_JAIL=bubblewrap what bubblewrap needs instead.
Missing tools (buildah, podman, runc) are installed with apt. With Docker, use docker build and docker compose instead.`;

const [command, ...args] = process.argv.slice(2);
switch (command) {
  case 'build':
    if (args.some((name) => !images.includes(name as Image))) throw new Error(usage);
    buildImages(args.length > 0 ? (args as Image[]) : images);
    break;
  case 'run':
    process.exitCode = await runImage(args);
    break;
  case 'sbom':
    writeSboms();
    break;
  case 'compare':
    compareBuilds();
    break;
  case 'prove-jails':
    proveJails();
    break;
  case 'accept':
    await acceptImages();
    break;
  case 'bases':
    makeBases();
    break;
  default:
    console.error(usage);
    process.exitCode = 1;
}
