import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv from 'ajv/dist/2020'
import { parse } from 'yaml'
import { beckon } from '../../support/beckon.ts'
import { generatedCatalog, writeGeneratedCatalog } from '../../support/generated-catalog.ts'
import { tempFolder } from '../../support/temp-folder.ts'

test('init makes a folder in which nothing is wrong, in the data folder by default', async () => {
  using data = tempFolder()
  const result = await beckon(['catalog', 'init', '--data', data.path])
  expect(result).toMatchObject({ code: 0, out: `${join(data.path, 'catalog')}\n` })
  const linted = await beckon(['catalog', 'lint', '--data', data.path])
  expect(linted).toMatchObject({ code: 0, out: '' })
  const tool = readFileSync(join(data.path, 'catalog/tools/resend.yaml'), 'utf8')
  expect(tool).toStartWith('# yaml-language-server: $schema=../schemas/tool.schema.json\n')
  expect(existsSync(join(data.path, 'catalog/schemas/tool.schema.json'))).toBe(true)
})

test('init --empty makes a folder with one placeholder, in which nothing is wrong', async () => {
  using folder = tempFolder()
  await beckon(['catalog', 'init', folder.path, '--empty'])
  expect(readdirSync(join(folder.path, 'tools'))).toEqual(['example-messages.yaml'])
  const linted = await beckon(['catalog', 'lint', folder.path])
  expect(linted).toMatchObject({ code: 0, out: '' })
})

test('init writes over nothing', async () => {
  using folder = tempFolder()
  writeFileSync(join(folder.path, 'removed.yaml'), 'mine')
  const result = await beckon(['catalog', 'init', folder.path])
  expect(result.code).toBe(1)
  expect(result.err).toContain('removed.yaml exists; nothing was written')
  expect(existsSync(join(folder.path, 'catalog.yaml'))).toBe(false)
  expect(readFileSync(join(folder.path, 'removed.yaml'), 'utf8')).toBe('mine')
})

test('new writes a tool and its vendor, and lint says what is to be filled in', async () => {
  using folder = tempFolder()
  await beckon(['catalog', 'init', folder.path, '--empty'])
  const result = await beckon([
    'catalog',
    'new',
    'acme-mail',
    '--vendor',
    'acme',
    '--dir',
    folder.path,
  ])
  expect(result.code).toBe(0)
  expect(result.out).toBe(
    ['tools/acme-mail.yaml', 'vendors/acme.yaml']
      .map((it) => `${join(folder.path, it)}\n`)
      .join(''),
  )
  const linted = await beckon(['catalog', 'lint', folder.path])
  expect(linted.code).toBe(1)
  expect(linted.out).toContain('tools/acme-mail.yaml:6:1 summary: expected text')
  const again = await beckon(['catalog', 'new', 'acme-mail', '--dir', folder.path])
  expect(again.code).toBe(1)
  expect(again.err).toContain('exists; nothing was written')
})

test('new refuses what is no slug, and a slug that was removed', async () => {
  using folder = tempFolder()
  writeGeneratedCatalog(folder.path, 1)
  const wrong = await beckon(['catalog', 'new', '../etc', '--dir', folder.path])
  expect(wrong.code).toBe(2)
  expect(wrong.err).toContain('is not a slug')
  const removed = await beckon(['catalog', 'new', 'tool-gone', '--dir', folder.path])
  expect(removed.code).toBe(1)
  expect(removed.err).toContain('never used again')
})

test('lint says one line a problem, and the same as JSON', async () => {
  using folder = tempFolder()
  writeGeneratedCatalog(folder.path, 2)
  writeFileSync(
    join(folder.path, 'vendors/vendor-0.yaml'),
    'name: V\nurl: https://v.example\nterm: x\n',
  )
  const plain = await beckon(['catalog', 'lint', folder.path])
  expect(plain).toMatchObject({
    code: 1,
    out: 'vendors/vendor-0.yaml:3:1 term: expected a known field; did you mean "terms"?, found "term"\n',
  })
  const json = await beckon(['catalog', 'lint', folder.path, '--json'])
  expect(json.code).toBe(1)
  expect(JSON.parse(json.out)).toEqual({
    folder: folder.path,
    problems: [
      {
        ...{ file: 'vendors/vendor-0.yaml', line: 3, column: 1, field: 'term', found: '"term"' },
        expected: 'a known field; did you mean "terms"?',
      },
    ],
    leftovers: [],
  })
})

test('lint --urls names addresses that lead nowhere, with their line', async () => {
  using folder = tempFolder()
  using server = Bun.serve({
    port: 0,
    fetch: ({ url }) => {
      const { pathname } = new URL(url)
      if (pathname === '/moved') return Response.redirect('/here', 301)
      return new Response(null, { status: pathname === '/gone' ? 404 : 200 })
    },
  })
  await beckon(['catalog', 'init', folder.path, '--empty'])
  const site = `http://localhost:${server.port}`
  const path = join(folder.path, 'tools/example-messages.yaml')
  const text = readFileSync(path, 'utf8')
    .replace('https://example.com/messages', `${site}/gone`)
    .replace('https://example.com/pricing', `${site}/moved`)
  writeFileSync(path, text)
  const vendor = join(folder.path, 'vendors/example.yaml')
  writeFileSync(vendor, readFileSync(vendor, 'utf8').replace('https://example.com', site))
  const linted = await beckon(['catalog', 'lint', folder.path, '--urls'], {
    env: { BECKON_ALLOW_PRIVATE_HOSTS: 'localhost' },
  })
  expect(linted.code).toBe(1)
  const line = text.split('\n').findIndex((row) => row.startsWith('homepage')) + 1
  expect(linted.out).toBe(
    `tools/example-messages.yaml:${line}:1 homepage: expected an address that leads somewhere, found HTTP 404 at ${site}/gone\n`,
  )
}, 60_000)

test('the schemas for editors hold what lint holds', async () => {
  using folder = tempFolder()
  await beckon(['catalog', 'init', folder.path, '--empty'])
  const ajv = new Ajv({ strict: false, validateFormats: false })
  const check = (name: string) =>
    ajv.compile(JSON.parse(readFileSync(join(folder.path, `schemas/${name}.schema.json`), 'utf8')))
  const [tool, catalog, methodology] = ['tool', 'catalog', 'methodology'].map(check)
  for (const { text, ...it } of generatedCatalog(30).tools) expect(tool?.(it)).toBe(true)
  const read = (name: string) => parse(readFileSync(join(folder.path, name), 'utf8'))
  expect(catalog?.(read('catalog.yaml'))).toBe(true)
  expect(methodology?.(read('methodology.yaml'))).toBe(true)
  expect(tool?.({ name: 'x' })).toBe(false)
})
