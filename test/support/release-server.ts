import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { BunPlugin } from 'bun'
import { readSecretKey, signatureOf } from '../../src/platform/signing/minisign.ts'

// Of which system the programs say that they are.
const TARGET = 'linux-x64'
const MAIN = join(import.meta.dir, '../../src/main.ts')

type Served = { body: Uint8Array<ArrayBuffer> | string; length?: number }

/** What a release server offers besides a program that answers `--version`. */
export type ReleaseSpec = {
  version: string
  /** The program itself, in place of a script. */
  program?: Uint8Array<ArrayBuffer>
  /** Lines of `sh` for its commands, `"$@"`. */
  script?: string
  /** In place of the archive of the release. */
  archive?: Served
  /** In place of the list of checksums, after it was signed. */
  list?: string
  signedBy?: string
}

/** A server of releases, signed with the secret key file `secret`. */
export async function releaseServer(secret: string) {
  const files = new Map<string, Served>()
  const server = createServer((request, response) => {
    const { body, length } = files.get(request.url ?? '') ?? {}
    if (body === undefined) return response.writeHead(404).end('not found')
    if (length === undefined) return response.end(body)
    // Promises more than it sends.
    response.writeHead(200, { 'content-length': length })
    response.write(body, () => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')

  async function offer({ version, script = 'true', ...more }: ReleaseSpec) {
    const { archive, list, signedBy = secret } = more
    files.clear()
    const folder = `beckon-${version}-${TARGET}`
    const name = `${folder}.tar.gz`
    const standIn = `#!/bin/sh\n[ "$1" = --version ] && echo "beckon ${version}"\n${script}\n`
    const packed = await packedAs(folder, more.program ?? standIn)
    const sums = `${createHash('sha256').update(packed).digest('hex')}  ${name}\n`
    const signature = signatureOf(Buffer.from(sums), readSecretKey(signedBy), `beckon ${version}`)
    files.set('/latest/download/SHA256SUMS', { body: list ?? sums })
    files.set('/latest/download/SHA256SUMS.minisig', { body: signature })
    files.set(`/download/v${version}/${name}`, archive ?? { body: packed })
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    offer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

async function packedAs(
  folder: string,
  program: Uint8Array<ArrayBuffer> | string,
): Promise<Uint8Array<ArrayBuffer>> {
  const archive = new Bun.Archive({ [`${folder}/beckon`]: program }, { compress: 'gzip' })
  return archive.bytes()
}

/** Builds an executable into `outfile` as a release would, of another version when given. */
export async function releasedProgram(
  outfile: string,
  { publicKey, url, version }: { publicKey: string; url: string; version?: string },
): Promise<void> {
  const define = {
    RELEASE_PUBLIC_KEY: JSON.stringify(publicKey),
    RELEASE_TARGET: JSON.stringify(TARGET),
    RELEASE_URL: JSON.stringify(url),
  }
  const other: BunPlugin = {
    name: 'another version',
    setup(build) {
      build.onLoad({ filter: /\/package\.json$/ }, async ({ path }) => {
        const about = await Bun.file(path).json()
        const changed = about.name === 'beckon' ? { ...about, version } : about
        return { contents: JSON.stringify(changed), loader: 'json' }
      })
    },
  }
  const plugins = version === undefined ? [] : [other]
  await Bun.build({ entrypoints: [MAIN], compile: { outfile }, define, splitting: true, plugins })
}
