import { expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileOf } from '../../../src/catalog/export/file-layout.ts'
import { beckon } from '../../support/beckon.ts'
import { generatedCatalog, writeGeneratedCatalog } from '../../support/generated-catalog.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { DECODE, feedWorld } from '../feeds/feed-world.ts'

/** Every file with its bytes and what tells whether it is the same one. */
function filesOf(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  return new Map(
    files.sort().map((file) => {
      const { ino, mtimeMs } = statSync(file)
      const hash = Bun.hash(readFileSync(file)).toString(36)
      return [file.slice(folder.length), `${ino} ${mtimeMs} ${hash}`]
    }),
  )
}

test('every document is a file, and each twin is the same document', async () => {
  await using world = await feedWorld()
  await world.publish(generatedCatalog(10))
  using folder = tempFolder()
  const { paths, files } = await world.export(folder.path)
  const twins = { gzip: '.gz', br: '.br', zstd: '.zst' }
  for (const path of paths) {
    const response = await world.get(path)
    const type = response.headers.get('content-type') ?? ''
    const file = join(folder.path, fileOf({ path, type }))
    const bytes = Buffer.from(await response.arrayBuffer())
    expect([path, readFileSync(file).equals(bytes)]).toEqual([path, true])
    for (const [coding, ending] of Object.entries(twins)) {
      if (!existsSync(file + ending)) continue
      const twin = readFileSync(file + ending)
      expect(twin.length).toBeLessThan(bytes.length)
      expect(Buffer.from(DECODE[coding]?.(twin) ?? []).equals(bytes)).toBe(true)
    }
  }
  expect(existsSync(join(folder.path, 'api/v1/tools.json.br'))).toBe(true)
  // The list of what was written is not one of them.
  expect(filesOf(folder.path).size).toBe(files + 1)
}, 60_000)

test('an export touches what changed, and nothing else', async () => {
  await using world = await feedWorld()
  const source = generatedCatalog(10)
  await world.publish(source)
  using folder = tempFolder()
  const to = join(folder.path, 'site')
  await world.export(to)
  const first = filesOf(to)
  expect(await world.export(to)).toMatchObject({ written: 0, dropped: 0 })
  expect(filesOf(to)).toEqual(first)

  const [one, ...others] = source.tools
  await world.publish({
    ...source,
    tools: [{ ...one, summary: 'More.' } as typeof one & object, ...others.slice(1)],
  })
  await world.export(to)
  const second = filesOf(to)
  expect(second.has(`/tools/${others[0]?.slug}/index.html`)).toBe(false)
  expect(second.get('/tools/tool-0000/index.html')).not.toBe(
    first.get('/tools/tool-0000/index.html'),
  )
  const unchanged = [...first]
    .filter(([file, own]) => second.get(file) === own)
    .map(([file]) => file)
  expect(unchanged).toContain('/tools/tool-0005.atom.gz')
  expect(unchanged.some((file) => file.startsWith('/tools-assets/'))).toBe(true)
  // Another version is never as old as the one before: servers of files tell them apart by that.
  for (const file of ['tools/index.html', 'index.html', 'api/v1/tools.json']) {
    const seconds = (own = '') => Math.floor(Number(own.split(' ')[1]) / 1000)
    expect(seconds(second.get(`/${file}`))).toBeGreaterThan(seconds(first.get(`/${file}`)))
  }
  expect(readdirSync(folder.path)).toEqual(['site'])
}, 60_000)

test('two exports of one catalog are the same, byte for byte', async () => {
  await using world = await feedWorld()
  await world.publish(generatedCatalog(6))
  using folder = tempFolder()
  const [a, b] = [join(folder.path, 'a'), join(folder.path, 'b')]
  await world.export(a)
  await world.export(b)
  const bytes = (of: string) => [...filesOf(of)].map(([file, own]) => [file, own.split(' ')[2]])
  expect(bytes(a)).toEqual(bytes(b))
}, 60_000)

test('a folder with other content, or with an export that broke off, is left alone', async () => {
  await using world = await feedWorld()
  await world.publish(generatedCatalog(3))
  using folder = tempFolder()
  writeFileSync(join(folder.path, 'letter.txt'), 'mine')
  await expect(world.export(folder.path)).rejects.toMatchObject({ code: 'conflict' })
  expect(readdirSync(folder.path)).toEqual(['letter.txt'])

  // Neither is one of an earlier export with a file that somebody added.
  const added = join(folder.path, 'added')
  await world.export(added)
  const first = filesOf(added)
  mkdirSync(join(added, 'own'))
  writeFileSync(join(added, 'own/letter.html'), 'mine')
  const refused = world.export(added)
  await expect(refused).rejects.toMatchObject({ code: 'conflict' })
  await expect(refused).rejects.toThrow('/own/letter.html')
  expect(readFileSync(join(added, 'own/letter.html'), 'utf8')).toBe('mine')
  rmSync(join(added, 'own'), { recursive: true })
  expect(filesOf(added)).toEqual(first)
  rmSync(added, { recursive: true })

  const site = join(folder.path, 'site')
  mkdirSync(join(folder.path, 'site.next'))
  writeFileSync(join(folder.path, 'site.next/half'), 'half')
  await world.export(site)
  expect(existsSync(join(site, 'half'))).toBe(false)
  expect(readdirSync(folder.path).sort()).toEqual(['letter.txt', 'site'])
}, 60_000)

test('of two exports into one folder at once, one is refused and the other is whole', async () => {
  await using world = await feedWorld()
  await world.publish(generatedCatalog(6))
  using folder = tempFolder()
  const to = join(folder.path, 'site')
  const both = await Promise.allSettled([world.export(to), world.export(to)])
  const refused = both.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(refused).toMatchObject([{ code: 'conflict' }])
  expect(String(refused[0])).toContain('Another export')
  expect(await world.export(to)).toMatchObject({ written: 0, dropped: 0 })
  expect(readdirSync(folder.path)).toEqual(['site'])
}, 60_000)

test('beckon catalog export writes for the address that it is told', async () => {
  using folder = tempFolder()
  const [data, source, to] = ['data', 'source', 'site'].map((name) => join(folder.path, name))
  if (!data || !source || !to) throw new Error('no names')
  writeGeneratedCatalog(source, 3)
  await beckon(['catalog', 'publish', source, '--data', data])
  const args = ['catalog', 'export', to, '--data', data]
  const done = await beckon([...args, '--base-url', 'https://copy.example', '--json'])
  expect([done.code, JSON.parse(done.out)]).toMatchObject([
    0,
    { folder: to, sequence: 1, baseUrl: 'https://copy.example', signed: true },
  ])
  expect(await beckon(['catalog', 'verify', to])).toMatchObject({ code: 0 })
  const described = JSON.parse(readFileSync(join(to, 'openapi.json'), 'utf8'))
  expect(described.servers).toEqual([{ url: 'https://copy.example' }])
  expect(described.paths).toHaveProperty(['/api/v1/tools.json'])
  const index = JSON.parse(readFileSync(join(to, 'api/v1/index.json'), 'utf8'))
  expect(index.links.tools).toBe('https://copy.example/api/v1/tools.json')
  const again = await beckon([...args, '--base-url', 'https://copy.example'])
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('Nothing has changed')])

  // One chain of manifests speaks for one address.
  const other = join(folder.path, 'other')
  const elsewhere = ['catalog', 'export', other, '--data', data, '--base-url', 'https://b.example']
  const unsigned = await beckon(elsewhere)
  expect([unsigned.code, unsigned.err]).toEqual([0, expect.stringContaining('cannot follow')])
  expect(existsSync(join(other, 'api/v1/manifest.json'))).toBe(false)
  expect((await beckon(['catalog', 'export', '--data', data])).code).toBe(2)
  const none = await beckon(['catalog', 'export', to, '--data', join(folder.path, 'none')])
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('no Beckon data folder')])
}, 60_000)
