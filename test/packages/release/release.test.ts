import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import cyclonedx from '@cyclonedx/cyclonedx-library/package.json'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { parse } from 'smol-toml'
import packageJson from '../../../package.json'
import client from '../../../packages/js/package.json'
import { BUILD_OPTIONS } from '../../../packages/release/executable.ts'
import { manPage } from '../../../packages/release/man-page.ts'
import { LINKED, NO_PARTS } from '../../../packages/release/native-parts.ts'
import runtimes from '../../../packages/release/package.json'
import { bundledPackages, runtimeLicence } from '../../../packages/release/packages.ts'
import { TARGETS } from '../../../packages/release/targets.ts'
import { COMMANDS } from '../../../src/cli/commands.ts'
import { readPublicKey, verifiedComment } from '../../../src/platform/signing/minisign.ts'
import { releaseKey } from '../../support/release-key.ts'
import { smallRelease } from '../../support/small-release.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const ROOT = join(import.meta.dir, '../../..')
const VERSION = '1.2.3'
const URL = 'https://releases.example.com/beckon'
const REPOSITORY = 'https://code.example.com/somebody/beckon'

const folder = tempFolder()
afterAll(() => folder[Symbol.dispose]())
const { secret, publicKey } = releaseKey()
beforeAll(async () => {
  await smallRelease({
    version: VERSION,
    out: folder.path,
    url: URL,
    repository: REPOSITORY,
    secret,
  })
})
const read = (name: string) => readFileSync(join(folder.path, name), 'utf8')

test('there is an archive for every target, listed with its checksum and signed', () => {
  const sums = new Map(
    read('SHA256SUMS')
      .trim()
      .split('\n')
      .map((line) => line.split('  ').reverse() as [string, string]),
  )
  for (const { name, os } of TARGETS) {
    const ends = os === 'win32' ? ['zip'] : ['tar.gz', 'tar.zst']
    for (const end of ends) expect([...sums.keys()]).toContain(`beckon-${VERSION}-${name}.${end}`)
  }
  const files = readdirSync(folder.path, { withFileTypes: true }).filter((one) => one.isFile())
  const others = files.map(({ name }) => name).filter((name) => !name.startsWith('SHA256SUMS'))
  expect([...sums.keys()].sort()).toEqual(others.sort())
  for (const [name, sum] of sums) {
    const bytes = readFileSync(join(folder.path, name))
    expect([name, createHash('sha256').update(bytes).digest('hex')]).toEqual([name, sum])
  }
  const key = readPublicKey(publicKey)
  if (!key) throw new Error('no key')
  const signature = read('SHA256SUMS.minisig')
  expect(verifiedComment(Buffer.from(read('SHA256SUMS')), signature, key)).toBe('beckon 1.2.3')
})

test('every npm package names the repository that its provenance does', async () => {
  const names = readdirSync(join(folder.path, 'npm'))
  // The executables, the package that people name, and the client of programs.
  expect(names).toHaveLength(TARGETS.length + 2)
  for (const name of names) {
    const bytes = readFileSync(join(folder.path, 'npm', name))
    const content = (await new Bun.Archive(bytes).files()).get('package/package.json')
    const { repository } = JSON.parse((await content?.text()) ?? '')
    expect([name, repository]).toEqual([name, { type: 'git', url: `git+${REPOSITORY}.git` }])
  }
})

test('what programs install has the version of its own', () => {
  expect(readdirSync(join(folder.path, 'npm'))).toContain(`beckon-client-${client.version}.tgz`)
  const { version } = parse(readFileSync(join(ROOT, 'packages/python/pyproject.toml'), 'utf8'))
    .project as { version: string }
  expect(readdirSync(join(folder.path, 'python')).sort()).toEqual([
    `beckon_client-${version}-py3-none-any.whl`,
    `beckon_client-${version}.tar.gz`,
  ])
})

test('a folder with files of others is not emptied', async () => {
  using other = tempFolder()
  writeFileSync(join(other.path, 'thesis.txt'), 'mine')
  const release = smallRelease({ version: VERSION, out: other.path, url: URL, secret })
  await expect(release).rejects.toThrow('has thesis.txt in it')
  expect(readdirSync(other.path)).toEqual(['thesis.txt'])
})

test('the same release is the same bytes', async () => {
  using again = tempFolder()
  const files = await smallRelease({
    version: VERSION,
    out: again.path,
    url: URL,
    repository: REPOSITORY,
    secret,
  })
  expect(files.length).toBeGreaterThan(25)
  for (const { path } of files) {
    const [one, other] = [folder.path, again.path].map((folder) => readFileSync(join(folder, path)))
    expect([path, one?.equals(other as Buffer)]).toEqual([path, true])
  }
})

test('an archive has the executable and what belongs beside it', () => {
  using work = tempFolder()
  const name = `beckon-${VERSION}-linux-arm64`
  const unpacked = Bun.spawnSync(['tar', 'xzf', join(folder.path, `${name}.tar.gz`)], {
    cwd: work.path,
  })
  expect(unpacked.exitCode).toBe(0)
  const at = (file: string) => join(work.path, name, file)
  const ran = Bun.spawnSync([at('beckon'), 'target'])
  expect(ran.stdout.toString()).toBe('linux-arm64\n')
  const texts = readFileSync(at('THIRD-PARTY-LICENSES'), 'utf8')
  for (const part of ['@scope/some 1.2.3', 'Copyright of somebody', 'JavaScriptCore']) {
    expect(texts).toContain(part)
  }
  expect(readFileSync(at('LICENSE'), 'utf8')).toContain('MIT License')
  expect(Bun.spawnSync(['bash', '-n', at('completions/beckon.bash')]).exitCode).toBe(0)
  expect(readdirSync(join(work.path, name)).sort()).toEqual([
    'LICENSE',
    'THIRD-PARTY-LICENSES',
    'beckon',
    'beckon.1',
    'beckon.service',
    'completions',
  ])
})

test('the bill of materials is CycloneDX 1.6', () => {
  const folder = join(ROOT, 'node_modules', cyclonedx.name, 'res/schema')
  const schema = (name: string) =>
    JSON.parse(readFileSync(join(folder, `${name}.SNAPSHOT.schema.json`), 'utf8'))
  const ajv = new Ajv({ strict: false, formats: { 'iri-reference': true, 'idn-email': true } })
  addFormats(ajv)
  for (const name of ['spdx', 'jsf-0.82']) {
    const { $id: _, ...content } = schema(name)
    ajv.addSchema(content, `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`)
  }
  const bom = JSON.parse(read(`beckon-${VERSION}.cdx.json`))
  const isValid = ajv.compile(schema('bom-1.6'))
  expect([isValid(bom), isValid.errors]).toEqual([true, null])
  expect(isValid({ ...bom, components: [{ name: 'no type' }] })).toBe(false)
  const components: Component[] = bom.components
  const own = components.slice(0, 3).map(({ purl, hashes }) => [purl, hashes?.[0]?.content.length])
  expect(own).toEqual([
    [`pkg:npm/bun@${Bun.version}`, undefined],
    ['pkg:npm/%40scope/some@1.2.3', 128],
    ['pkg:npm/other@2.0.0', undefined],
  ])
  // The runtime of every target has the checksum that it was fetched with.
  const lock = readFileSync(join(ROOT, 'packages/release/bun.lock'), 'utf8')
  const fetched = components[0]?.components ?? []
  expect(fetched.map(({ name }) => name).sort()).toEqual(Object.keys(runtimes.dependencies).sort())
  for (const { name, hashes } of fetched) {
    const sum = Buffer.from(hashes?.[0]?.content ?? '', 'hex').toString('base64')
    expect([name, lock.includes(`"sha512-${sum}"`)]).toEqual([name, true])
  }
  const versionOf = (name: string) => components.find((one) => one.name === name)?.version
  expect(versionOf('sqlite')).toBe(process.versions.sqlite)
  expect(versionOf('boringssl')).toBe(process.versions.boringssl)
  const parts = components.slice(3).map((one) => one['bom-ref'])
  expect(bom.dependencies[1]).toEqual({ ref: `pkg:npm/bun@${Bun.version}`, dependsOn: parts })
  expect(new Set(parts).size).toBe(parts.length)
})

type Component = {
  'bom-ref': string
  name: string
  version?: string
  purl: string
  hashes?: Array<{ alg: string; content: string }>
  components?: Component[]
}

test('the bill of materials has every library that Bun says it links', () => {
  const table = runtimeLicence(ROOT).split('## Linked libraries')[1]?.split('\n## ')[0] ?? ''
  const listed = [...table.matchAll(/^\| .*?\[`(.+?)`\]/gm)].map(([, name]) => name ?? '')
  expect(listed.length).toBeGreaterThan(20)
  expect(listed.filter((name) => !(name in LINKED))).toEqual([])
  const keys = Object.values(LINKED).map(({ key }) => key)
  const expected = [...keys.filter((key) => key !== undefined), ...Object.keys(NO_PARTS)]
  expect(Object.keys(process.versions).sort()).toEqual(expected.sort())
})

test('packages in the executables have the checksums of the lockfile', async () => {
  const names = Object.keys(packageJson.dependencies)
  const inputs = Object.fromEntries(names.map((name) => [`node_modules/${name}/index.js`, {}]))
  const packages = await bundledPackages(ROOT, { inputs })
  const lock = readFileSync(join(ROOT, 'bun.lock'), 'utf8')
  expect(names.filter((name) => !packages.some((one) => one.name === name))).toEqual([])
  for (const { name, version, sha512 = '' } of packages) {
    const sum = Buffer.from(sha512, 'hex').toString('base64')
    const line = lock.split('\n').find((one) => one.includes(`["${name}@${version}", `))
    expect([name, line]).toEqual([name, expect.stringContaining(`"sha512-${sum}"]`)])
    expect(sum).toHaveLength(88)
  }
})

test('without a key nothing is signed, and without an address nothing names one', async () => {
  using out = tempFolder()
  const files = await smallRelease({ version: VERSION, out: out.path })
  const paths = files.map(({ path }) => path)
  for (const name of ['SHA256SUMS.minisig', 'install.sh', 'beckon.rb']) {
    expect(paths).not.toContain(name)
  }
})

test('executables are built as `bun run build` does, with the runtimes of this version of Bun', () => {
  expect(packageJson.scripts.build).toContain(`bun build ${BUILD_OPTIONS} src/main.ts`)
  const used = TARGETS.map(({ runtime }) => runtime.split('/bin/')[0])
  expect(Object.keys(runtimes.dependencies).sort()).toEqual(used.sort() as string[])
  const versions = new Set(Object.values(runtimes.dependencies))
  expect([...versions]).toEqual([packageJson.devDependencies['bun-types']])
})

const GROFF = Bun.which('groff')

test.skipIf(!GROFF)(
  'groff finds nothing wrong with the manual page, and prints every command',
  () => {
    const page = manPage(COMMANDS, VERSION)
    const printed = Bun.spawnSync(['groff', '-man', '-ww', '-Tutf8', '-P-cbou'], {
      stdin: Buffer.from(page),
      env: { ...process.env, GROFF_NO_SGR: '1' },
    })
    expect(printed.stderr.toString()).toBe('')
    const text = printed.stdout.toString()
    for (const { name, example } of COMMANDS) {
      expect(text).toMatch(new RegExp(`^ +${name}$`, 'm'))
      expect(text.replace(/\s+/g, ' ')).toContain(example.replace(/\s+/g, ' '))
    }
  },
)
