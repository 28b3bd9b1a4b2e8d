import { expect, test } from 'bun:test'
import { PROXIES } from '../../../src/platform/config/values.ts'
import {
  clientAddress,
  fromThisMachine,
  proxiesAt,
} from '../../../src/platform/http/caller-address.ts'

function requestWith(forwarded: string | undefined, url = 'http://localhost/') {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return new Request(url, { headers })
}

function proxiesOf(setting: string) {
  const proxies = PROXIES.read(setting)
  if (!proxies) throw new Error(`${setting} is no setting`)
  return proxiesAt(proxies)
}

type Row = [setting: string, peer: string, forwarded: string | undefined, sender: string]

const SENDERS: readonly Row[] = [
  // Whoever is no proxy cannot choose an address.
  ['off', '127.0.0.1', '203.0.113.9', '127.0.0.1'],
  ['loopback', '198.51.100.7', '203.0.113.9', '198.51.100.7'],
  ['loopback', '192.168.1.50', '203.0.113.9', '192.168.1.50'],
  ['172.18.0.2', '172.18.0.1', '203.0.113.9', '172.18.0.1'],
  ['10.0.0.0/8', '11.0.0.1', '203.0.113.9', '11.0.0.1'],
  ['private', '198.51.100.7', '203.0.113.9', '198.51.100.7'],
  // A proxy can say it, in each spelling of its own address.
  ['loopback', '127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['loopback', '::1', '203.0.113.9', '203.0.113.9'],
  ['loopback', '::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['::ffff:10.0.0.7', '10.0.0.7', '203.0.113.9', '203.0.113.9'],
  ['10.0.0.7', '::ffff:10.0.0.7', '::ffff:203.0.113.9', '203.0.113.9'],
  ['FD00::/8', 'fd00::1', '2001:DB8::0:1', '2001:db8::1'],
  ['private', '192.168.1.10', '203.0.113.9', '203.0.113.9'],
  ['private', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['private', '172.31.0.1', '203.0.113.9', '203.0.113.9'],
  ['private', 'fe80::1', '203.0.113.9', '203.0.113.9'],
  ['private', '127.0.0.1', '203.0.113.9', '203.0.113.9'],
  // What the caller claims stands left of what proxies saw.
  ['loopback', '127.0.0.1', '6.6.6.6, 203.0.113.9', '203.0.113.9'],
  ['loopback', '127.0.0.1', '127.0.0.1, 203.0.113.9', '203.0.113.9'],
  ['loopback,10.0.0.0/8', '127.0.0.1', '6.6.6.6, 203.0.113.9, 10.0.0.4', '203.0.113.9'],
  ['loopback', '127.0.0.1', '6.6.6.6, 203.0.113.9, 10.0.0.4', '10.0.0.4'],
  ['private', '10.0.0.4', '6.6.6.6,203.0.113.9 , 192.168.1.2,10.0.0.5', '203.0.113.9'],
  // Only proxies: the first sent it. Nonsense is not an address.
  ['private', '10.0.0.4', '10.0.0.9, 10.0.0.5', '10.0.0.9'],
  ['loopback', '127.0.0.1', undefined, '127.0.0.1'],
  ['loopback', '127.0.0.1', '', '127.0.0.1'],
  ['loopback', '127.0.0.1', '6.6.6.6, <script>', '127.0.0.1'],
  ['private', '127.0.0.1', '6.6.6.6, unknown, 10.0.0.5', '10.0.0.5'],
]

test.each(SENDERS)('trusting %s, %s that forwards %p is %s', (setting, peer, forwarded, sender) => {
  expect(clientAddress(requestWith(forwarded), peer, proxiesOf(setting))).toBe(sender)
})

test('a caller without an address is no proxy', () => {
  expect(clientAddress(requestWith('203.0.113.9'), undefined, proxiesOf('private'))).toBe('unknown')
})

const LOCAL: Array<[setting: string, peer: string, forwarded: string | undefined, local: boolean]> =
  [
    ['off', '127.0.0.1', undefined, true],
    ['off', '127.0.0.1', '127.0.0.1', false],
    ['loopback', '127.0.0.1', '127.0.0.1', true],
    ['10.0.0.1', '127.0.0.1', '127.0.0.1', false],
    ['loopback', '127.0.0.1', '203.0.113.9, 127.0.0.1', false],
    // A neighbour in the private network is not this machine, whatever it claims.
    ['private', '127.0.0.1', '127.0.0.1, 192.168.1.50', false],
    ['private', '192.168.1.50', '127.0.0.1', false],
  ]

test.each(LOCAL)(
  'trusting %s, %s that forwards %p is here: %p',
  (setting, peer, forwarded, local) => {
    expect(fromThisMachine(requestWith(forwarded), peer, proxiesOf(setting))).toBe(local)
  },
)
