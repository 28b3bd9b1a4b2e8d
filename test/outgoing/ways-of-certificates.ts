import { generateKeyPairSync } from 'node:crypto'
import type { JWK } from 'jose'
import { createAcmeClient } from '../../src/platform/https/acme-client.ts'
import { type Guard, orWhy, type WayOut } from './way-out.ts'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = privateKey.export({ format: 'jwk' }) as JWK

/** The authority that makes the server's own certificate. */
export function waysOfCertificates({ fetch }: Guard): WayOut[] {
  return [
    {
      name: 'the certificate authority',
      through: ['src/platform/https/acme-client.ts'],
      ask(base) {
        const { signal } = new AbortController()
        const client = createAcmeClient({
          ...{ directory: `${base}/directory`, key, fetch, now: Date.now, signal },
        })
        return orWhy(client.openAccount(undefined).then(() => ({ taken: true })))
      },
    },
  ]
}
