import type { Event, FireRequest } from '@assay/sdk';
import { Argument, InvalidArgumentError, Option } from 'commander';

const isEventType: Record<Event['type'], true> = {
  'asset.processing.completed': true,
  'asset.processing.failed': true,
  'asset.verdict.changed': true,
  'submission.processing.finished': true,
};
export const eventTypes = Object.keys(isEventType) as Event['type'][];

const isFireable: Record<FireRequest['eventType'], true> = {
  'asset.processing.completed': true,
  'asset.processing.failed': true,
};
export const fireableTypes = Object.keys(isFireable) as FireRequest['eventType'][];

/**
 * An option with several values: `--rule A,B` or `--rule A --rule B`. `--rule A B` is not supported, as it would
 * consume the files that follow.
 */
export function listOption(flags: string, description: string, choices?: readonly string[]): Option {
  const option = new Option(flags, `${description}; comma-separated`);
  if (choices) option.choices(choices); // shown by help and completion
  return option.argParser((text: string, before: string[] = []) => {
    const values = text.split(',').map((value) => value.trim());
    if (values.includes('')) throw new InvalidArgumentError('A value must not be empty.');
    return [...before, ...(choices ? values.map(choiceOf(choices)) : values)];
  });
}

/** An option that accepts one of these values in any letter case. */
export function choiceOption(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices).argParser(choiceOf(choices));
}

/** An argument that accepts one of these values in any letter case. */
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

/** Parses a whole number within these limits. */
export function wholeNumber(min: number, max = Number.POSITIVE_INFINITY) {
  return (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
    const range = Number.isFinite(max) ? `from ${min} to ${max}` : `of at least ${min}`;
    throw new InvalidArgumentError(`Expected a whole number ${range}.`);
  };
}
