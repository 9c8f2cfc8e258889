import { join } from 'node:path';
import type { Tools } from './tools.ts';

/** A generated client: the commands that make it, build it, and call the service with it. */
export type GeneratedClient = {
  name: string;
  generate: string[];
  /** A file in `smoke/`, and its place in the generated folder. */
  smokeFile: { from: string; to: string };
  build: string[][];
  smoke: string[];
};

const smokeFolder = join(import.meta.dirname, 'smoke');
// Without webhooks, which a client does not call: version 7.25 generates invalid Python code for them.
const generatedParts = ['models', 'apis', 'supportingFiles'];
const omittedExtras = ['apiTests=false', 'modelTests=false', 'apiDocs=false', 'modelDocs=false'];
const outputOptions = ['--global-property', [...generatedParts, ...omittedExtras].join(',')];

/** The generated clients to be tested. None of their commands skips the validation of the document. */
export function listClients({ generatorJar, pythonBin }: Tools, document: string): GeneratedClient[] {
  const openApiGenerator = (language: string, ...options: string[]) => [
    // Full compilation costs more time than it saves in a short run.
    ...['java', '-XX:TieredStopAtLevel=1', '-jar', generatorJar, 'generate'],
    ...['--generator-name', language, '--input-spec', document, '--output', '.', ...outputOptions, ...options],
  ];
  const python = join(pythonBin, 'python');
  const goModule = ['--git-host', 'example.com', '--git-user-id', 'assay', '--git-repo-id', 'client'];
  const javaPackages = ['--invoker-package=client', '--api-package=client.api', '--model-package=client.model'];
  const settings = join(import.meta.dirname, 'python-client.yaml');
  return [
    {
      name: 'OpenAPI Generator, Python',
      generate: openApiGenerator('python', '--package-name', 'assay_client'),
      smokeFile: { from: join(smokeFolder, 'python_smoke.py'), to: 'smoke.py' },
      build: [[python, '-m', 'compileall', '-q', 'assay_client']],
      smoke: [python, 'smoke.py'],
    },
    {
      name: 'OpenAPI Generator, Go',
      generate: openApiGenerator('go', '--package-name', 'assay', ...goModule),
      smokeFile: { from: join(smokeFolder, 'main.go'), to: 'smoke/main.go' },
      build: [
        ['go', 'mod', 'tidy'],
        ['go', 'build', '-o', 'call-service', './smoke'],
      ],
      smoke: ['./call-service'],
    },
    {
      name: 'OpenAPI Generator, Java',
      generate: openApiGenerator('java', ...javaPackages),
      smokeFile: { from: join(smokeFolder, 'Smoke.java'), to: 'src/main/java/Smoke.java' },
      build: [['mvn', '-q', '-B', '-DskipTests', 'package']],
      smoke: ['java', '-cp', 'target/classes:target/lib/*', 'Smoke'],
    },
    {
      name: 'openapi-python-client',
      generate: [
        ...[join(pythonBin, 'openapi-python-client'), 'generate', '--path', document, '--config', settings],
        ...['--meta', 'none', '--output-path', 'assay_client', '--fail-on-warning'],
      ],
      smokeFile: { from: join(smokeFolder, 'python_client_smoke.py'), to: 'smoke.py' },
      build: [[python, '-m', 'compileall', '-q', 'assay_client']],
      smoke: [python, 'smoke.py'],
    },
  ];
}
