import { join } from 'node:path'
import type { Package } from '../../packages/release/packages.ts'
import { makeRelease } from '../../packages/release/release.ts'
import { TARGETS, type Target } from '../../packages/release/targets.ts'
import { readSecretKey } from '../../src/platform/signing/minisign.ts'

/** A package that is in every executable of a small release. */
const PACKAGES: Package[] = [
  {
    name: '@scope/some',
    version: '1.2.3',
    licence: 'MIT',
    texts: ['Copyright of somebody'],
    sha512: 'a1'.repeat(64),
  },
  { name: 'other', version: '2.0.0', licence: '(MIT OR Apache-2.0)', texts: [] },
]

/**
 * A script in place of an executable: it says its version, and the target it was made for. It does
 * not run where a file `crashes` is in the home folder.
 */
function scriptFor(target: Target, version: string): Uint8Array {
  const crash = "[ -e ~/crashes ] && { printf '=====\\nno such symbol\\n' >&2; exit 134; }"
  const says = `${crash}; case $1 in --version) echo 'beckon ${version}' ;; target) echo ${target.name} ;;`
  return Buffer.from(`#!/bin/sh\n${says} exit) exit "$2" ;; *) echo "$@" ;; esac\n`)
}

type SmallRelease = {
  version: string
  out: string
  url?: string
  repository?: string
  secret?: string
  base?: () => Promise<Uint8Array>
}

/** A whole release, with scripts in place of executables. */
export function smallRelease({ version, out, url, repository, secret, base }: SmallRelease) {
  return makeRelease({
    out,
    targets: TARGETS,
    version,
    ...(url ? { url } : {}),
    ...(repository ? { repository } : {}),
    ...(base ? { base } : {}),
    ...(secret ? { key: readSecretKey(secret) } : {}),
    build: async (target) => ({ bytes: scriptFor(target, version), packages: PACKAGES }),
  })
}

/** How a release server answers a path; undefined is a file of the release, or 404. */
type Meddle = (path: string) => Response | undefined

/** A server with releases below `/beckon`, laid out as docs/contributing/releasing.md says. */
export function releaseServer(folder: string) {
  let latest = ''
  let meddle: Meddle = () => undefined
  const requests: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url)
      requests.push(pathname)
      const meddled = meddle(pathname)
      if (meddled) return meddled
      const path = pathname
        .replace('/beckon/latest/download/', `/${latest}/`)
        .replace(/^\/beckon\/download\/v/, '/')
      const file = Bun.file(join(folder, path))
      return (await file.exists()) ? new Response(file) : new Response('', { status: 404 })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/beckon`,
    requests,
    setLatest(version: string) {
      latest = version
    },
    meddle(how: Meddle) {
      meddle = how
    },
    [Symbol.dispose]: () => void server.stop(true),
  }
}
