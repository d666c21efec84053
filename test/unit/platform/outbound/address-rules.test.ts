import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { addressRule } from '../../../../platform/outbound/address-rules.ts'
import { isCidrList } from '../../../../platform/outbound/cidr.ts'
import { outboundAllow } from '../../../../platform/outbound/outbound-allow.ts'

const rule = (allow: string[] = [], ownPorts: number[] = []) => addressRule({ allow, ownPorts })
const nearby = rule(outboundAllow(undefined, '127.0.0.1'))

const PUBLIC = ['1.1.1.1', '93.184.215.14', '2606:4700:4700::1111', '2a00:1450:4001:82a::200e']

/** Open to a product that only this machine can use. */
const NEARBY = [
  ...['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'],
  ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fd12:3456::1'],
]

/** Closed to every product by default. */
const NEVER = [
  ...['0.0.0.0', '0.1.2.3', '::'],
  ...['169.254.0.1', '169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'fec0::1'],
  ...['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
  ...['100.64.0.1', '198.18.0.1', '192.0.2.1', '203.0.113.9', '192.88.99.1'],
  ...['224.0.0.1', 'ff02::1', '240.0.0.1', '255.255.255.255'],
  ...['::ffff:127.0.0.1', '::ffff:1.1.1.1', '::ffff:7f00:1', '::127.0.0.1', '::7f00:1'],
  ...['64:ff9b::7f00:1', '64:ff9b:1::1', '2002:7f00:1::', '2001::1', '2001:db8::1', '3fff::1'],
  ...['not an address', '', 'localhost', '1.2.3.4.5'],
]

test.each(PUBLIC)('%s is public: open by default', (address) => {
  expect([rule()(address, 80), nearby(address, 80)]).toEqual([true, true])
})

test.each(NEARBY)('%s is open only while the product itself is local', (address) => {
  expect([rule()(address, 80), nearby(address, 80)]).toEqual([false, true])
})

test.each(NEVER)('%s is closed by default', (address) => {
  expect([rule()(address, 80), nearby(address, 80)]).toEqual([false, false])
})

test('an allowed network opens what it holds, and nothing else', () => {
  const allowed = rule(['169.254.0.0/16', 'fe80::/10', '10.1.0.0/16'])
  expect(allowed('169.254.0.1', 80)).toBe(true)
  expect(allowed('fe80::1', 80)).toBe(true)
  expect(allowed('10.1.255.255', 80)).toBe(true)
  expect(allowed('10.2.0.0', 80)).toBe(false)
  expect(allowed('::ffff:10.1.0.1', 80)).toBe(false)
})

test("a cloud's metadata service opens only to an entry for just its address", () => {
  expect(rule(['169.254.0.0/16', '0.0.0.0/0', 'fc00::/7'])('169.254.169.254', 80)).toBe(false)
  expect(rule(['fc00::/7'])('fd00:ec2::254', 80)).toBe(false)
  expect(rule(['169.254.169.254/32'])('169.254.169.254', 80)).toBe(true)
})

/** Ways to write an IPv4 address as IPv6: mapped, compatible, translated (SIIT, NAT64) and 6to4. */
const insideIpv6 = (address: string): string[] => {
  const [high, low] = [0, 2].map((at) =>
    Buffer.from(address.split('.').map(Number)).readUInt16BE(at).toString(16),
  )
  const prefixes = ['::ffff:', '::', '::ffff:0:', '64:ff9b::', '64:ff9b:1::']
  const hex = (at: number, bytes: number) =>
    Buffer.from(address.split('.').map(Number)).toString('hex', at, at + bytes)
  return [
    ...prefixes.map((prefix) => `${prefix}${high}:${low}`),
    `2002:${high}:${low}::1`,
    `64:ff9b:1:${high}:${hex(2, 1)}:${hex(3, 1)}00::`, // behind a prefix of 48 bits
    `64:ff9b:1:ab${hex(0, 1)}:${hex(1, 1)}:${hex(2, 2)}::`, // of 56
    `64:ff9b:1:abcd:${hex(0, 1)}:${hex(1, 2)}:${hex(3, 1)}00::`, // and of 64
  ]
}

const EVERYTHING = ['0.0.0.0/0', '::/0']

test.each(['169.254.169.254', '100.100.100.200'].flatMap(insideIpv6))(
  '%s is a metadata service, too',
  (address) => {
    expect(rule(EVERYTHING)(address, 80)).toBe(false)
    expect(rule([...EVERYTHING, `${address}/128`])(address, 80)).toBe(true)
  },
)

test.each([
  ...['0.0.0.0', '::', ...insideIpv6('127.0.0.1'), ...insideIpv6('0.0.0.0')],
  ...['::1%lo', '::ffff:127.0.0.1', ...Object.values(networkInterfaces()).flatMap(inInterface)],
])('%s leads to this machine, where own ports are closed', (address) => {
  const guarded = rule(EVERYTHING, [4000])
  expect([guarded(address, 4000), guarded(address, 4001)]).toEqual([false, true])
})

function inInterface(entries: NetworkInterfaceInfo[] = []): string[] {
  return entries.flatMap(({ address, family }) =>
    family === 'IPv4' ? insideIpv6(address) : [address, `${address}%eth0`],
  )
}

test("the product's own ports are closed on this machine and open elsewhere", () => {
  const ownPorts = [4000]
  const guarded = rule(['0.0.0.0/0', '::/0'], ownPorts)
  const ofThisMachine = Object.values(networkInterfaces())
    .flat()
    .map((entry) => entry?.address ?? '')
  for (const address of ['127.0.0.1', '127.8.8.8', '::1', ...ofThisMachine])
    expect([address, guarded(address, 4000), guarded(address, 4001)]).toEqual([
      address,
      false,
      true,
    ])
  expect(guarded('1.1.1.1', 4000)).toBe(true)
})

test('ports that become known later are closed from then on', () => {
  const ownPorts = new Set<number>()
  const guarded = addressRule({ allow: ['127.0.0.0/8'], ownPorts })
  expect(guarded('127.0.0.1', 4000)).toBe(true)
  ownPorts.add(4000)
  expect(guarded('127.0.0.1', 4000)).toBe(false)
})

test('without a list the host decides, with one the list alone', () => {
  expect(outboundAllow(undefined, '0.0.0.0')).toEqual([])
  expect(outboundAllow(undefined, 'localhost')).toContain('127.0.0.0/8')
  expect(outboundAllow(' 10.0.0.0/8 , ::1/128,', '127.0.0.1')).toEqual(['10.0.0.0/8', '::1/128'])
})

test.each([
  ['10.0.0.0/8,::1/128', true],
  ['10.0.0.0', false],
  ['10.0.0.0/33', false],
  ['10.0.0.0/8;::1/128', false],
  ['everything', false],
])('%s is a list of networks: %s', (list, expected) => {
  expect(isCidrList(list)).toBe(expected)
})
