import ipaddr from 'ipaddr.js';

export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];
export type AddressRules = {
  /** Networks that the operator lets receivers be in, beside the public Internet. */
  allowedNetworks: readonly Network[];
  /** For development alone. */
  isLoopbackAllowed: boolean;
};

/** An address, or a network in CIDR. */
export function parseNetwork(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

// Where clouds answer questions about their machines, keys among the answers. Not all of them lie in a range that is
// closed anyway; whatever an operator allows, these stay closed.
const metadataServices = [
  '168.63.129.16', // Azure's wire server
  '192.0.0.192', // Oracle
  'fd00:c1::a9fe:a9fe',
  '100.100.100.200', // Alibaba
  'fd00:100::100:200',
  'fd00:ec2::/32', // Amazon: metadata, credentials of pods, and more
  'fd20:ce::254', // Google
  'fd00:42::42', // Scaleway
  'fd00:a9fe:a9fe::1', // Linode
].map(parseNetwork);

// No receiver of an operator can be there, or an address hides another one: ::ffff:10.0.0.1 is 10.0.0.1.
const neverRanges = [
  'unspecified',
  'broadcast',
  'multicast',
  'linkLocal',
  'loopback',
  'ipv4Mapped',
  'rfc6145',
  'rfc6052',
  '6to4',
  'teredo',
];
// IPv4-compatible addresses, which hide one too and have no range of their own.
const ipv4Compatible = parseNetwork('::/96');

// What the registry has given out for the public. Everything outside is something else, known or not.
const publicIpv6 = parseNetwork('2000::/3');

/** Whether a webhook may be sent there. */
export function isAddressAllowed(text: string, { allowedNetworks, isLoopbackAllowed }: AddressRules): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  const range = address.range();
  if (range === 'loopback') return isLoopbackAllowed;
  if (neverRanges.includes(range) || isIn(address, [ipv4Compatible, ...metadataServices])) return false;
  if (isIn(address, allowedNetworks)) return true;
  return range === 'unicast' && (address.kind() === 'ipv4' || isIn(address, [publicIpv6]));
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, networks: readonly Network[]): boolean {
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits));
}
