import { readFileSync } from 'node:fs';
import { ScaleMistake } from './assumptions.ts';
import type { Plan } from './plan.ts';

const hoursPerMonth = 730.5;
const gigabyte = 1e9;

/** What may have a price, and how much of it a plan needs each month. */
const quantities = {
  coreHour: {
    unit: 'core hours',
    of: ({ cores, machines, cells, chosen }: Plan) =>
      ((machines.worker + machines.api + machines.temporal) * chosen['machine-cores'] + cores.postgres * 2 + cells) *
      hoursPerMonth,
  },
  databaseGbMonth: {
    unit: 'GB in databases, twice',
    of: ({ database }: Plan) =>
      (2 * ((database.tableBytes ?? 0) + database.evidenceBytes + database.historyBytes)) / gigabyte,
  },
  storageGbMonth: { unit: 'GB in storage', of: ({ storage }: Plan) => storage.bytes / gigabyte },
  storageMillionRequests: {
    unit: 'million requests to storage',
    of: ({ chosen }: Plan) => (chosen['per-day'] * chosen.assets * chosen['storage-requests'] * 30.4375) / 1e6,
  },
} as const;
type PriceName = keyof typeof quantities;

type Price = { price: number; source: string; date: string };
export type Prices = { currency: string; prices: Partial<Record<PriceName, Price>> };
export type PricedItem = Price & { name: PriceName; unit: string; quantity: number; perMonth: number };

/** Reads a file of prices. Each price must say where it is from, and from which day. */
export function readPrices(file: string): Prices {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new ScaleMistake(`${file} cannot be read as JSON: ${(cause as Error).message}`, { cause });
  }
  return checkPrices(parsed, file);
}

export function checkPrices(parsed: unknown, file: string): Prices {
  const { currency, prices } = (parsed ?? {}) as Partial<Prices>;
  if (typeof currency !== 'string' || typeof prices !== 'object' || prices === null) {
    throw new ScaleMistake(`${file}: must have "currency", such as "EUR", and "prices".`);
  }
  for (const [name, price] of Object.entries(prices)) {
    if (!(name in quantities)) {
      throw new ScaleMistake(`${file}: ${name} is unknown. Known prices: ${Object.keys(quantities).join(', ')}.`);
    }
    const isPrice = typeof price?.price === 'number' && price.price >= 0;
    const hasOrigin = !!price?.source && /^\d{4}-\d\d-\d\d$/.test(price.date ?? '');
    if (!isPrice || !hasOrigin) {
      throw new ScaleMistake(`${file}: ${name} must have "price", "source" and "date", such as "2026-11-19".`);
    }
  }
  return { currency, prices };
}

/** What a plan costs each month, for the items that have a price. */
export function priceItems(plan: Plan, { prices }: Prices): PricedItem[] {
  return (Object.entries(prices) as [PriceName, Price][]).map(([name, price]) => {
    const { unit, of } = quantities[name];
    const quantity = of(plan);
    return { name, unit, quantity, perMonth: quantity * price.price, ...price };
  });
}
