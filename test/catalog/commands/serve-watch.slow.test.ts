import { expect, setDefaultTimeout, test } from 'bun:test'
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beckon } from '../../support/beckon.ts'
import { writeCatalogFolder } from '../../support/catalog-folder.ts'
import { PROGRAM } from '../../support/program.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

// Whole processes on a busy machine.
setDefaultTimeout(60_000)

const tool = (name: string, more = '') => `name: ${name}
vendor: example
kind: http-api
category: messaging
summary: It sends things.
auth: api-key
pricing: usage
where: hosted
${more}`

const FILES = { 'tools/one.yaml': tool('One'), 'tools/two.yaml': tool('Two') }

/** `beckon serve --watch` as a process of its own, in `cwd`. */
async function preview(folder: string, cwd: string) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('BECKON_'))
  const args = ['serve', '--watch', folder, '--port', '0']
  const child = Bun.spawn([...PROGRAM, ...args], {
    ...{ cwd, env: Object.fromEntries(inherited), stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
  })
  let out = ''
  let err = ''
  const reading = Promise.all([
    collect(child.stdout, (text) => (out += text)),
    collect(child.stderr, (text) => (err += text)),
  ])
  await until(() => /Open \S+\n/.test(out) || child.exitCode !== null)
  const url = /on (http:\S+);/.exec(out)?.[1]
  if (!url) throw new Error(`it never listened: ${out}${err}`)
  const text = async (path: string) => await (await fetch(url + path)).text()
  return {
    url,
    text,
    out: () => out,
    err: () => err,
    names: async () => {
      const { tools } = JSON.parse(await text('/api/v1/tools.json'))
      return tools.map(({ name }: { name: string }) => name).sort()
    },
    band: async (path = '/tools') =>
      /<aside class="draft".*?<\/aside>/s.exec(await text(path))?.[0],
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      expect(await child.exited).toBe(0)
      await reading
    },
  }
}

async function collect(stream: ReadableStream<Uint8Array>, add: (text: string) => void) {
  const decoder = new TextDecoder()
  for await (const chunk of stream) add(decoder.decode(chunk, { stream: true }))
}

test('what is saved is served: in place, by a rename, new files and deleted ones', async () => {
  using folder = tempFolder()
  const dir = join(folder.path, 'mine')
  writeCatalogFolder(dir, FILES)
  await using site = await preview(dir, folder.path)
  expect(await site.names()).toEqual(['One', 'Two'])

  const one = join(dir, 'tools/one.yaml')
  writeFileSync(one, tool('Uno'))
  await until(async () => (await site.names()).includes('Uno'))
  writeFileSync(join(dir, 'tools/.one.yaml.swp'), tool('Ein'))
  renameSync(join(dir, 'tools/.one.yaml.swp'), one)
  await until(async () => (await site.names()).includes('Ein'))
  writeFileSync(join(dir, 'tools/three.yaml'), tool('Three'))
  await until(async () => (await site.names()).length === 3)
  rmSync(join(dir, 'tools/two.yaml'))
  await until(async () => (await site.names()).join() === 'Ein,Three')
  writeFileSync(join(dir, 'tools/three.md'), '## Verdict\n\nA verdict in words.\n')
  await until(async () => (await site.text('/tools/three.md')).includes('A verdict in words'))
})

test('pages and feeds say that they are a preview, and lead to it; nothing is kept', async () => {
  using folder = tempFolder()
  const dir = join(folder.path, 'mine')
  const change =
    'tool: one\ndate: 2026-12-01\nkind: notice\nwhat: It moves.\nsource: https://example.com\n'
  writeCatalogFolder(dir, { ...FILES, 'changes/2026/moves.yaml': change })
  appendFileSync(join(dir, 'catalog.yaml'), 'baseUrl: https://published.example\n')
  const before = filesOf(dir)
  {
    await using site = await preview(dir, folder.path)
    await site.names()
    for (const feed of ['tools', 'tools/one', 'changes', 'x402', 'methodology', 'live', 'index']) {
      const text = await site.text(`/api/v1/${feed}.json`)
      expect([feed, JSON.parse(text).meta.preview]).toEqual([feed, true])
      expect(text).not.toContain('published.example')
    }
    for (const page of ['/tools', '/tools/one', '/compare', '/x402', '/changes', '/methodology']) {
      expect([page, await site.band(page)]).toEqual([page, expect.stringContaining('Preview.')])
      expect([page, await site.text(page)]).toEqual([page, expect.stringContaining('draft.')])
    }
    expect(await site.band('/tools/nothing')).toContain('Preview.')
    for (const feed of ['/sunsets.ics', '/changes.atom', '/changes.feed.json', '/llms.txt']) {
      expect([feed, await site.text(feed)]).toEqual([feed, expect.stringContaining('(preview)')])
    }
    expect(await site.text('/robots.txt')).toContain('Disallow: /')
    const { headers } = await fetch(`${site.url}/tools/one`)
    expect([headers.get('cache-control'), headers.get('x-robots-tag')]).toEqual([
      'no-cache',
      'noindex',
    ])
    expect((await fetch(site.url)).url).toBe(`${site.url}/tools`)
    expect(JSON.parse(await site.text('/openapi.json')).paths).toHaveProperty([
      '/api/v1/tools.json',
    ])
    const described = await fetch(`${site.url}/openapi.json`)
    expect(described.headers.get('access-control-allow-origin')).toBe('*')
    const etag = described.headers.get('etag') ?? ''
    const unchanged = await fetch(described.url, { headers: { 'if-none-match': etag } })
    expect([etag === '', unchanged.status]).toEqual([false, 304])
    expect((await fetch(`${site.url}/sign-in`)).status).toBe(404)
  }
  expect(filesOf(dir)).toEqual(before)
  expect(existsSync(join(folder.path, 'data'))).toBe(false)
})

test('a problem is told as lint tells it, and the last good state stays', async () => {
  using folder = tempFolder()
  const dir = join(folder.path, 'mine')
  writeCatalogFolder(dir, FILES)
  await using site = await preview(dir, folder.path)
  await until(() => site.err().includes('2 tools, 0 changes: no problems.'))
  writeFileSync(join(dir, 'tools/one.yaml'), tool('Uno', '<b>bold</b>: x\nkindd: mcp\n'))
  await until(() => site.err().includes('2 problems;'))
  const lint = (await beckon(['catalog', 'lint', dir])).out
  expect(lint).toMatch(/^tools\/one\.yaml:\d+:\d+ kindd: expected a known field/m)
  expect(site.out()).toContain(lint)
  await until(async () => (await site.band())?.includes('2 problems.') ?? false)
  const band = await site.band('/tools/one')
  expect(band).toContain('as it was before')
  expect(band).toContain('tools/one.yaml:')
  expect(band).not.toContain('<b>bold')
  expect(await site.names()).toEqual(['One', 'Two'])
  const stateWas = JSON.parse(await site.text('/preview-state')).state

  writeFileSync(join(dir, 'tools/one.yaml'), tool('Uno'))
  await until(async () => (await site.names()).includes('Uno'))
  expect(await site.band()).not.toContain('problem')
  expect(JSON.parse(await site.text('/preview-state')).state).not.toBe(stateWas)
})

test('a folder that goes away is missed, and followed again when another one comes', async () => {
  using folder = tempFolder()
  const dir = join(folder.path, 'mine')
  writeCatalogFolder(dir, FILES)
  await using site = await preview(dir, folder.path)
  await site.names()
  renameSync(dir, `${dir}-away`)
  await until(async () => (await site.band())?.includes('expected a folder') ?? false)
  expect(await site.names()).toEqual(['One', 'Two'])
  cpSync(`${dir}-away`, dir, { recursive: true })
  await until(async () => !(await site.band())?.includes('expected a folder'))
  writeFileSync(join(dir, 'tools/one.yaml'), tool('Back'))
  await until(async () => (await site.names()).includes('Back'))
})

test('the preview of a broken folder starts, with nothing to show yet', async () => {
  using folder = tempFolder()
  const dir = join(folder.path, 'mine')
  writeCatalogFolder(dir, { 'tools/one.yaml': 'name: [\n' })
  await using site = await preview(dir, folder.path)
  expect(await site.names()).toEqual([])
  expect(await site.band()).toContain('Nothing can be shown until')
  writeFileSync(join(dir, 'tools/one.yaml'), tool('One'))
  await until(async () => (await site.names()).includes('One'))
})

test('what it cannot do together is one sentence', async () => {
  using folder = tempFolder()
  writeCatalogFolder(folder.path, FILES)
  const { path } = folder
  const refusals: Array<[string[], string]> = [
    [['--watch', path, '--data', join(path, 'data')], 'takes no --data'],
    [['--watch', join(path, 'nowhere')], 'needs a folder'],
    [['--watch', join(path, 'catalog.yaml')], 'needs a folder'],
    [['--watch', ' '], 'needs the folder'],
    [['--watch', path, '--port', 'x'], '--port must be'],
    [['--watch'], '--watch'],
  ]
  for (const [args, sentence] of refusals) {
    const { code, out, err } = await beckon(['serve', ...args])
    expect([args, code, out, err]).toEqual([args, 2, '', expect.stringContaining(sentence)])
  }
  expect(existsSync(join(path, 'data'))).toBe(false)
})

function filesOf(dir: string): Record<string, string> {
  const names = readdirSync(dir, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile()).map((it) => join(it.parentPath, it.name))
  return Object.fromEntries(files.sort().map((file) => [file, readFileSync(file, 'utf8')]))
}
