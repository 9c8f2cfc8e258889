import { formatStandard } from '@assay/report/format/standard.ts';
import type { Sidekick } from '@assay/sdk';
import type { Command } from 'commander';
import { severityStyles } from '../output/issue-table.ts';
import { type Output, stripControls } from '../output/output.ts';
import { formatTable } from '../output/table.ts';
import { wrap } from '../output/text-width.ts';
import { type Context, openSession, takeItems } from '../session.ts';

export function addSidekicks(program: Command, context: Context): void {
  program
    .command('sidekicks [name]')
    .summary('list the checks, or the rules of one check')
    .description('Lists the checks, which the API calls sidekicks, or shows the rules of one check by name or id.')
    .addHelpText('after', '\nExamples:\n  $ assay sidekicks\n  $ assay sidekicks loudness')
    .action(async (name: string | undefined, _: unknown, self: Command) => {
      const session = openSession(self, context);
      if (name) {
        const sidekick = await session.assay.sidekicks.get(name, { signal: session.signal });
        return session.print(sidekick, () => formatSidekick(sidekick, session.out));
      }
      const sidekicks = await takeItems(session.assay.sidekicks.list({ signal: session.signal }));
      session.print({ sidekicks }, () =>
        formatTable(
          ['NAME', 'TITLE', 'VERSION', 'RULES', 'FILES', 'ID'],
          sidekicks.map((one) => [
            one.shortName,
            one.isDefault ? one.name : `${one.name} (on request)`,
            one.version,
            String(one.rules.length),
            one.appliesTo.join(', '),
            one.sidekickId,
          ]),
          session.out,
        ),
      );
    });
}

function formatSidekick(sidekick: Sidekick, output: Output): string {
  const { sidekickId, name, shortName, version, description, appliesTo, rules } = sidekick;
  const rows = rules.map(({ ruleCode, severity, headline, standard }) => [
    { text: severity, styles: severityStyles[severity] },
    ruleCode,
    standard ? `${headline} [${formatStandard(standard)}]` : headline,
  ]);
  return [
    `${output.paint(stripControls(name), 'bold')} ${version}, for ${appliesTo.join(', ')} files`,
    output.paint(`${shortName}  ${sidekickId}`, 'dim'),
    ...wrap(stripControls(description), output.width()),
    '',
    formatTable(['SEVERITY', 'RULE', 'DESCRIPTION'], rows, output),
  ].join('\n');
}
