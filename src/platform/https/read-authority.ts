import { readFileSync } from 'node:fs'
import { WrongUsage } from '../failure.ts'

/**
 * The certificates (PEM) in the file of `BECKON_ACME_CA`. Throws `WrongUsage` for a file that cannot
 * be read or has none.
 */
export function readAuthority(path: string): string {
  const text = textOf(path)
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  throw new WrongUsage(`BECKON_ACME_CA names ${path}, which contains no certificate (PEM).`)
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new WrongUsage(`BECKON_ACME_CA names ${path}, which cannot be read (${code}).`)
  }
}
