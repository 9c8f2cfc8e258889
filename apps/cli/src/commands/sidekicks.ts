import type { Sidekick } from '@assay/sdk';
import type { Command } from 'commander';
import { severityStyles } from '../findings.ts';
import { type Output, plain, wrap } from '../output.ts';
import { readSidekicks } from '../results.ts';
import { openSession, type Surroundings } from '../session.ts';
import { formatTable } from '../table.ts';

export function addSidekicks(program: Command, surroundings: Surroundings): void {
  program
    .command('sidekicks [sidekickId]')
    .summary('list who checks what, or the rules of one')
    .description('Lists the sidekicks, which check files; or one of them with its rules.')
    .addHelpText('after', '\nExamples:\n  $ assay sidekicks\n  $ assay sidekicks <sidekickId>')
    .action(async (sidekickId: string | undefined, _: unknown, self: Command) => {
      const session = openSession(self, surroundings);
      if (sidekickId) {
        const sidekick = await session.assay.sidekicks.get(sidekickId, { signal: session.signal });
        return session.show(sidekick, () => formatSidekick(sidekick, session.out));
      }
      const sidekicks = await readSidekicks(session);
      session.show({ sidekicks }, () =>
        formatTable(
          ['SIDEKICK', 'NAME', 'VERSION', 'RULES', 'LOOKS AT'],
          sidekicks.map((one) => [
            one.sidekickId,
            one.isDefault ? one.name : `${one.name} (on request)`,
            one.version,
            String(one.rules.length),
            one.appliesTo.join(', '),
          ]),
          session.out,
        ),
      );
    });
}

function formatSidekick({ name, version, description, appliesTo, rules }: Sidekick, output: Output): string {
  const rows = rules.map(({ ruleCode, severity, headline, standard }) => [
    { text: severity, styles: severityStyles[severity] },
    ruleCode,
    standard ? `${headline} (${standard.name}, ${standard.clause})` : headline,
  ]);
  return [
    `${output.paint(plain(name), 'bold')} ${version}, looks at ${appliesTo.join(', ')}`,
    ...wrap(plain(description), output.width()),
    '',
    formatTable(['SEVERITY', 'RULE', 'WHAT'], rows, output),
  ].join('\n');
}
