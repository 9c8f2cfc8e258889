import type { Sidekick } from '@assay/sdk';
import type { Command } from 'commander';
import { severityStyles } from '../findings.ts';
import { type Output, plain, wrap } from '../output.ts';
import { openSession, type Surroundings, take } from '../session.ts';
import { formatTable } from '../table.ts';

export function addSidekicks(program: Command, surroundings: Surroundings): void {
  program
    .command('sidekicks [name]')
    .summary('list who checks what, or the rules of one')
    .description('Lists the sidekicks, which check files; or one of them, by name or id, with its rules.')
    .addHelpText('after', '\nExamples:\n  $ assay sidekicks\n  $ assay sidekicks loudness')
    .action(async (name: string | undefined, _: unknown, self: Command) => {
      const session = openSession(self, surroundings);
      if (name) {
        const sidekick = await session.assay.sidekicks.get(name, { signal: session.signal });
        return session.show(sidekick, () => formatSidekick(sidekick, session.out));
      }
      const sidekicks = await take(session.assay.sidekicks.list({ signal: session.signal }));
      session.show({ sidekicks }, () =>
        formatTable(
          ['NAME', 'TITLE', 'VERSION', 'RULES', 'CHECKS', 'ID'],
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
    standard ? `${headline} (${standard.name}, ${standard.clause})` : headline,
  ]);
  return [
    `${output.paint(plain(name), 'bold')} ${version}, checks ${appliesTo.join(', ')}`,
    output.paint(`${shortName}  ${sidekickId}`, 'dim'),
    ...wrap(plain(description), output.width()),
    '',
    formatTable(['SEVERITY', 'RULE', 'WHAT'], rows, output),
  ].join('\n');
}
