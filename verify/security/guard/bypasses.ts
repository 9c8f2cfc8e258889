import type { Records } from './resolver.ts';

/** The public addresses of the receiver. */
export const publicIpv4 = '93.184.216.34';
export const publicIpv6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c';
/** All names in this zone belong to the tests. */
export const zone = 'hooks.example';

export type Bypass = {
  what: string;
  /** Returns the URL for a unique host name, which resolves to the receiver unless `lookups` is set. */
  url(host: string): string;
  /** The resolver’s answers for the host name, one per lookup. */
  lookups?: Records[];
  /** The error code of a delivery attempt; null if it correctly succeeds. */
  end: 'blocked_address' | 'redirect' | 'dns' | null;
  /** Whether the URL is accepted when the subscription is created. */
  isAccepted: boolean;
  /** Why even a client without checks does not reach a canary. */
  unreachable?: string;
};

type Rest = Partial<Omit<Bypass, 'what' | 'url'>>;

function bypass(what: string, url: string | Bypass['url'], rest: Rest = {}): Bypass {
  const urlOf = typeof url === 'string' ? () => url : url;
  return { what, url: urlOf, end: 'blocked_address', isAccepted: false, ...rest };
}

const at = (what: string, host: string, rest?: Rest) => bypass(what, `https://${host}/hook`, rest);

const is = (...addresses: string[]): Records => ({ addresses });
const good = is(publicIpv4);
const named = (what: string, lookups: Records[], rest: Rest = {}) =>
  bypass(what, (host) => `https://${host}/hook`, { lookups, ...rest });

const redirected = (status: number, to: string) =>
  bypass(`redirect ${status} to ${to}`, (host) => `https://${host}/redirect/${status}/${encodeURIComponent(to)}`, {
    end: 'redirect',
    isAccepted: true,
  });

const noScope = 'a link-local address needs a zone, which no URL can have';
const noTcp = 'TCP cannot go to several machines';

const spellings = [
  at('decimal', '2130706433'),
  at('decimal, metadata', '2852039166'),
  at('octal', '0177.0.0.1'),
  at('octal, one number', '025177524776'),
  at('octal with more zeros', '00000177.0.0.01'),
  at('hex', '0x7f000001'),
  at('hex in parts', '0xa9.0xfe.0xA9.0xFE'),
  at('hex, private', '0x0A000001'),
  at('short: two parts', '127.1'),
  at('short: three parts', '192.168.257'),
  at('short: nothing', '0'),
  at('short, metadata', '169.254.43518'),
  at('octal, hex and decimal mixed', '0251.0xfe.43518'),
  at('a dot at the end', '127.0.0.1.'),
  at('decimal with a dot at the end', '167772161.'),
  at('full-width digits', '１２７.０.０.１'),
  at('full-width digits and dots', '１０．０．０．１'),
  at('circled digits', '①⑥⑨.②⑤④.①⑥⑨.②⑤④'),
  at('mathematical digits', '𝟏𝟐𝟕.𝟎.𝟎.𝟏'),
  at('superscript digits', '¹⁰.⁰.⁰.¹'),
  at('ideographic full stops', '127。0。0。1'),
  at('percent-encoded digits', '%31%32%37.0.0.1'),
  at('percent-encoded dots', '10%2e0%2e0%2e1'),
  at('a soft hyphen inside', '127.0.0.\u00ad1'),
  at('a tab inside', '127.0.\t0.1'),
  at('a line break inside', '169.254.\n169.254'),
  bypass('no slashes', 'https:10.0.0.1/hook'),
  bypass('too many slashes', 'https://///10.0.0.1/hook'),
  bypass('backslashes for slashes', 'https:\\\\10.0.0.1\\hook'),
  bypass('capitals and blanks', ' HTTPS://10.0.0.1/hook '),
  at('another port', '10.0.0.1:8443'),
  at('another port of this machine', '127.0.0.1:8443'),
];

const ipv4 = [
  at('loopback', '127.0.0.1'),
  at('the end of loopback', '127.255.255.254'),
  at('private 10', '10.0.0.1'),
  at('private 172.16', '172.16.0.1'),
  at('the end of private 172.16', '172.31.255.255'),
  at('private 192.168', '192.168.0.1'),
  at('carrier-grade NAT', '100.64.0.1'),
  at('unspecified', '0.0.0.0'),
  at('this network', '0.1.2.3'),
  at('link-local', '169.254.1.1'),
  at('protocol assignments', '192.0.0.8'),
  at('documentation', '192.0.2.1'),
  at('documentation 2', '198.51.100.1'),
  at('documentation 3', '203.0.113.1'),
  at('6to4 relays', '192.88.99.1'),
  at('benchmarking, here the resolver', '198.18.0.1'),
  at('an address of the service’s machine', '198.18.0.2'),
  at('reserved', '240.0.0.1'),
  at('multicast', '224.0.0.1', { unreachable: noTcp }),
  at('broadcast', '255.255.255.255', { unreachable: noTcp }),
];

const ipv6 = [
  at('IPv6 loopback', '[::1]'),
  at('IPv6 loopback in full', '[0000:0000:0000:0000:0000:0000:0000:0001]'),
  at('IPv6 unspecified', '[::]'),
  at('IPv4-mapped loopback', '[::ffff:127.0.0.1]'),
  at('IPv4-mapped private, in full', '[0:0:0:0:0:ffff:0a00:0001]'),
  at('IPv4-mapped metadata, in hex', '[::ffff:a9fe:a9fe]'),
  at('IPv4-mapped public', `[::ffff:${publicIpv4}]`, {
    unreachable: 'it is the receiver, in a form that is not allowed',
  }),
  at('IPv4-compatible loopback', '[::127.0.0.1]'),
  at('IPv4-compatible private', '[::10.0.0.1]'),
  at('IPv4-translated', '[::ffff:0:10.0.0.1]'),
  at('NAT64 private', '[64:ff9b::10.0.0.1]'),
  at('NAT64 metadata', '[64:ff9b::a9fe:a9fe]'),
  at('NAT64 of a local prefix', '[64:ff9b:1::a9fe:a9fe]'),
  at('6to4 loopback', '[2002:7f00:1::1]'),
  at('6to4 metadata', '[2002:a9fe:a9fe::1]'),
  at('Teredo, whose client is 10.0.0.1', '[2001:0:4136:e378:8000:63bf:f5ff:fffe]'),
  at('unique local', '[fd12:3456:789a::1]'),
  at('the other half of unique local', '[fc00::1]'),
  at('site-local', '[fec0::1]'),
  at('IPv6 documentation', '[2001:db8::1]'),
  at('the new IPv6 documentation', '[3fff::1]'),
  at('IPv6 benchmarking, here the other end of the veth pair', '[2001:2::1]'),
  at('discard only', '[100::1]'),
  at('segment routing', '[5f00::1]'),
  at('unassigned', '[4000::1]'),
  at('IPv6 link-local', '[fe80::1]', { unreachable: noScope }),
  at('IPv6 multicast', '[ff02::1]', { unreachable: noTcp }),
];

const metadata = [
  at('metadata of Amazon, Google and Azure', '169.254.169.254'),
  at('credentials of Amazon’s containers', '169.254.170.2'),
  at('Azure’s wire server, at a public address', '168.63.129.16'),
  at('metadata of Alibaba', '100.100.100.200'),
  at('metadata of Oracle', '192.0.0.192'),
  at('Amazon’s metadata by IPv6', '[fd00:ec2::254]'),
  at('Amazon’s credentials by IPv6', '[fd00:ec2::23]'),
  at('Google’s metadata by IPv6', '[fd20:ce::254]'),
  at('Oracle’s metadata by IPv6', '[fd00:c1::a9fe:a9fe]'),
  bypass('a name for Google’s metadata', 'https://metadata.google.internal/hook', { lookups: [is('169.254.169.254')] }),
];

const localhost: Rest = { lookups: [is('127.0.0.1', '::1')] };
const urls = [
  at('localhost', 'localhost', localhost),
  at('localhost with a dot', 'localhost.', localhost),
  at('LocalHost', 'LocalHost', localhost),
  at('below localhost', 'api.localhost', localhost),
  at('full-width localhost', 'ｌｏｃａｌｈｏｓｔ', localhost),
  at('localhost of a domain', 'localhost.localdomain', localhost),
  bypass('user info that looks like a host', (host) => `https://${host}@10.0.0.1/hook`),
  bypass('user info with a password', 'https://user:word@169.254.169.254/hook'),
  bypass('user info with a port', (host) => `https://${host}:443@127.0.0.1/hook`),
  bypass('user info before an allowed host', (host) => `https://10.0.0.1@${host}/hook`, {
    unreachable: 'the host is the receiver’s, but URLs must not contain secrets',
  }),
  bypass('a fragment that looks like a host', (host) => `https://10.0.0.1#@${host}/hook`),
  bypass('a query that looks like a host', (host) => `https://10.0.0.1?@${host}/hook`),
  bypass('a backslash before what looks like a host', (host) => `https://10.0.0.1\\@${host}/hook`),
  bypass('a backslash before what looks like an address', (host) => `https://${host}\\@10.0.0.1/hook`, {
    end: null,
    isAccepted: true,
    unreachable: 'the host is the receiver’s, the rest a path',
  }),
  bypass('http to an allowed host', (host) => `http://${host}/hook`),
  bypass('http to loopback', 'http://127.0.0.1/hook'),
  bypass('another scheme', 'gopher://127.0.0.1:8443/hook'),
  bypass('no scheme', '//10.0.0.1/hook', { unreachable: 'no URL' }),
  bypass('a file', 'file:///etc/hostname', { unreachable: 'no host' }),
  at('an unknown name', 'nobody.invalid', { end: 'dns', unreachable: 'no address' }),
];

const names = [
  named('a name for a private address', [is('10.0.0.1')]),
  named('a name for loopback', [is('127.0.0.1')]),
  named('a name for no address', [is('0.0.0.0')]),
  named('a name for metadata', [is('169.254.169.254')]),
  named('a name for the wire server', [is('168.63.129.16')]),
  named('a name for IPv6 loopback', [is('::1')]),
  named('a name for an IPv4-mapped address', [is('::ffff:10.0.0.1')]),
  named('a name for a NAT64 address', [is('64:ff9b::a9fe:a9fe')]),
  named('a good and a bad record', [is(publicIpv4, '10.0.0.1')]),
  named('a bad and a good record', [is('10.0.0.1', publicIpv4)]),
  named('a bad one among many', [is(publicIpv4, publicIpv6, '93.184.216.35', 'fd12::1', '93.184.216.36')]),
  named('good by IPv4, bad by IPv6', [is(publicIpv4, '::1')]),
  named('good by IPv6, bad by IPv4', [is(publicIpv6, '127.0.0.1')]),
  named('an alias of localhost', [{ ...is('127.0.0.1'), alias: 'localhost' }]),
  named('an alias of an inner name', [{ ...is('10.0.0.1'), alias: `inner.${zone}` }]),
  bypass('a name that looks like an address', (host) => `https://${publicIpv4}.${host}/hook`, {
    lookups: [is('10.0.0.1')],
  }),
  bypass('a bad name with a dot at the end', (host) => `https://${host}./hook`, { lookups: [is('10.0.0.1')] }),
  bypass('a bad name in full-width capitals', (host) => `https://Ｘ.${host}/hook`, { lookups: [is('10.0.0.1')] }),
  named('good at the check, bad at the next lookup', [good, is('127.0.0.1')], {
    end: null,
    isAccepted: true,
  }),
  named('the same with metadata', [good, is('169.254.169.254')], { end: null, isAccepted: true }),
  named('the same by IPv6', [is(publicIpv6), is('::1')], { end: null, isAccepted: true }),
  named('good at the check, mixed at the next lookup', [good, is(publicIpv4, '10.0.0.1')], {
    end: null,
    isAccepted: true,
  }),
];

const redirects = [
  redirected(301, 'https://10.0.0.1/'),
  redirected(302, 'https://127.0.0.1/'),
  redirected(303, 'http://169.254.169.254/latest/meta-data/'),
  redirected(307, 'https://[::1]/'),
  redirected(308, 'https://168.63.129.16/'),
  redirected(307, '//10.0.0.1/'),
];

export const bypasses: Bypass[] = [...spellings, ...ipv4, ...ipv6, ...metadata, ...urls, ...names, ...redirects];
