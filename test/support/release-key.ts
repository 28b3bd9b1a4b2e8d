import { generateKeyPairSync, randomBytes } from 'node:crypto'

/** A throw-away key for releases, as the two files of `minisign -G -W`. */
export function releaseKey(): { secret: string; publicKey: string } {
  const pair = generateKeyPairSync('ed25519')
  const part = (name: 'd' | 'x') =>
    Buffer.from(String(pair.privateKey.export({ format: 'jwk' })[name]), 'base64url')
  const id = randomBytes(8)
  const body = Buffer.concat([id, part('d'), part('x')])
  const head = Buffer.concat([Buffer.from('Ed\0\0B2'), Buffer.alloc(48)])
  const secret = Buffer.concat([head, body, Buffer.alloc(32)]).toString('base64')
  const publicKey = Buffer.concat([Buffer.from('Ed'), id, part('x')]).toString('base64')
  return { secret: `untrusted comment: made by a test\n${secret}\n`, publicKey }
}
