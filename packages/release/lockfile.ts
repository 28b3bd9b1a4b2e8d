import { readFileSync } from 'node:fs'
import { parse } from 'jsonc-parser'

/** The SHA-512 of the archive of each package, in hexadecimal, by `NAME@VERSION`. */
export function checksumsIn(lockfile: string): Map<string, string> {
  const { packages } = parse(readFileSync(lockfile, 'utf8')) as {
    packages: Record<string, unknown[]>
  }
  const checksums = new Map<string, string>()
  for (const [id, ...more] of Object.values(packages)) {
    const [, sum] = /^sha512-(.*)$/.exec(String(more.at(-1))) ?? []
    if (sum) checksums.set(String(id), Buffer.from(sum, 'base64').toString('hex'))
  }
  return checksums
}
