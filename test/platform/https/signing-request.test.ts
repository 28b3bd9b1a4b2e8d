import { expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { signingRequest } from '../../../src/platform/https/signing-request.ts'

const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

function asOpensslReads(names: readonly string[]): string {
  const read = Bun.spawnSync(['openssl', 'req', '-inform', 'DER', '-noout', '-text', '-verify'], {
    stdin: signingRequest(names, { key, publicKey }),
  })
  return `${read.stderr}${read.stdout}`
}

test.each([
  [['a.example.com']],
  [['a.example.com', 'b.example.com', 'xn--bcher-kva.example']],
  // Longer than 127 bytes, and than 255: lengths of one and of two more bytes.
  [['a', 'b'].map((one) => `${one.repeat(60)}.example.com`)],
  [['a', 'b', 'c', 'd', 'e'].map((one) => `${one.repeat(63)}.${one.repeat(60)}.example.com`)],
])('openssl reads the request for %p, and its signature holds', (names) => {
  const read = asOpensslReads(names)
  expect(read).toMatch(/verify OK/i)
  const dnsNames = [...read.matchAll(/DNS:([\w.-]+)/g)].map(([, name]) => name)
  expect(dnsNames).toEqual(names)
})
