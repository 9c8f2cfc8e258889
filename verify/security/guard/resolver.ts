import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

/** The answer to one lookup: IPv4 and IPv6 addresses; if `alias` is set, those of another name. */
export type Records = { addresses: string[]; alias?: string };

const types: Record<number, 'A' | 'AAAA'> = { 1: 'A', 28: 'AAAA' };

/** A name server with configured answers, which may change from lookup to lookup. */
export async function openResolver(address: string) {
  const zone = new Map<string, { lookups: Records[]; asked: Record<string, number> }>();
  let asked: string[] = [];

  const answer = (query: Buffer): Buffer => {
    const { name, type, end } = questionOf(query);
    asked.push(name);
    const known = zone.get(name);
    const kind = types[type];
    let records: Records | undefined;
    if (known && kind) {
      const turn = known.asked[kind] ?? 0;
      known.asked[kind] = turn + 1;
      records = known.lookups[Math.min(turn, known.lookups.length - 1)];
    }
    const meant = records?.addresses.filter((one) => isIPv4(one) === (kind === 'A')) ?? [];
    const owner = records?.alias ? encodeName(records.alias) : Buffer.from([0xc0, 12]);
    const answers = meant.map((one) => record(owner, type, encodeAddress(one)));
    if (records?.alias) answers.unshift(record(Buffer.from([0xc0, 12]), 5, encodeName(records.alias)));
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(known ? 0x8580 : 0x8583, 2); // authoritative answer: no error, or no such name
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    header.fill(0, 8);
    return Buffer.concat([header, query.subarray(12, end), ...answers]);
  };

  const socket = createSocket('udp4', (query, from) => socket.send(answer(query), from.port, from.address));
  socket.bind(53, address);
  await once(socket, 'listening');
  return {
    /**
     * From now on, the first lookup of the name gets the first of these answers, and so on; the last one is repeated.
     */
    set(name: string, lookups: Records[]): void {
      zone.set(name.toLowerCase(), { lookups, asked: {} });
    },
    /** The names that were looked up since the previous call. */
    takeAsked(): string[] {
      const taken = [...new Set(asked)];
      asked = [];
      return taken;
    },
  };
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function record(owner: Buffer, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10); // with a TTL of 0
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, fixed, data]);
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

/** Encodes an address; the dotted end of an IPv6 address is converted to hex first. */
function encodeAddress(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = new URL(`https://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string | undefined) => (text ? text.split(':').map((group) => Number.parseInt(group, 16)) : []);
  const [before, after] = [groups(head), groups(tail)];
  const all = [...before, ...Array(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}
