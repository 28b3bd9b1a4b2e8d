import { expect, test } from 'bun:test'
import { makePrivateJwk, readPrivateJwk } from '../../../src/platform/signing/ed25519.ts'

test('a private key is read only if it is whole and its two parts belong together', () => {
  const { kid, jwk } = makePrivateJwk()
  const other = makePrivateJwk().jwk
  expect(readPrivateJwk(jwk)).toEqual({ kid, jwk })
  expect(readPrivateJwk({ ...jwk, kid: 'x', use: 'sig' })).toEqual({ kid, jwk })
  const wrong = [
    ...[null, 'text', [], {}, { ...jwk, d: undefined }, { ...jwk, crv: 'P-256' }],
    ...[
      { ...jwk, d: jwk.d.slice(0, 20) },
      { ...jwk, d: '' },
      { ...jwk, x: jwk.x.slice(1) },
    ],
    { ...jwk, x: other.x },
  ]
  for (const json of wrong) expect(readPrivateJwk(json)).toBeUndefined()
})
