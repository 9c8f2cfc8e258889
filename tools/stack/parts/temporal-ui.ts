import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildGoTool, type GoTool, pathOfGoTool } from '../go-tool.ts';
import { temporalNamespace } from '../instance.ts';
import type { Part } from '../part.ts';
import { versionInSetup } from '../versions.ts';

const version = versionInSetup('TEMPORAL_UI_VERSION');
export const temporalUiTool: GoTool = {
  name: 'temporal-ui',
  version,
  module: 'github.com/temporalio/ui-server/v2',
  main: './cmd/server',
};

export const temporalUi: Part = {
  name: 'temporal-ui',
  stopSignal: 'SIGTERM',
  address: ({ ports }) => `http://127.0.0.1:${ports.temporalUi}`,
  async prepare(instance) {
    buildGoTool(temporalUiTool);
    const folder = join(instance.dir, 'temporal-ui');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'local.yaml'),
      [
        `temporalGrpcAddress: 127.0.0.1:${instance.ports.temporal}`,
        `host: 127.0.0.1`,
        `port: ${instance.ports.temporalUi}`,
        `enableUi: true`,
        `defaultNamespace: ${temporalNamespace}`,
        `hideLogs: true`,
      ].join('\n'),
    );
  },
  command: (instance) => ({
    program: pathOfGoTool(temporalUiTool),
    args: ['--root', instance.dir, '--config', 'temporal-ui', '--env', 'local', 'start'],
  }),
  async readVersion(instance) {
    const response = await fetch(`${temporalUi.address(instance)}/api/v1/settings`, {
      signal: AbortSignal.timeout(2000),
    });
    if (!response.ok) throw new Error(`temporal-ui answered ${response.status}`);
    const settings = (await response.json()) as { Version?: string };
    return settings.Version || version;
  },
};
