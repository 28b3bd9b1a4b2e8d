import { expect, test } from 'bun:test'
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import packageJson from '../../../package.json'
import { file, tar } from '../../../packages/release/archive.ts'
import { TARGETS } from '../../../packages/release/targets.ts'
import { imageRegistry } from '../../support/image-registry.ts'
import { npmRegistry } from '../../support/npm-registry.ts'
import { releaseKey } from '../../support/release-key.ts'
import { runCommand } from '../../support/run-command.ts'
import { isLong } from '../../support/share.ts'
import { releaseServer, smallRelease } from '../../support/small-release.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const ROOT = join(import.meta.dir, '../../..')
const { version } = packageJson
const TOOLS = ['bash', 'node', 'npm', 'skopeo', 'minisign', 'curl', 'sha256sum']
const HAS_TOOLS = TOOLS.every((name) => Bun.which(name))
// What the test does itself: tools are here, and test/long/release.test.ts builds.
const NOT_RUN = ['install tools', 'build']

type Step = { name?: string; run?: string; uses?: string; env?: Record<string, string> }

async function steps(): Promise<Step[]> {
  const text = await Bun.file(join(ROOT, '.github/workflows/release.yml')).text()
  return parse(text).jobs.release.steps
}

test('the workflow builds with the version of Bun that everything else does', async () => {
  const build = (await steps()).find(({ name }) => name === 'build')
  expect(build?.run).toContain(`bun@${packageJson.devDependencies['bun-types']} run release`)
})

/** `gh release create TAG … FILE …`: puts the files where the release server has them. */
const GH = `#!/bin/bash
set -e
test "$1 $2" = "release create"
tag=$3; shift 3
mkdir -p "$PUBLISHED/\${tag#v}"
for one; do case $one in dist/*) cp "$one" "$PUBLISHED/\${tag#v}/";; esac; done
`

// npm takes a second for each of eight packages.
test.skipIf(!HAS_TOOLS || !isLong)(
  'every step after the build publishes, and what is published installs',
  async () => {
    using work = tempFolder()
    const at = (path: string) => join(work.path, path)
    for (const name of ['bin', 'published', 'tmp']) mkdirSync(at(name))
    writeFileSync(at('bin/gh'), GH)
    chmodSync(at('bin/gh'), 0o755)
    for (const name of ['package.json', 'CHANGELOG.md']) cpSync(join(ROOT, name), at(name))
    using server = releaseServer(at('published'))
    server.setLatest(version)
    using npm = await npmRegistry()
    using images = imageRegistry()
    const insecure = `[[registry]]\nlocation = "${images.host}"\ninsecure = true\n`
    mkdirSync(at('.config/containers'), { recursive: true })
    writeFileSync(at('.config/containers/registries.conf'), insecure)
    writeFileSync(at('.npmrc'), `registry=${npm.url}\n//${new URL(npm.url).host}/:_authToken=any\n`)
    const { secret } = releaseKey()
    const base = async () => tar([file('./usr/lib/libc.so.6', 'libc')])
    await smallRelease({ version, out: at('dist/release'), url: server.url, secret, base })

    const env = {
      PATH: `${at('bin')}:${process.env.PATH}`,
      HOME: work.path,
      TMPDIR: at('tmp'),
      RUNNER_TEMP: at('tmp'),
      PUBLISHED: at('published'),
      TAG: `v${version}`,
      RELEASE_URL: server.url,
      IMAGE: `${images.host}/Somebody/Beckon`,
      CREDENTIALS: 'somebody:token',
    }
    const run = async (script: string, more: object = {}) => {
      return await runCommand(['bash', '-eo', 'pipefail', '-c', script], {
        cwd: work.path,
        env: { ...env, ...more },
      })
    }
    const ran: string[] = []
    for (const { name = '', run: script } of await steps()) {
      if (!script || NOT_RUN.includes(name)) continue
      const result = await run(script)
      expect([name, result.code, result.code && result.err + result.out]).toEqual([name, 0, 0])
      ran.push(name)
    }
    expect(ran).toHaveLength(6)

    const own = TARGETS.map(
      ({ os, cpu, libc }) => `@beckon/${os}-${cpu}${libc === 'musl' ? '-musl' : ''}`,
    )
    expect(npm.names().slice(0, -1).sort()).toEqual([...own, 'beckon-client'].sort())
    expect(npm.names().at(-1)).toBe('@beckon/beckon')
    for (const name of [version, 'latest']) {
      expect(images.manifest(name)?.type).toBe('application/vnd.oci.image.index.v1+json')
    }
    const compare = (await steps()).find(({ name }) => name?.startsWith('compare'))?.run ?? 'true'
    expect((await run(compare, { TAG: 'v9.9.9' })).code).toBe(1)
  },
  60_000,
)
