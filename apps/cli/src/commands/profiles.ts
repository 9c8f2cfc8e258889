import { readFile } from 'node:fs/promises';
import { formatRevision } from '@assay/report/format/format.ts';
import type { Profile, ProfileChange, ProfileRequest } from '@assay/sdk';
import type { Command } from 'commander';
import { parseJsonObject } from '../json-object.ts';
import { formatComparison, formatProfile, formatProfiles } from '../output/profile-table.ts';
import { readStdin, requireConfirmation } from '../prompt.ts';
import { type Context, openSession, type Session, takeItems } from '../session.ts';
import { wholeNumber } from './option-values.ts';

type RevisionFlags = { revision?: number; withRevision?: number };

const fileOption = ['--file <file>', 'JSON document of the profile; - reads it from stdin'] as const;

const introduction = `
A profile is a JSON document that changes another profile:

  {
    "name": "our-podcasts",
    "extends": { "profile": "general" },
    "limits": { "loudness": { "target": -16 } },
    "rules": [{ "ruleCode": "LOUD-INTEGRATED-HIGH", "severity": "MAJOR" }],
    "failOn": "MAJOR"
  }

Examples:
  $ assay profiles create --file our-podcasts.json
  $ assay profiles diff our-podcasts general
  $ assay check episode.mp3 --profile our-podcasts`;

export function addProfiles(program: Command, context: Context): void {
  const group = program
    .command('profiles')
    .summary('manage delivery profiles: the limits that files are checked against')
    .description(
      'Manages delivery profiles: limits, severities and the gate that files are checked against. Profiles can be given by name or id.',
    )
    .addHelpText('after', introduction);
  addReadCommands(group, context);
  addWriteCommands(group, context);
}

function addReadCommands(group: Command, context: Context): void {
  group
    .command('list')
    .description('Lists the built-in profiles and those of the workspace.')
    .addHelpText('after', '\nExample:\n  $ assay profiles list')
    .action(async (_: unknown, self: Command) => {
      const session = openSession(self, context);
      const profiles = await takeItems(session.assay.profiles.list({ signal: session.signal }));
      session.print({ profiles }, () => formatProfiles(profiles, session.out));
    });

  group
    .command('show <profile>')
    .description('Shows all limits and rules of a profile, and where they come from.')
    .option('--revision <n>', 'show this revision (default: the newest)', wholeNumber(1))
    .addHelpText('after', '\nExample:\n  $ assay profiles show ebu-r128 --json')
    .action(async (name: string, { revision }: RevisionFlags, self: Command) => {
      const session = openSession(self, context);
      const profile = await session.assay.profiles.get(name, { revision }, { signal: session.signal });
      session.print(profile, () => formatProfile(profile, session.out));
    });

  group
    .command('diff <profile> <other>')
    .description('Shows what differs between two profiles, or two revisions of one, inherited limits included.')
    .option('--revision <n>', 'revision of the first profile (default: the newest)', wholeNumber(1))
    .option('--with-revision <n>', 'revision of the other profile (default: the newest)', wholeNumber(1))
    .addHelpText(
      'after',
      '\nExamples:\n  $ assay profiles diff our-podcasts general\n  $ assay profiles diff our-podcasts our-podcasts --revision 1',
    )
    .action(async (name: string, other: string, flags: RevisionFlags, self: Command) => {
      const session = openSession(self, context);
      const comparison = await session.assay.profiles.compare(name, other.toLowerCase(), flags, {
        signal: session.signal,
      });
      session.print(comparison, () => formatComparison(comparison, session.out));
    });
}

function addWriteCommands(group: Command, context: Context): void {
  group
    .command('create')
    .description('Creates a profile from a JSON document.')
    .requiredOption(...fileOption)
    .addHelpText('after', '\nExample:\n  $ assay profiles create --file our-podcasts.json')
    .action(async ({ file }: { file: string }, self: Command) => {
      const session = openSession(self, context);
      const document = await readDocument<ProfileRequest>(file);
      const profile = await session.assay.profiles.create(document, { signal: session.signal });
      session.print(
        profile,
        () => `${formatSuccess(session, 'Created', profile)}\n  Use it: assay check <files> --profile ${profile.name}`,
      );
    });

  group
    .command('update <profile>')
    .description(
      'Makes a new revision of a profile. Fields that the document leaves out stay unchanged; limits and rules are replaced as a whole.',
    )
    .requiredOption(...fileOption)
    .addHelpText('after', '\nExample:\n  $ assay profiles update our-podcasts --file our-podcasts.json')
    .action(async (name: string, { file }: { file: string }, self: Command) => {
      const session = openSession(self, context);
      const document = await readDocument<ProfileChange>(file);
      const profile = await session.assay.profiles.update(name, document, { signal: session.signal });
      session.print(profile, () => {
        const before = profile.revision - 1;
        const compare = `assay profiles diff ${profile.name} ${profile.name} --revision ${before}`;
        return `${formatSuccess(session, 'Updated', profile)}${before > 0 ? `\n  See what changed: ${compare}` : ''}`;
      });
    });

  group
    .command('default <profile>')
    .description('Makes a profile the default of the workspace: it applies to submissions that name none.')
    .addHelpText('after', '\nExample:\n  $ assay profiles default our-podcasts')
    .action(async (name: string, _: unknown, self: Command) => {
      const session = openSession(self, context);
      const profile = await session.assay.profiles.setDefault(name, { signal: session.signal });
      session.print(profile, () => formatSuccess(session, 'The default profile of the workspace is', profile));
    });

  group
    .command('delete <profile>')
    .description('Deletes a profile. Past results keep the revision that they were checked against.')
    .option('-y, --yes', 'skip the confirmation')
    .addHelpText('after', '\nExample:\n  $ assay profiles delete our-podcasts --yes')
    .action(async (name: string, { yes }: { yes?: boolean }, self: Command) => {
      const session = openSession(self, context);
      const profile = await session.assay.profiles.get(name, {}, { signal: session.signal });
      await requireConfirmation(`Delete the profile ${profile.name}?`, yes, session.signal);
      await session.assay.profiles.delete(profile.profileId, { signal: session.signal });
      session.print(
        { profileId: profile.profileId, isDeleted: true },
        () => `${session.out.paint('✓', 'green')} Deleted ${profile.name}.`,
      );
    });
}

function formatSuccess({ out }: Session, what: string, profile: Profile): string {
  return `${out.paint('✓', 'green')} ${what} ${formatRevision(profile)}.`;
}

/** Rejects only what is not a JSON object; the service checks everything else. */
async function readDocument<Document>(file: string): Promise<Document> {
  const text = file === '-' ? await readStdin() : await readFile(file, 'utf8');
  const name = file === '-' ? 'The input' : file;
  return parseJsonObject(text, name, 'See an example: assay profiles --help') as Document;
}
