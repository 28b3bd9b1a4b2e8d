import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../../../package.json'
import { checkMachO } from '../../../packages/release/mach-o.ts'
import { freePort } from '../../support/free-port.ts'
import { releaseKey } from '../../support/release-key.ts'
import { releaseServer } from '../../support/small-release.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

// A whole release of this commit, and each executable run as far as this machine can.
const ROOT = join(import.meta.dir, '../../..')
const { version } = packageJson
const work = tempFolder()
afterAll(() => work[Symbol.dispose]())
const at = (path: string) => join(work.path, path)
const server = releaseServer(work.path)
afterAll(() => server[Symbol.dispose]())
const { secret, publicKey } = releaseKey()
const MINUTES = 60_000

/** `bun run release` in a clone of its own, below a path of its own. */
async function makeRelease(clone: string, out: string, more: string[] = []) {
  const cloned = Bun.spawnSync(['git', 'clone', '-q', ROOT, clone])
  expect([cloned.exitCode, cloned.stderr.toString()]).toEqual([0, ''])
  const args = ['run', 'release', '--url', server.url, '--out', out, ...more]
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: clone,
    env: { ...process.env, RELEASE_KEY: secret },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const errors = await new Response(child.stderr).text()
  expect([await child.exited, errors]).toEqual([0, expect.not.stringContaining('rror')])
}

beforeAll(async () => {
  await makeRelease(at('clone'), at(version))
  server.setLatest(version)
}, 20 * MINUTES)

/** The folder of an archive, unpacked. */
function unpacked(target: string): string {
  const name = `beckon-${version}-${target}`
  if (!existsSync(at(name))) {
    const archive = at(`${version}/${name}.tar.gz`)
    expect(Bun.spawnSync(['tar', 'xzf', archive], { cwd: work.path }).exitCode).toBe(0)
  }
  return at(name)
}

/** Says its version, serves until it is ready, and ends when it is told to. */
async function tryExecutable(command: readonly string[]) {
  const result = Bun.spawnSync([...command, '--version'])
  expect([result.stdout.toString(), result.stderr.toString()]).toEqual([`beckon ${version}\n`, ''])
  using data = tempFolder()
  const port = freePort()
  const serve = ['serve', '--data', join(data.path, 'data'), '--port', String(port)]
  const child = Bun.spawn([...command, ...serve], { stdout: 'pipe', stderr: 'ignore' })
  const ready = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      (response) => response.status,
      () => 0,
    )
  try {
    await until(async () => (await ready()) === 200 || child.exitCode !== null)
    expect(child.exitCode).toBeNull()
    const link = /http:\S+\/setup\?key=\S+/.exec(await firstText(child.stdout))?.[0] ?? ''
    expect((await fetch(link)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  } finally {
    child.kill('SIGKILL')
  }
}

async function firstText(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader()
  let text = ''
  while (!/setup\?key=\S+\s/.test(text)) {
    const { value, done } = await reader.read()
    if (done) break
    text += Buffer.from(value).toString()
  }
  reader.releaseLock()
  return text
}

const IS_X64 = process.arch === 'x64'

test(
  'another clone in another place gives the same bytes',
  async () => {
    // One of each system, and the image.
    const targets = ['linux-x64', 'linux-arm64', 'macos-x64', 'windows-x64']
    await makeRelease(at('some/other/clone'), at('again'), [`--only=${targets.join(',')}`])
    const sums = (folder: string) => readFileSync(at(`${folder}/SHA256SUMS`), 'utf8').split('\n')
    const again = sums('again')
    for (const name of [...targets.map((one) => `-${one}.`), '.deb', '-image.tar', '.cdx.json']) {
      expect(again.some((line) => line.includes(name))).toBe(true)
    }
    expect(sums(version)).toEqual(expect.arrayContaining(again))
  },
  20 * MINUTES,
)

test(
  'install.sh installs it, and the executable knows its release',
  async () => {
    const home = at('home')
    mkdirSync(home)
    const installed = Bun.spawn(['sh', at(`${version}/install.sh`)], {
      env: { HOME: home, PATH: process.env.PATH },
      stdout: 'pipe',
    })
    expect(await new Response(installed.stdout).text()).toContain('Installed')
    await tryExecutable([join(home, '.local/bin/beckon')])
    const bytes = readFileSync(join(home, '.local/bin/beckon'), 'latin1')
    expect([bytes.includes(publicKey), bytes.includes(server.url)]).toEqual([true, true])
  },
  5 * MINUTES,
)

test.skipIf(!IS_X64 || !Bun.which('qemu-x86_64'))(
  'x64 runs on a processor without AVX2',
  () => tryExecutable(['qemu-x86_64', '-cpu', 'Nehalem', join(unpacked('linux-x64'), 'beckon')]),
  5 * MINUTES,
)

/** The files of the image for an architecture, unpacked. */
async function imageRoot(architecture: string): Promise<string> {
  const layout = at('image')
  const root = at(`root-${architecture}`)
  for (const folder of [layout, root]) mkdirSync(folder, { recursive: true })
  const archive = at(`${version}/beckon-${version}-image.tar`)
  Bun.spawnSync(['tar', 'xf', archive, '-C', layout])
  const blob = (digest: string) => join(layout, 'blobs', digest.replace(':', '/'))
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
  const [top] = read(join(layout, 'index.json')).manifests
  const { manifests } = read(blob(top.digest))
  const own = manifests.find(
    (one: { platform: { architecture: string } }) => one.platform.architecture === architecture,
  )
  for (const { digest } of read(blob(own.digest)).layers) {
    const done = Bun.spawnSync(['tar', 'xzf', blob(digest), '-C', root])
    expect([done.exitCode, done.stderr.toString()]).toEqual([0, ''])
  }
  return root
}

test.skipIf(!Bun.which('qemu-aarch64'))(
  'arm64 runs, with the C library of the image',
  async () => {
    const root = await imageRoot('arm64')
    await tryExecutable(['qemu-aarch64', '-L', root, join(root, 'usr/bin/beckon')])
  },
  10 * MINUTES,
)

const IS_ROOT = process.getuid?.() === 0

test.skipIf(!IS_ROOT || !IS_X64 || !Bun.which('unshare'))(
  'the image runs in a root of its own, as its user',
  async () => {
    const root = await imageRoot('amd64')
    for (const name of ['proc', 'dev']) mkdirSync(join(root, name), { recursive: true })
    const mounts = `mount -t proc proc ${root}/proc && mount --bind /dev ${root}/dev`
    const inside = `chroot --userspec=10001:10001 ${root} /usr/bin/beckon`
    const script = at('in-root.sh')
    const env = 'BECKON_DATA=/data HOME=/data PATH=/usr/bin:/usr/sbin'
    writeFileSync(
      script,
      `[ "$1" != serve ] || set -- serve --port "$5"\n${mounts}\n${env} exec ${inside} "$@"\n`,
    )
    await tryExecutable(['unshare', '-m', 'sh', script])
    expect(existsSync(join(root, 'data/beckon.db'))).toBe(true)
  },
  5 * MINUTES,
)

const MUSL = '/lib/ld-musl-x86_64.so.1'
const LIBRARIES = '/usr/lib/x86_64-linux-gnu'

test.skipIf(!IS_X64 || !existsSync(MUSL) || !Bun.which('musl-gcc'))(
  'x64 for musl runs with the loader and the C library of musl',
  async () => {
    const folder = at('musl')
    mkdirSync(folder)
    cpSync(join(LIBRARIES, 'libstdc++.so.6'), join(folder, 'libstdc++.so.6'), { dereference: true })
    const gcc = Bun.spawnSync(['sh', '-c', 'readlink -f /lib/x86_64-linux-gnu/libgcc_s.so.1'])
    cpSync(gcc.stdout.toString().trim(), join(folder, 'libgcc_s.so.1'))
    const names = join(import.meta.dir, '../../support/glibc-names.c')
    const built = join(folder, 'ld-linux-x86-64.so.2')
    expect(Bun.spawnSync(['musl-gcc', '-shared', '-fPIC', '-o', built, names]).exitCode).toBe(0)
    const program = join(unpacked('linux-x64-musl'), 'beckon')
    await tryExecutable([MUSL, '--library-path', folder, program])
  },
  5 * MINUTES,
)

test.each(['macos-arm64', 'macos-x64'])(
  '%s is signed, page by page',
  (target) => {
    const bytes = readFileSync(join(unpacked(target), 'beckon'))
    const { isAdHoc, pages } = checkMachO(bytes)
    expect([isAdHoc, pages > 10_000]).toEqual([true, true])
    const processor = { 'macos-arm64': 0x0100000c, 'macos-x64': 0x01000007 }[target]
    expect(bytes.readUInt32LE(4)).toBe(Number(processor))
    expect(bytes.includes(publicKey)).toBe(true)
  },
  5 * MINUTES,
)

test(
  'windows-x64 is a program of the console for 64 bits',
  async () => {
    const zip = at(`${version}/beckon-${version}-windows-x64.zip`)
    const name = `beckon-${version}-windows-x64/beckon.exe`
    const child = Bun.spawn(['unzip', '-p', zip, name], { stdout: 'pipe' })
    const bytes = Buffer.from(await new Response(child.stdout).bytes())
    const pe = bytes.readUInt32LE(0x3c)
    expect(bytes.toString('latin1', 0, 2) + bytes.toString('latin1', pe, pe + 4)).toBe('MZPE\0\0')
    const [machine, magic, subsystem] = [4, 24, 24 + 68].map((from) =>
      bytes.readUInt16LE(pe + from),
    )
    expect([machine, magic, subsystem]).toEqual([0x8664, 0x20b, 3])
    const sections = Array.from({ length: bytes.readUInt16LE(pe + 6) }, (_, i) => {
      const from = pe + 24 + bytes.readUInt16LE(pe + 20) + i * 40
      const [size = 0, start = 0] = [16, 20].map((field) => bytes.readUInt32LE(from + field))
      return {
        name: bytes.toString('latin1', from, from + 8).replace(/\0.*/, ''),
        end: start + size,
      }
    })
    expect(sections.map((one) => one.name)).toContain('.bun')
    for (const { end } of sections) expect(end).toBeLessThanOrEqual(bytes.length)
    expect(bytes.includes(publicKey)).toBe(true)
  },
  5 * MINUTES,
)
