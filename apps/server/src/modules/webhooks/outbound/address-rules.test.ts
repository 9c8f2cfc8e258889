import { describe, expect, test } from 'vitest';
import { type AddressRules, isAddressAllowed, parseNetwork } from './address-rules.ts';

const makeRules = (networks: string[] = [], isLoopbackAllowed = false): AddressRules => ({
  allowedNetworks: networks.map(parseNetwork),
  isLoopbackAllowed,
});
const filterAllowed = (addresses: string[], given = makeRules()) =>
  addresses.filter((address) => isAddressAllowed(address, given));

describe('the default address rules', () => {
  // IANA's registries of special-purpose addresses, including protocol addresses that no receiver can have.
  test.each([
    ['this network', '0.0.0.0', '0.0.0.1', '0.255.255.255'],
    ['private', '10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
    ['shared address space of carriers', '100.64.0.0', '100.127.255.255'],
    ['loopback', '127.0.0.0', '127.0.0.1', '127.255.255.255'],
    ['link-local', '169.254.0.0', '169.254.169.254', '169.254.170.2', '169.254.255.255'],
    ['protocol assignments', '192.0.0.0', '192.0.0.8', '192.0.0.9', '192.0.0.170', '192.0.0.255'],
    ['documentation', '192.0.2.0', '192.0.2.255', '198.51.100.0', '198.51.100.255', '203.0.113.0', '203.0.113.255'],
    ['AS112 and AMT', '192.31.196.0', '192.175.48.255', '192.52.193.0'],
    ['6to4 relays', '192.88.99.0', '192.88.99.255'],
    ['benchmarks', '198.18.0.0', '198.19.255.255'],
    ['multicast', '224.0.0.0', '239.255.255.255'],
    ['reserved and broadcast', '240.0.0.0', '255.255.255.254', '255.255.255.255'],
  ])('block IPv4 addresses in the range "%s"', (_what, ...addresses) => expect(filterAllowed(addresses)).toEqual([]));

  test.each([
    ['unspecified and loopback', '::', '::1', '0:0:0:0:0:0:0:1'],
    ['discard only', '100::', '100::ffff:ffff:ffff:ffff', '100:0:0:1::1'],
    ['protocol assignments', '2001:1::1', '2001:1::2', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['benchmarks', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
    ['AMT and AS112', '2001:3::1', '2001:4:112::1', '2620:4f:8000::1'],
    ['ORCHID and drones', '2001:10::1', '2001:20::1', '2001:2f:ffff::1', '2001:30::1'],
    ['documentation', '2001:db8::', '2001:db8:ffff::1', '3fff::', '3fff:fff:ffff::1'],
    ['segment routing', '5f00::1'],
    ['unique local', 'fc00::', 'fd12:3456:789a::1', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['link-local and site-local', 'fe80::', 'fe80::1%eth0', 'febf::1', 'fec0::1', 'feff::1'],
    ['multicast', 'ff00::', 'ff02::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['unassigned', '1fff::1', '4000::1', '8000::1', 'e000::1', 'fe00::1', '200::1'],
  ])('block IPv6 addresses in the range "%s"', (_what, ...addresses) => expect(filterAllowed(addresses)).toEqual([]));

  test('allow addresses next to the blocked ranges', () => {
    const open = [
      ...['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
      ...['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0'],
      ...['192.0.1.255', '192.0.3.0', '192.88.98.255', '192.88.100.0', '192.167.255.255', '192.169.0.0'],
      ...['198.17.255.255', '198.20.0.0', '198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0'],
      ...['223.255.255.255', '168.63.129.15', '168.63.129.17', '93.184.216.34'],
      ...['2000::', '2001:200::', '2001:db7:ffff::1', '2001:db9::', '2003::', '2620:4f:7fff::1', '2620:4f:8001::'],
      ...['2606:2800:21f:cb07:6820:80da:af6b:8b2c', '3ffe:ffff::1', '3fff:1000::'],
    ];
    expect(filterAllowed(open)).toEqual(open);
  });

  test('block invalid addresses', () => {
    expect(
      filterAllowed(['', 'localhost', 'receiver.example', '93.184.216.34/32', '93.184.216.256', '[::1]', '*']),
    ).toEqual([]);
  });
});

describe('addresses that embed another address', () => {
  test.each([
    ['IPv4-mapped', '::ffff:10.20.0.5', '::ffff:a14:5', '0:0:0:0:0:ffff:7f00:1', '::ffff:93.184.216.34'],
    ['IPv4-compatible', '::10.20.0.5', '::127.0.0.1', '::a9fe:a9fe', '::2', '::93.184.216.34'],
    ['IPv4-translated', '::ffff:0:10.20.0.5', '::ffff:0:93.184.216.34'],
    ['NAT64 of a local prefix', '64:ff9b:1::a9fe:a9fe', '64:ff9b:1::93.184.216.34', '64:ff9b:1:ffff::1'],
    ['6to4', '2002:a14:5::1', '2002:7f00:1::', '2002:5db8:d822::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:f5ff:fffe', '2001::1'],
  ])('%s addresses are blocked, whatever the operator allows', (_what, ...addresses) => {
    expect(filterAllowed(addresses)).toEqual([]);
    expect(filterAllowed(addresses, makeRules(['10.20.0.0/16', '0.0.0.0/0', '::/0'], true))).toEqual([]);
    expect(filterAllowed(addresses, makeRules(addresses, true))).toEqual([]);
  });
});

describe('NAT64 addresses, which DNS64 gives to names that have only IPv4 addresses', () => {
  const nat64Of = (ipv4: string) => `64:ff9b::${ipv4}`;

  test('are allowed if the IPv4 address is public', () => {
    const open = ['93.184.216.34', '1.0.0.0', '168.63.129.15', '223.255.255.255'].map(nat64Of);
    expect(filterAllowed([...open, '64:ff9b::5db8:d822'])).toEqual([...open, '64:ff9b::5db8:d822']);
  });

  const closed = {
    'private or shared': ['10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1'],
    loopback: ['127.0.0.1', '127.255.255.255'],
    'link-local': ['169.254.0.1', '169.254.169.254', '169.254.170.23'],
    'cloud metadata': ['168.63.129.16', '100.100.100.200', '192.0.0.192'],
    'unspecified, multicast or broadcast': ['0.0.0.0', '0.0.0.1', '224.0.0.1', '255.255.255.255'],
    'reserved or for documentation': ['192.0.2.1', '198.18.0.1', '240.0.0.1'],
  };
  test.each(Object.entries(closed))('are blocked if the IPv4 address is %s', (_what, ipv4) => {
    expect(filterAllowed(ipv4.map(nat64Of))).toEqual([]);
  });

  test('are allowed if the operator allows the IPv4 address, not the NAT64 address', () => {
    const addresses = ['10.20.0.5', '10.21.0.5'].map(nat64Of);
    expect(filterAllowed(addresses, makeRules(['10.20.0.0/16']))).toEqual([nat64Of('10.20.0.5')]);
    expect(filterAllowed(addresses, makeRules(['64:ff9b::/96', '::/0', ...addresses]))).toEqual([]);
  });

  test.each(['loopback', 'link-local', 'cloud metadata', 'unspecified, multicast or broadcast'] as const)(
    'are blocked if the IPv4 address is %s, whatever the operator allows and in development mode too',
    (what) => {
      expect(filterAllowed(closed[what].map(nat64Of), makeRules(['0.0.0.0/0', '::/0'], true))).toEqual([]);
    },
  );
});

describe('the allowed networks of the configuration', () => {
  test('allow their first and last addresses, and none beyond', () => {
    const given = makeRules(['10.20.0.0/16', '192.168.7.9', 'fd12:3456::/32', '100.64.0.0/10']);
    const open = ['10.20.0.0', '10.20.255.255', '192.168.7.9', 'fd12:3456::', 'fd12:3456:ffff::1', '100.127.255.255'];
    const closed = ['10.19.255.255', '10.21.0.0', '192.168.7.8', '192.168.7.10', 'fd12:3455:ffff::1', 'fd12:3457::'];
    expect(filterAllowed([...open, ...closed], given)).toEqual(open);
  });

  test('do not restrict public addresses', () => {
    expect(isAddressAllowed('93.184.216.34', makeRules(['10.20.0.0/16']))).toBe(true);
  });

  const everything = makeRules(['0.0.0.0/0', '::/0']);
  test.each([
    ['loopback', '127.0.0.1', '127.8.8.8', '::1'],
    ['link-local', '169.254.0.1', '169.254.169.254', '169.254.170.23', 'fe80::1', 'fe80::a9fe:a9fe'],
    ['cloud metadata (IPv4)', '168.63.129.16', '100.100.100.200', '192.0.0.192'],
    ['cloud metadata (IPv6)', 'fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe', 'fd00:42::42'],
    ['unspecified', '0.0.0.0', '0.1.2.3', '::'],
    ['multicast and broadcast', '224.0.0.1', 'ff02::1', '255.255.255.255'],
  ])('never allow %s addresses', (_what, ...addresses) => {
    expect(filterAllowed(addresses, everything)).toEqual([]);
    expect(filterAllowed(addresses, makeRules(addresses))).toEqual([]);
  });

  test('allow all other addresses that they contain', () => {
    const open = ['10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', '198.18.0.1', 'fd12::1', 'fec0::1', '4000::1'];
    expect(filterAllowed(open, everything)).toEqual(open);
  });
});

test('development mode allows loopback addresses, and no other blocked addresses', () => {
  const open = ['127.0.0.1', '127.255.255.255', '::1'];
  const closed = [
    '10.0.0.1',
    '169.254.169.254',
    '::ffff:127.0.0.1',
    '::127.0.0.1',
    '0.0.0.0',
    '::',
    'fe80::1',
    'fd12::1',
  ];
  expect(filterAllowed([...open, ...closed], makeRules([], true))).toEqual(open);
});
