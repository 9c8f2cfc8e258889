import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type AssumptionName, assumptionNames, readAssumptions, ScaleMistake } from './assumptions.ts';
import { formatPageBlocks, formatPlan } from './format-plan.ts';
import { insertBlocks, pageFile } from './page.ts';
import { planScale } from './plan.ts';
import { priceItems, readPrices } from './prices.ts';
import { readInputs } from './read-inputs.ts';

const usage = `usage: pnpm scale [--per-day 10000000] [--video-seconds 30] … [--prices prices.json] [--json | --write]

Computes what a number of submissions needs, from the costs that are measured in bench/. Prints every assumption with
its option.

--prices   a file with prices: {"currency": "EUR", "prices": {"coreHour": {"price": 0.05, "source": "…", "date": "2026-11-19"}}};
           also databaseGbMonth, storageGbMonth and storageMillionRequests
--json     prints the plan for programs
--write    writes the tables of docs/operate/scale.md, with the default assumptions`;

try {
  run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ScaleMistake) && !(error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')) throw error;
  console.error(`${(error as Error).message}\n\n${usage}`);
  process.exitCode = 2;
}

function run(args: string[]): void {
  const text = Object.fromEntries(assumptionNames.map((name) => [name, { type: 'string' as const }]));
  const flags = { prices: { type: 'string' as const }, json: { type: 'boolean' }, write: { type: 'boolean' } } as const;
  const { values } = parseArgs({ args, options: { ...text, ...flags } });
  const { prices: pricesFile, json, write, ...changes } = values as Record<string, string | boolean | undefined>;
  const chosen = readAssumptions(changes as Partial<Record<AssumptionName, string>>);
  const prices = typeof pricesFile === 'string' ? readPrices(pricesFile) : undefined;
  const inputs = readInputs();
  if (write) {
    if (args.length > 1)
      throw new ScaleMistake('--write: the page shows the default assumptions; leave out the others.');
    writeFileSync(pageFile, insertBlocks(readFileSync(pageFile, 'utf8'), formatPageBlocks(inputs)));
  }
  if (json) {
    const plan = planScale(inputs.measured, chosen, inputs.growth);
    const priced = prices && { currency: prices.currency, items: priceItems(plan, prices) };
    console.log(JSON.stringify({ ...plan, ...(priced && { prices: priced }) }, undefined, 2));
  } else console.log(formatPlan(inputs, chosen, prices));
}
