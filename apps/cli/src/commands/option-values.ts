import type { Event } from '@assay/sdk';
import { InvalidArgumentError, Option } from 'commander';

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
    const isWrong = values.some((value) => value === '' || (choices && !choices.includes(value)));
    if (isWrong)
      throw new InvalidArgumentError(choices ? `Allowed are ${choices.join(', ')}.` : 'It must not be empty.');
    return [...before, ...values];
  });
}

/** Reads the value of an option. */
export function wholeNumber(least: number) {
  return (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${least}.`);
  };
}
