import { parseArgs } from 'node:util'
import about from '../../package.json'
import { type MinisignSecretKey, readSecretKey } from '../../src/platform/signing/minisign.ts'
import { baseLayer } from './base-layer.ts'
import { buildExecutable, installRuntimes } from './executable.ts'
import { makeRelease } from './release.ts'
import { TARGETS, type Target } from './targets.ts'

const HELP = `Makes a release of Beckon from this clone.

Usage: bun run release [--only=TARGET,…] [--out DIR] [--url URL] [--repository URL] [--key FILE]
                          [--no-image] [--json]

  --only=TARGET,…  only these: ${TARGETS.map(({ name }) => name).join(', ')}
  --out DIR        where to (default: dist/release); an earlier release in it is removed
  --url URL        where releases are published (RELEASE_URL); needed for install.sh
  --repository URL the web address of the sources (RELEASE_REPOSITORY); npm needs it for provenance
  --key FILE       a secret key of minisign without password; RELEASE_KEY may hold its text
  --no-image       without the image for containers, which needs dpkg-deb and a package of
                   Debian (RELEASE_DEBIAN names another mirror than deb.debian.org)
  --json           say what was made as JSON
`
const BAR = 24

/** Reads the command line of `bun run release`, makes the release, says what it made. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      out: { type: 'string', default: 'dist/release' },
      url: { type: 'string', default: process.env.RELEASE_URL ?? '' },
      repository: { type: 'string', default: process.env.RELEASE_REPOSITORY ?? '' },
      key: { type: 'string' },
      'no-image': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(HELP)
    return 0
  }
  const key = await signingKey(values.key)
  const url = webAddress(values.url)
  const repository = webAddress(values.repository)
  const targets = parseTargets(values.only)
  const mirror = process.env.RELEASE_DEBIAN ?? 'https://deb.debian.org/debian'
  progress('fetching runtimes', 0, 1)
  await installRuntimes()
  const files = await makeRelease({
    ...{
      out: values.out,
      targets,
      url,
      repository,
      version: about.version,
      build: buildExecutable,
      step: progress,
    },
    ...(key ? { key } : {}),
    ...(values['no-image'] ? {} : { base: (cpu: Target['cpu']) => baseLayer(cpu, mirror) }),
  })
  if (values.json) {
    console.log(JSON.stringify({ signed: key !== undefined, files }, null, 2))
  } else {
    for (const { path, bytes, sha256 } of files) {
      const size = `${(bytes / 1e6).toFixed(1)} MB`
      console.log(`${sha256.slice(0, 16)}  ${size.padStart(8)}  ${path}`)
    }
  }
  if (!key) console.error('Not signed: no --key was given, and RELEASE_KEY is empty.')
  if (!url) console.error('No install.sh and no formula: no --url was given.')
  return 0
}

/** Without slashes at its end; throws for what is neither empty nor an address. */
function webAddress(text: string): string {
  const url = text.replace(/\/+$/, '')
  if (url && !/^https?:\/\/[^\s'"<>\\$`]+$/.test(url)) throw new Error(`${url} is not an address.`)
  return url
}

async function signingKey(path: string | undefined): Promise<MinisignSecretKey | undefined> {
  const text = path ? await Bun.file(path).text() : process.env.RELEASE_KEY
  return text ? readSecretKey(text) : undefined
}

function parseTargets(only: string | undefined): readonly Target[] {
  if (only === undefined) return TARGETS
  return only.split(',').map((name) => {
    const target = TARGETS.find((one) => one.name === name.trim())
    if (!target) throw new Error(`"${name}" is no target. See: bun run release --help`)
    return target
  })
}

/** A bar on a terminal, a line for each step elsewhere. */
function progress(what: string, done: number, all: number): void {
  const filled = Math.round((done / all) * BAR)
  const bar = `[${'#'.repeat(filled)}${' '.repeat(BAR - filled)}] ${done}/${all} ${what}`
  if (!process.stderr.isTTY) process.stderr.write(`${bar}\n`)
  else process.stderr.write(`\r\u001b[K${bar}${done === all ? '\n' : ''}`)
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
