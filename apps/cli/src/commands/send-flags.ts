import type { Command } from 'commander';
import type { SendOptions } from '../send-files.ts';
import { requireSandbox, type Session } from '../session.ts';
import { addMetadata, type Metadata, metadataOf, parseClientReference } from './metadata.ts';
import { listOption, wholeNumber } from './option-values.ts';

export type SendFlags = {
  concurrency: number;
  sidekick?: string[];
  profile?: string;
  previous?: string;
  clientReference?: string;
  metadata?: Metadata;
  simulationDelaySeconds?: number;
};

/** What `check` and `submit` accept. */
export const namedFiles =
  'videos, audio, images, documents; folders with such files; or patterns, such as "media/*.mp4"';

/** The longest simulated run that the service supports. */
const simulationDelaySecondsMax = 30;

/** Options shared by `check` and `submit`. */
export function addSendOptions(command: Command): void {
  command
    .addOption(
      listOption(
        '--sidekick <name>',
        'run only this check, by name or id, instead of the default checks (see assay sidekicks)',
      ),
    )
    .option('--profile <name>', 'delivery profile, by name or id; see assay profiles (default: that of the workspace)')
    .option('--previous <submissionId>', 'the files are new versions of the files in this submission')
    .option(
      '--client-reference <text>',
      'your own reference of the submission, which events contain',
      parseClientReference,
    )
    .option(
      '--metadata <key=value>',
      'your own data about the submission, returned with it: key=value, a JSON object, or @file with one; can be repeated',
      addMetadata,
    )
    .option(
      '--simulation-delay-seconds <n>',
      `duration of the simulated run in seconds, 0 to ${simulationDelaySecondsMax}; sandbox key only (default: completes at once)`,
      wholeNumber(0, simulationDelaySecondsMax),
    )
    .option('--concurrency <n>', 'number of parallel uploads', wholeNumber(1), 4);
}

/** Rejects unknown checks and profiles, and a simulation delay with a live key, before any file is uploaded. */
export async function readSendOptions(session: Session, flags: SendFlags): Promise<SendOptions> {
  const { assay, signal } = session;
  const { concurrency, sidekick, previous, simulationDelaySeconds } = flags;
  if (simulationDelaySeconds !== undefined) await requireSandbox(session);
  if (flags.profile) await assay.profiles.get(flags.profile, {}, { signal });
  const profile = flags.profile ?? (await inheritProfile(session, flags));
  return {
    concurrency,
    previous,
    simulationDelaySeconds,
    sidekickIds: sidekick && (await assay.sidekicks.resolve(sidekick, { signal })),
    metadata: metadataOf({ ...flags, ...(profile && { profile }) }),
  };
}

/** A new version is judged as the one before, unless the caller says otherwise: else issues would come and go with the limits. */
async function inheritProfile(session: Session, { previous, metadata }: SendFlags): Promise<string | undefined> {
  if (!previous || metadata?.assay !== undefined) return undefined;
  const { assay, signal, err } = session;
  const submission = await assay.submissions.get(previous, { signal }).catch((error) => {
    if (error.code === 'insufficient_scope') return undefined; // a key that may only submit
    throw error;
  });
  if (!submission) return undefined;
  const { profile } = submission;
  err.line(`Delivery profile: ${profile.name}, as for the previous version. Choose another one with --profile.`);
  return profile.profileId;
}
