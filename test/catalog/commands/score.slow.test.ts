import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { loadFolder } from '../../../src/catalog/authoring/load-folder.ts'
import { beckon } from '../../support/beckon.ts'
import { writeCatalogFolder } from '../../support/catalog-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const TOOL = `# Mine.
name: Mail
vendor: example
kind: http-api
category: messaging
summary: It sends messages.
auth: api-key
pricing: usage
where: hosted
openapi: https://example.com/openapi.json
scores:
  payments: { score: 2, reason: Seen. }
sources:
  - { url: "https://example.com/docs", read: 2026-11-01, facts: [name, openapi, x402] }
x402:
  level: yes
  evidence: Each call.
  source: https://example.com/docs
  endpoints: []
`

test('beckon catalog score --take writes what checks show, and leaves what a person wrote', async () => {
  using folder = tempFolder()
  const tool = TOOL.replace('level: yes', 'level: "yes"')
  const assessed = `${tool}assessment: { confidence: medium, date: 2026-11-01 }\n`
  writeCatalogFolder(folder.path, { 'tools/mail.yaml': assessed })
  const place = ['--dir', folder.path, '--data', `${folder.path}/none`]
  const view = await beckon(['catalog', 'score', 'mail', ...place])
  expect(view.code).toBe(0)
  expect(view.out).toMatch(/mail +description +yes +2026-11-01/)
  const first = await beckon(['catalog', 'score', 'mail', '--take', ...place])
  expect([first.code, first.err]).toEqual([0, expect.stringContaining('schema 4')])
  const text = readFileSync(`${folder.path}/tools/mail.yaml`, 'utf8')
  expect(text).toStartWith('# Mine.')
  const { source, problems } = await loadFolder(folder.path)
  expect(problems).toEqual([])
  expect(source?.tools[0]).toMatchObject({
    scores: { payments: { score: 2 }, schema: { score: 4, date: '2026-11-01' } },
    assessment: { confidence: 'medium' },
  })
  const again = await beckon(['catalog', 'score', 'mail', '--take', ...place])
  expect(again.err).toContain('nothing to take')
  expect((await beckon(['catalog', 'score', '--take', ...place])).code).toBe(2)
})
