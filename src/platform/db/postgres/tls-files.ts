import { readFileSync } from 'node:fs'
import { Failure } from '../../failure.ts'

const CERTIFICATE = /-----BEGIN (TRUSTED )?CERTIFICATE-----/
const FILES: ReadonlyMap<string, { holds: RegExp; what: string }> = new Map([
  ['sslrootcert', { holds: CERTIFICATE, what: 'certificate' }],
  ['sslcert', { holds: CERTIFICATE, what: 'certificate' }],
  ['sslkey', { holds: /-----BEGIN [A-Z ]*PRIVATE KEY-----/, what: 'private key' }],
])

/**
 * Throws `conflict`, in one sentence, if a file named in an address cannot be read or holds no PEM.
 * The driver only says that there is an error, and after a file without PEM the next use of a key
 * fails (Bun 1.4.5 leaves the error in BoringSSL's queue).
 */
export function requireTlsFiles({ url, setting }: { url: string; setting: string }): void {
  for (const [name, path] of new URL(url).searchParams) {
    const file = FILES.get(name)
    if (file === undefined) continue
    const subject = `${setting} names ${path} as ${name}`
    const text = textOf(path, subject)
    if (!file.holds.test(text)) {
      throw new Failure('conflict', `${subject}, which holds no ${file.what} in PEM.`)
    }
  }
}

function textOf(path: string, subject: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Failure('conflict', `${subject}, which cannot be read (${code}).`)
  }
}
