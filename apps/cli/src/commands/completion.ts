import type { Command } from 'commander';
import { completionScripts, type Shell } from '../completion.ts';
import { formatJson } from '../output/output.ts';
import { type Context, flagsOf } from '../session.ts';
import { choiceArgument } from './option-values.ts';

const examples = `
Examples:
  $ echo 'source <(assay completion bash)' >> ~/.bashrc
  $ echo 'source <(assay completion zsh)' >> ~/.zshrc
  $ assay completion fish > ~/.config/fish/completions/assay.fish`;

export function addCompletion(program: Command, { out }: Context): void {
  program
    .command('completion')
    .summary('print a completion script for your shell')
    .description('Prints a shell completion script for commands, options and values.')
    .addArgument(choiceArgument('<shell>', 'your shell', Object.keys(completionScripts)))
    .addHelpText('after', examples)
    .action((shell: Shell, _: unknown, self: Command) => {
      const script = completionScripts[shell](program);
      out.line(flagsOf(self).json ? formatJson({ shell, script }) : script);
    });
}
