import { readFileSync, statSync } from 'node:fs'
import { WrongUsage } from '../platform/failure.ts'
import { readPublicPem, type VerifyKey } from '../platform/signing/ed25519.ts'

const KEY_BYTES_MAX = 10_000

/**
 * The key of `--key`: PEM, or a file with PEM or with the reply of `GET /api/v1/receipts/key`.
 * Throws `WrongUsage` if it is none of these.
 */
export function readTrustedKey(keyText: string): VerifyKey {
  const key = readPublicPem(keyText) ?? readKeyFile(keyText)
  if (key) return key
  throw new WrongUsage('--key is neither a public Ed25519 key in PEM nor a file with one.')
}

function readKeyFile(path: string): VerifyKey | undefined {
  const stat = path.length > 4_096 ? undefined : statSync(path, { throwIfNoEntry: false })
  if (!stat?.isFile() || stat.size > KEY_BYTES_MAX) return undefined
  const text = readFileSync(path, 'utf8')
  return readPublicPem(text) ?? readPublicPem(publicKeyIn(text) ?? '')
}

function publicKeyIn(text: string): string | undefined {
  try {
    const { publicKey } = JSON.parse(text)
    return typeof publicKey === 'string' ? publicKey : undefined
  } catch {
    return undefined
  }
}
