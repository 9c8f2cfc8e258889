import type { Event } from '@assay/sdk';
import { Argument, InvalidArgumentError, Option } from 'commander';

export const eventTypes = ['asset.processing.completed', 'asset.processing.failed'] as const satisfies Event['type'][];

/**
 * An option of several values, as `--rule A,B` or `--rule A --rule B`. Not as `--rule A B`: that would
 * swallow the files that are named after it.
 */
export function listOption(flags: string, description: string, choices?: readonly string[]): Option {
  const option = new Option(flags, `${description}; several by commas`);
  if (choices) option.choices(choices); // for the help and the completion
  return option.argParser((text: string, before: string[] = []) => {
    const values = text.split(',').map((value) => value.trim());
    if (values.includes('')) throw new InvalidArgumentError('It must not be empty.');
    return [...before, ...(choices ? values.map(choiceOf(choices)) : values)];
  });
}

/** An option of one of these values, in any case. */
export function choiceOption(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices).argParser(choiceOf(choices));
}

/** Likewise an argument. */
export function choiceArgument(name: string, description: string, choices: readonly string[]): Argument {
  return new Argument(name, description).choices(choices).argParser(choiceOf(choices));
}

function choiceOf(choices: readonly string[]) {
  return (text: string): string => {
    const choice = choices.find((one) => one.toLowerCase() === text.trim().toLowerCase());
    if (choice !== undefined) return choice;
    throw new InvalidArgumentError(`Allowed: ${choices.join(', ')}.`);
  };
}

/** Reads the value of an option. */
export function wholeNumber(least: number, most = Number.POSITIVE_INFINITY) {
  return (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    const to = Number.isFinite(most) ? ` to ${most}` : '';
    throw new InvalidArgumentError(`It must be a whole number from ${least}${to}.`);
  };
}
