import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { releaseKey } from '../../support/release-key.ts'
import { runCommand } from '../../support/run-command.ts'
import { CAN_MOUNT, smallDisk } from '../../support/small-disk.ts'
import { releaseServer, smallRelease } from '../../support/small-release.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const NAME = process.arch === 'arm64' ? 'linux-arm64' : 'linux-x64'
const OPENSSL_3 = /^OpenSSL [3-9]/.test(
  Bun.which('openssl') ? Bun.spawnSync(['openssl', 'version']).stdout.toString() : '',
)
// How each signature checker is had or not: the rest of PATH is the same.
const WAYS = [
  { way: 'minisign', isHere: Bun.which('minisign') !== null },
  { way: 'openssl', isHere: OPENSSL_3 },
].filter(({ isHere }) => isHere)
const TOOLS = (
  'sh cat curl wget tar gzip sed awk head tail tr cut wc cmp grep mktemp mkdir rm cp mv chmod uname ldd ' +
  'sha256sum dirname'
).split(' ')

const work = tempFolder()
afterAll(() => work[Symbol.dispose]())
const server = releaseServer(work.path)
afterAll(() => server[Symbol.dispose]())
const { secret } = releaseKey()

beforeAll(async () => {
  for (const version of ['0.9.0', '0.10.0']) {
    await smallRelease({ version, out: join(work.path, version), url: server.url, secret })
  }
})
beforeEach(() => {
  server.setLatest('0.10.0')
  server.meddle(() => undefined)
})

/** A home with a PATH of these programs and no other. */
function home(more: readonly string[]) {
  const folder = tempFolder()
  const bin = join(folder.path, 'tools')
  mkdirSync(bin)
  for (const name of [...TOOLS, ...more]) {
    const path = Bun.which(name)
    if (path) symlinkSync(path, join(bin, name))
  }
  const at = (path: string) => join(folder.path, path)
  async function install(...args: string[]) {
    const script = join(work.path, '0.10.0/install.sh')
    return await runCommand(['sh', script, ...args], {
      env: { HOME: folder.path, PATH: bin, TMPDIR: folder.path },
    })
  }
  const version = () => {
    const path = at('.local/bin/beckon')
    return existsSync(path)
      ? Bun.spawnSync([path, '--version']).stdout.toString().trim()
      : undefined
  }
  /** What is left in the home beside the programs: temporary files would be. */
  const left = () =>
    [...new Bun.Glob('**/*').scanSync({ cwd: folder.path, dot: true })]
      .filter((path) => !path.startsWith('tools/'))
      .sort()
  return { at, bin, install, version, left, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

const INSTALLED = [
  '.local/bin/beckon',
  '.local/share/bash-completion/completions/beckon',
  '.local/share/fish/vendor_completions.d/beckon.fish',
  '.local/share/man/man1/beckon.1',
  '.local/share/zsh/site-functions/_beckon',
]

test.each(WAYS)('with $way: installed, again, updated, and removed', async ({ way }) => {
  using user = home([way])
  server.setLatest('0.9.0')
  const first = await user.install()
  expect(first).toMatchObject({ code: 0, err: '' })
  expect(first.out).toContain('The signature holds: beckon 0.9.0.')
  expect(first.out).toContain(`Installed ${user.at('.local/bin/beckon')}`)
  expect(user.left()).toEqual(INSTALLED)
  const target = Bun.spawnSync([user.at('.local/bin/beckon'), 'target']).stdout.toString()
  expect(target).toBe(`${NAME}\n`)

  expect((await user.install()).out).toContain('Beckon 0.9.0 is already installed')
  server.setLatest('0.10.0')
  expect(await user.install()).toMatchObject({ code: 0, err: '' })
  expect(user.version()).toBe('beckon 0.10.0')

  expect(await user.install('--uninstall')).toMatchObject({ code: 0, err: '' })
  expect(user.left()).toEqual([])
  expect(await user.install('--uninstall')).toMatchObject({ code: 0, err: '' })
})

test.each(WAYS)(
  'with $way: a signature that is wrong in any way changes nothing',
  async ({ way }) => {
    using user = home([way])
    const sums = readFileSync(join(work.path, '0.10.0/SHA256SUMS'), 'utf8')
    const signature = readFileSync(join(work.path, '0.10.0/SHA256SUMS.minisig'), 'utf8')
    const [, , comment = '', whole = ''] = signature.split('\n')
    using stranger = tempFolder()
    await smallRelease({ version: '0.10.0', out: stranger.path, url: server.url, ...strangers() })
    const theirs = readFileSync(join(stranger.path, 'SHA256SUMS.minisig'), 'utf8')
    const cases: Record<string, [path: string, text: string]> = {
      'another sum': ['SHA256SUMS', sums.replace(/^./, (one) => (one === '0' ? '1' : '0'))],
      'the key of a stranger': ['SHA256SUMS.minisig', theirs],
      'another comment': [
        'SHA256SUMS.minisig',
        signature.replace(comment, 'trusted comment: beckon 9'),
      ],
      'no comment': ['SHA256SUMS.minisig', signature.replace(`${comment}\n`, '')],
      'no signature of the comment': ['SHA256SUMS.minisig', signature.replace(whole, '')],
      nothing: ['SHA256SUMS.minisig', ''],
    }
    for (const [name, [path, text]] of Object.entries(cases)) {
      server.meddle((requestPath) =>
        requestPath.endsWith(`/${path}`) ? new Response(text) : undefined,
      )
      const result = await user.install()
      expect([name, result.code, user.left()]).toEqual([name, 1, []])
      expect(result.err).toContain('the signature of SHA256SUMS is wrong')
      expect(result.err.trim().split('\n')).toHaveLength(1)
    }
  },
)

function strangers() {
  return { secret: releaseKey().secret }
}

test('without a checker of signatures it says so, and checks the checksum', async () => {
  using user = home([])
  const result = await user.install()
  expect(result).toMatchObject({ code: 0, err: '' })
  expect(result.out).toContain('The signature was not checked')
  expect(user.version()).toBe('beckon 0.10.0')
})

const ARCHIVE = `beckon-0.10.0-${NAME}.tar.gz`

test.each(['curl', 'wget'])(
  '%s: each way a download goes wrong is one sentence, and the old version stays',
  async (tool) => {
    using user = home([])
    await user.install('--version', '0.9.0')
    const files = user.left()
    const other = tool === 'curl' ? 'wget' : 'curl'
    await Bun.file(join(user.bin, other)).delete()
    const bytes = readFileSync(join(work.path, '0.10.0', ARCHIVE))
    const changed = Buffer.from(bytes)
    changed[changed.length >> 1] = (changed[changed.length >> 1] ?? 0) ^ 1
    const cases: Array<[name: string, path: string, answer: () => Response, said: RegExp]> = [
      ['wrong sum', ARCHIVE, () => new Response(changed), /checksum of .* is wrong/],
      ['cut off', ARCHIVE, () => new Response(bytes.subarray(0, 500)), /checksum of .* is wrong/],
      ['broken off', ARCHIVE, broken, /could not be downloaded whole|checksum of .* is wrong/],
      ['missing', ARCHIVE, () => new Response('', { status: 404 }), /does not exist|downloaded/],
      ['down', 'SHA256SUMS', () => new Response('', { status: 503 }), /does not exist|downloaded/],
      ['no target', 'SHA256SUMS', () => new Response(''), /no executable for/],
      ['a page', 'SHA256SUMS', () => new Response('<html>'), /no executable for/],
    ]
    for (const [name, path, answer, expected] of cases) {
      server.meddle((requestPath) => (requestPath.endsWith(`/${path}`) ? answer() : undefined))
      const result = await user.install()
      expect([name, result.code, user.version()]).toEqual([name, 1, 'beckon 0.9.0'])
      expect([name, result.err]).toEqual([name, expect.stringMatching(expected)])
      expect(result.err.trim().split('\n')).toHaveLength(1)
      expect(user.left()).toEqual(files)
    }
  },
  60_000,
)

/** Leads to a server that says that more comes than does. */
const breaking = Bun.listen({
  port: 0,
  hostname: '127.0.0.1',
  socket: {
    data(socket) {
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\nconnection: close\r\n\r\nstart')
    },
  },
})
afterAll(() => breaking.stop(true))
const broken = () => Response.redirect(`http://127.0.0.1:${breaking.port}/`)

test('an older version is installed only when it is named', async () => {
  using user = home([])
  await user.install()
  server.setLatest('0.9.0')
  const result = await user.install()
  expect(result.code).toBe(1)
  expect(result.err).toContain('0.10.0 is here and 0.9.0 is older')
  expect(user.version()).toBe('beckon 0.10.0')
  expect(await user.install('--version=0.9.0')).toMatchObject({ code: 0 })
  expect(user.version()).toBe('beckon 0.9.0')
})

test('a signed release of another version than the one asked for is refused', async () => {
  using user = home(['minisign', 'openssl'])
  server.meddle((path) =>
    path.includes('/v0.10.0/')
      ? new Response(Bun.file(join(work.path, '0.9.0', String(path.split('/').at(-1)))))
      : undefined,
  )
  const result = await user.install('--version', '0.10.0')
  expect([result.code, user.left()]).toEqual([1, []])
  expect(result.err).toContain('this is version 0.9.0, not 0.10.0')
})

test.skipIf(!CAN_MOUNT)('on a full disk nothing changes, wherever it is full', async () => {
  using user = home([])
  await user.install('--version', '0.9.0')
  const folder = user.at('small')
  mkdirSync(folder)
  using _disk = smallDisk(folder, 1)
  await user.install('--version', '0.9.0', '--to', join(folder, 'bin'))
  const old = readFileSync(join(folder, 'bin/beckon'))
  // dd leaves nothing free, whatever the size of a block.
  Bun.spawnSync(['dd', 'if=/dev/zero', `of=${folder}/filler`, 'bs=512'])
  const result = await user.install('--to', join(folder, 'bin'))
  expect(result.code).toBe(1)
  expect(result.err).toContain('is the disk full?')
  expect(result.err.trim().split('\n')).toHaveLength(1)
  expect(readFileSync(join(folder, 'bin/beckon'))).toEqual(old)
})

test('a folder that cannot be written to, or an executable that does not run, changes nothing', async () => {
  using user = home([])
  writeFileSync(user.at('file'), '')
  const result = await user.install('--to', join(user.at('file'), 'bin'))
  expect([result.code, user.left()]).toEqual([1, ['file']])
  expect(result.err).toContain('cannot be made')

  using other = home([])
  const uname = join(other.bin, 'uname')
  await Bun.file(uname).delete()
  writeFileSync(uname, '#!/bin/sh\n[ "$1" = -s ] && echo Plan9 || echo x86_64\n')
  chmodSync(uname, 0o755)
  const refused = await other.install()
  expect([refused.code, other.left()]).toEqual([1, []])
  expect(refused.err).toContain('there is no executable for Plan9')

  using third = home([])
  writeFileSync(third.at('crashes'), '')
  const crashed = await third.install()
  expect([crashed.code, third.left()]).toEqual([1, ['crashes']])
  expect(crashed.err).toContain('the executable does not run on this machine (no such symbol).')
})

test('wrong usage is said, and an installer that was cut off does nothing', async () => {
  using user = home([])
  for (const args of [['--colour'], ['--version'], ['--to', '']]) {
    const result = await user.install(...args)
    expect([args, result.code, result.err.trim().split('\n').length]).toEqual([args, 1, 1])
  }
  const script = readFileSync(join(work.path, '0.10.0/install.sh'), 'utf8')
  for (const share of [0.3, 0.6, 0.9, 0.99]) {
    const cut = script.slice(0, Math.floor(script.length * share))
    Bun.spawnSync(['sh'], {
      stdin: Buffer.from(cut),
      env: { HOME: user.at('.'), PATH: user.bin, TMPDIR: user.at('.') },
    })
    expect(user.left()).toEqual([])
  }
})
