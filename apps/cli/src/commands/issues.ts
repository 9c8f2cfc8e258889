import type { Issue, IssueDetail } from '@assay/sdk';
import type { Command } from 'commander';
import { exitCodeOf } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { formatChecked } from '../findings.ts';
import { formatDecided, formatIssueDetail } from '../issue-detail.ts';
import { formatReasons, type Reason, statusOfReason } from '../report/decision.ts';
import { type Severity, severities } from '../report/severity.ts';
import { type Checked, readAsset, toJson } from '../results.ts';
import { openSession, type Session, type Surroundings } from '../session.ts';
import { choiceOption, listOption } from './option-values.ts';

type IssueFlags = { severity?: Severity[]; status?: Issue['status'][]; rule?: string[]; sidekick?: string[] };

const issueStatuses: Issue['status'][] = ['OPEN', 'ACKNOWLEDGED', 'AWAITING_HUMAN_INPUT', 'RESOLVED', 'DISMISSED'];

export function addIssues(program: Command, surroundings: Surroundings): void {
  const group = program
    .command('issues <submissionId> [assetId]')
    .summary('show the findings of a submission, or of one of its assets')
    .description('Shows the findings of every asset of a submission, or of one.')
    .addOption(listOption('--severity <severity>', 'only these', severities))
    .addOption(listOption('--status <status>', 'only these', issueStatuses))
    .addOption(listOption('--rule <code>', 'only of these rules'))
    .addOption(listOption('--sidekick <name>', 'only of these sidekicks, by name or id'))
    .addHelpText('after', '\nExample:\n  $ assay issues <submissionId> --severity CRITICAL,MAJOR --json')
    .action(async (submissionId: string, assetId: string | undefined, flags: IssueFlags, self: Command) => {
      const session = openSession(self, surroundings);
      const query = await queryOf(session, flags);
      const { assets } = await session.assay.submissions.get(submissionId, { signal: session.signal });
      const wanted = assetId ? [assetId] : assets.map((asset) => asset.assetId);
      const checked: Checked[] = [];
      for (const one of wanted) {
        const { result, issues } = await readAsset(session, submissionId, one, query);
        checked.push({ file: result.filename, result, issues, refusal: null });
      }
      session.show({ assets: checked.map(toJson) }, () =>
        checked.map((one) => formatChecked(one, session.out)).join('\n\n'),
      );
      if (checked.some(({ result }) => result?.status === 'failed')) process.exitCode = exitCodeOf('failed');
    });
  addShow(group, surroundings);
  addDecide(group, surroundings);
}

function addShow(group: Command, surroundings: Surroundings): void {
  group
    .command('show <submissionId> <assetId> <issue>')
    .summary('show one finding and what was decided on it')
    .description('Shows one finding, by its number or id, and every decision on it.')
    .addHelpText('after', '\nExample:\n  $ assay issues show <submissionId> <assetId> 3')
    .action(async (submissionId: string, assetId: string, issue: string, _: unknown, self: Command) => {
      const session = openSession(self, surroundings);
      const detail = await readIssue(session, submissionId, assetId, issue);
      session.show(detail, () => formatIssueDetail(detail, session.out));
    });
}

// Not `--status`, which is the filter of `issues` itself.
type DecideFlags = { to?: Issue['status']; reason?: Reason; note?: string; carryOver: boolean };

function addDecide(group: Command, surroundings: Surroundings): void {
  group
    .command('decide <submissionId> <assetId> <issue>')
    .summary('decide on one finding')
    .description('Sets the status of a finding, by its number or id. The decision is recorded, with your API key.')
    .addOption(
      choiceOption('--to <status>', 'the new status; left out: the one that the reason stands for', issueStatuses),
    )
    .addOption(choiceOption('--reason <reason>', 'why, in one word', Object.keys(statusOfReason)))
    .option('--note <text>', 'why, in your words')
    .option('--no-carry-over', 'for this version only: decide on the next one again')
    .addHelpText(
      'after',
      `\nReasons:\n${formatReasons()}\n\nExample:\n  $ assay issues decide <submissionId> <assetId> 3 --reason creative_intent --note "Title sequence."`,
    )
    .action(async (submissionId: string, assetId: string, issue: string, flags: DecideFlags, self: Command) => {
      const session = openSession(self, surroundings);
      const status = flags.to ?? (flags.reason && statusOfReason[flags.reason]);
      if (!status) {
        throw new Failure('usage', 'There is no decision to record.', { next: 'Pass --to or --reason.' });
      }
      const { id } = await readIssue(session, submissionId, assetId, issue);
      const { reason, note, carryOver } = flags;
      const body = { status, reason, note, ...(carryOver ? {} : { carriesOver: false }) };
      const { signal } = session;
      const decided = await session.assay.issues.decide(submissionId, assetId, id, body, { signal });
      session.show(decided, () => formatDecided(decided, session.out));
    });
}

/** By id, or by the number that lists and reports show. */
async function readIssue(
  { assay, signal }: Session,
  submissionId: string,
  assetId: string,
  issue: string,
): Promise<IssueDetail> {
  const number = /^#?(\d{1,9})$/.exec(issue)?.[1];
  if (!number) return await assay.issues.get(submissionId, assetId, issue, { signal });
  for await (const { id, referenceNumber } of assay.issues.list(submissionId, assetId, {}, { signal })) {
    if (referenceNumber === Number(number)) return await assay.issues.get(submissionId, assetId, id, { signal });
  }
  throw new Failure('refused', `There is no finding #${number} on this asset.`, {
    next: `See which there are: assay issues ${submissionId} ${assetId}`,
  });
}

async function queryOf({ assay, signal }: Session, { severity, status, rule, sidekick }: IssueFlags) {
  const sidekickId = sidekick && (await assay.sidekicks.resolve(sidekick, { signal }));
  return { severity, status, sidekickId, ruleCode: rule?.map((code) => code.toUpperCase()) };
}
