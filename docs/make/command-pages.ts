import { exitCodes } from '../../apps/cli/src/exit-codes.ts';
import { createOutput } from '../../apps/cli/src/output/output.ts';
import { createProgram } from '../../apps/cli/src/program.ts';
import { code, escapeProse, frontMatter, type Page, paragraphs, table } from './markdown.ts';

const out = createOutput(process.stdout, {});
const program = createProgram({ environment: {}, out, err: out, signal: new AbortController().signal });
type Command = typeof program;

/** A page on every command with its arguments and options, generated from the CLI itself. */
export function makeCommandPages(): Page[] {
  const text = paragraphs(
    frontMatter({ title: 'Commands', description: 'Every command of the CLI, with its options.', outline: 2 }),
    '# Commands',
    'In a clone, use `pnpm assay` instead of `assay`. For how to use them, see [Command line](/guides/cli).',
    '## Options of all commands',
    optionTable(program),
    ...program.commands.filter(({ commands }) => commands.length === 0).map((command) => section(command)),
    ...program.commands
      .filter(({ commands }) => commands.length > 0)
      .flatMap((group) => group.commands.map((command) => section(command, `${group.name()} `))),
    '## Exit codes',
    table(
      ['Code', 'Meaning'],
      Object.values(exitCodes).map(([exitCode, meaning]) => [code(String(exitCode)), escapeProse(meaning)]),
    ),
  );
  return [{ path: 'reference/commands.md', text }];
}

function section(command: Command, before = ''): string {
  const name = `${before}${command.name()}`;
  const usage = command.usage().replace('[options] ', '').replace('[options]', '').trim();
  return paragraphs(
    `## assay ${name} {#${name.replaceAll(' ', '-')}}`,
    code(`assay ${name} ${usage}`.trim()),
    escapeProse(command.description()),
    command.options.length > 0 && optionTable(command),
  ).trimEnd();
}

function optionTable(command: Command): string {
  const rows = command.options.map(({ flags, description, defaultValue, argChoices }) => {
    const choices = argChoices ? ` (${argChoices.map(code).join(', ')})` : '';
    const usual = defaultValue === undefined ? '' : `; default ${defaultValue}`;
    return [code(flags), `${escapeProse(description)}${choices}${usual}`];
  });
  return table(['Option', 'Meaning'], rows);
}
