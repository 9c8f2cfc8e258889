import { parseArgs } from 'node:util';
import type { Config } from '#config/config.ts';
import { needsJail, type OpenedJail, openJail } from '#modules/analysis/open-jail.ts';
import { openHandles } from '#start/open-platform.ts';
import { AdminMistake, doctorUsage } from '../command.ts';
import { examineInstallation, type Role } from './doctor.ts';
import { type Finding, formatFindings, okFinding, warningFinding } from './finding.ts';

/** Prints the findings. Returns the exit code: 1 if a check failed. */
export async function runDoctor(config: Config, args: string[]): Promise<number> {
  const { role, json } = readOptions(args);
  const { handles, close } = openHandles({ ...config, LOG_LEVEL: 'fatal' });
  try {
    const findings = await examineInstallation(handles, role ? [role] : ['api', 'worker'], {
      docsFolder: config.DOCS_DIR,
      checkJail: async () => {
        if (!needsJail(config.WORKER_QUEUES))
          return [okFinding('jail', 'not needed: no queue in WORKER_QUEUES examines files')];
        return [describeJail(await openJail(config.TOOL_JAIL, handles.log))];
      },
    });
    console.log(json ? JSON.stringify(findings, null, 2) : formatFindings(findings));
    return findings.some(({ status }) => status === 'failed') ? 1 : 0;
  } finally {
    await close();
  }
}

function describeJail({ jail, examinerJail }: OpenedJail): Finding {
  if (jail === 'none')
    return warningFinding('jail', 'TOOL_JAIL is off', 'Set TOOL_JAIL=auto unless every file is trusted.');
  if (examinerJail === 'none') {
    const detail = `${jail} for media tools, but none for the process that starts them`;
    return warningFinding('jail', detail, 'Run jail-proof, which says what this machine does not permit.');
  }
  return okFinding('jail', jail);
}

function readOptions(args: string[]): { role?: Role; json?: boolean } {
  try {
    const options = { role: { type: 'string' }, json: { type: 'boolean' } } as const;
    const { role, json } = parseArgs({ args, options }).values;
    if (role !== undefined && role !== 'api' && role !== 'worker') throw new Error('--role must be api or worker.');
    return { ...(role && { role }), ...(json && { json }) };
  } catch (error) {
    throw new AdminMistake(`${(error as Error).message}\n\nusage: admin doctor ${doctorUsage}`);
  }
}
