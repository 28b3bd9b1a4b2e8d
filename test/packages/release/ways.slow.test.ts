import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TARGETS } from '../../../packages/release/targets.ts'
import { npmRegistry } from '../../support/npm-registry.ts'
import { runCommand } from '../../support/run-command.ts'
import { isLong } from '../../support/share.ts'
import { smallRelease } from '../../support/small-release.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const VERSION = '1.2.3'
const HERE = `linux-${process.arch}`
const URL = 'https://releases.example.com/beckon'

const folder = tempFolder()
afterAll(() => folder[Symbol.dispose]())
beforeAll(async () => {
  await smallRelease({ version: VERSION, out: folder.path, url: URL })
})

/** Runs a command in a folder, with a home of its own. */
async function run(folder: string, command: string[], env: object = {}) {
  return await runCommand(command, {
    cwd: folder,
    env: { ...process.env, HOME: folder, ...env },
  })
}

const NPM = Bun.which('npm')

test.skipIf(!NPM)(
  'npx fetches the executable of this machine and no other, and runs it',
  async () => {
    using registry = await npmRegistry(join(folder.path, 'npm'))
    using work = tempFolder()
    writeFileSync(join(work.path, 'package.json'), '{"private":true}')
    const env = { npm_config_registry: registry.url, npm_config_cache: join(work.path, 'cache') }
    const installed = await run(work.path, ['npm', 'install', '--no-audit', '@beckon/beckon'], env)
    expect([installed.code, installed.err]).toEqual([0, expect.any(String)])
    const all = readdirSync(join(work.path, 'node_modules/@beckon'))
    const packages = all.filter((name) => name !== 'beckon')
    expect(packages).toContain(HERE)
    const own = TARGETS.filter(({ os, cpu }) => os === process.platform && cpu === process.arch)
    expect(packages.length).toBeLessThanOrEqual(own.length)

    const npx = (...args: string[]) => run(work.path, ['npx', '--no', '--', 'beckon', ...args], env)
    expect(await npx('--version')).toMatchObject({ code: 0, out: `beckon ${VERSION}\n` })
    expect((await npx('target')).out).toBe(`${HERE}\n`)
    expect((await npx('exit', '3')).code).toBe(3)
    expect((await npx('ask', 'Is "this" $HOME?')).out).toBe('ask Is "this" $HOME?\n')
  },
  60_000,
)

test.skipIf(!NPM)(
  'without optional packages, npx says what is missing',
  async () => {
    using registry = await npmRegistry(join(folder.path, 'npm'))
    using work = tempFolder()
    writeFileSync(join(work.path, 'package.json'), '{"private":true}')
    const env = { npm_config_registry: registry.url, npm_config_cache: join(work.path, 'cache') }
    await run(work.path, ['npm', 'install', '--no-audit', '--omit=optional', '@beckon/beckon'], env)
    const result = await run(work.path, ['npx', '--no', '--', 'beckon', '--version'], env)
    expect([result.code, result.out]).toEqual([1, ''])
    expect(result.err).toContain(`@beckon/${HERE} is missing`)
  },
  60_000,
)

test('on an older Node the executable runs beside it, with its exit code and signals', async () => {
  using work = tempFolder()
  const modules = join(work.path, 'node_modules/@beckon', HERE)
  mkdirSync(join(modules, 'bin'), { recursive: true })
  const path = join(modules, 'bin/beckon')
  const script = '#!/bin/sh\n[ "$1" = exit ] && exit 7\ntrap "echo stopped; exit 9" TERM\necho up\n'
  // It ends by itself, should nobody end it.
  const wait = 'for one in $(seq 200); do sleep 0.05; done\n'
  writeFileSync(path, `${script}${wait}`, { mode: 0o755 })
  const start = join(work.path, 'start.cjs')
  const text = readFileSync(
    join(import.meta.dir, '../../../packages/release/npm-start.cjs'),
    'utf8',
  )
  writeFileSync(start, `process.execve = undefined\n${text.replace(/^#!.*\n/, '')}`)
  expect(await run(work.path, ['node', start, 'exit'])).toMatchObject({ code: 7, err: '' })
  const child = Bun.spawn(['node', start], { cwd: work.path, stdout: 'pipe' })
  let out = ''
  for await (const chunk of child.stdout) {
    out += Buffer.from(chunk).toString()
    if (out === 'up\n') child.kill('SIGTERM')
  }
  expect([out, await child.exited]).toEqual(['up\nstopped\n', 9])
}, 30_000)

const DPKG = Bun.which('dpkg')

test.skipIf(!DPKG)(
  'dpkg installs the package, updates it and removes it',
  async () => {
    using root = tempFolder()
    using newer = tempFolder()
    await smallRelease({ version: '1.10.0', out: newer.path })
    for (const folder of ['var/lib/dpkg/info', 'var/lib/dpkg/updates', 'var/log']) {
      mkdirSync(join(root.path, folder), { recursive: true })
    }
    writeFileSync(join(root.path, 'var/lib/dpkg/status'), '')
    const flags = ['--force-depends', '--force-script-chrootless', '--force-not-root']
    const dpkg = (...args: string[]) =>
      run(root.path, ['dpkg', `--root=${root.path}`, ...flags, ...args])
    const architecture = (await run('/', ['dpkg', '--print-architecture'])).out.trim()
    const file = (folder: string, version: string) =>
      join(folder, `beckon_${version}_${architecture}.deb`)
    expect(await dpkg('-i', file(folder.path, VERSION))).toMatchObject({ code: 0 })

    const at = (path: string) => join(root.path, path)
    const version = () =>
      Bun.spawnSync([at('usr/bin/beckon'), '--version'])
        .stdout.toString()
        .trim()
    expect(version()).toBe(`beckon ${VERSION}`)
    expect(await dpkg('-V', 'beckon')).toMatchObject({ code: 0, out: '' })
    const unit = readFileSync(at('usr/lib/systemd/system/beckon.service'), 'utf8')
    expect(unit).toContain('ExecStart=/usr/bin/beckon serve')
    const listed = (await dpkg('-L', 'beckon')).out.trim().split('\n')
    for (const path of listed.filter((path) => path !== '/.')) {
      expect([path, existsSync(at(path))]).toEqual([path, true])
    }
    expect(await dpkg('-i', file(newer.path, '1.10.0'))).toMatchObject({ code: 0 })
    expect(version()).toBe('beckon 1.10.0')
    for (const way of ['-r', '-P']) {
      expect(await dpkg(way, 'beckon')).toMatchObject({ code: 0 })
      expect(existsSync(at('usr/bin/beckon'))).toBe(false)
    }
  },
  60_000,
)

const LINTIAN = Bun.which('lintian')
// What is so on purpose, and what is a distribution's own.
const TOLERATED = [
  'no-changelog',
  'debian-changelog-file-missing',
  'initial-upload-closes-no-bugs',
  'maintainer-script-calls-systemctl',
  'bogus-mail-host',
  'mail-address-loops-or-bounces',
]

// It reads the package for twenty seconds.
test.skipIf(!LINTIAN || !isLong)(
  'lintian finds nothing wrong with the package',
  async () => {
    const path = join(folder.path, `beckon_${VERSION}_amd64.deb`)
    const result = await run(folder.path, ['lintian', '--allow-root', '--no-cfg', path])
    const warnings = result.out.trim().split('\n').filter(Boolean)
    const unexpected = warnings.filter(
      (line) => !TOLERATED.some((tag) => line.includes(`: ${tag}`)),
    )
    expect(unexpected).toEqual([])
  },
  60_000,
)

const RUBY = Bun.which('ruby')

test('the formula names the archives of this release with their checksums', async () => {
  const formula = readFileSync(join(folder.path, 'beckon.rb'), 'utf8')
  const sums = readFileSync(join(folder.path, 'SHA256SUMS'), 'utf8')
  const pairs = [...formula.matchAll(/url "(.*)"\n +sha256 "(.*)"/g)]
  expect(pairs).toHaveLength(4)
  for (const [, url = '', sum] of pairs) {
    const name = url.replace(`${URL}/download/v${VERSION}/`, '')
    expect(sums).toContain(`${sum}  ${name}\n`)
  }
})

test.skipIf(!RUBY)('Ruby finds no mistake in the formula', async () => {
  const checked = await run(folder.path, [RUBY ?? '', '-wc', 'beckon.rb'])
  expect(checked).toMatchObject({ code: 0, out: 'Syntax OK\n', err: '' })
})
