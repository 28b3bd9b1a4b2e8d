import { expect, test } from 'bun:test'
import { RuleFields } from '../../src/ask/policy/rest.ts'
import { askUserInput } from '../../src/ask/wire/ask-fields.ts'
import { waitInput } from '../../src/ask/wire/follow-up-fields.ts'
import { sendNotificationInput } from '../../src/ask/wire/notification-fields.ts'
import { AskUserResult } from '../../src/ask/wire/result-fields.ts'
import { proposeScopeInput } from '../../src/ask/wire/scope-fields.ts'
import { wrongFields } from '../../src/platform/failure.ts'
import { problemOf } from '../../src/platform/http/errors.ts'
import { shape } from '../../src/platform/schema.ts'
import { FAILURE_KINDS } from '../support/failure-kinds.ts'
import { page, pages, testedBlocks } from './blocks.ts'

const CHECKS: Record<string, { wrong(value: unknown): unknown[] }> = {
  ask_user: askUserInput,
  'ask_user result': shape(AskUserResult),
  wait_for_answer: waitInput,
  send_notification: sendNotificationInput,
  propose_scope: proposeScopeInput,
  rule: shape(RuleFields),
}

test('every JSON example is JSON, and those of a tool are what the tool takes and says', async () => {
  const blocks = await testedBlocks('json')
  expect(blocks.length).toBeGreaterThan(10)
  for (const { page, words, text } of blocks) {
    const value = JSON.parse(text)
    const name = words.slice(1).join(' ')
    if (name) expect([page, name, CHECKS[name]?.wrong(value)]).toEqual([page, name, []])
  }
})

test('every TOML example is TOML', async () => {
  const blocks = await testedBlocks('toml')
  expect(blocks.length).toBeGreaterThan(1)
  for (const { text } of blocks) expect(Object.keys(Bun.TOML.parse(text))).not.toEqual([])
})

test('the pages of clients name the address and the header as they are', async () => {
  for (const [path, text] of await pages()) {
    // Hosted clients take no token.
    if (!path.startsWith('docs/clients/') || /(README|hosted)\.md$/.test(path)) continue
    expect([path, text]).toEqual([path, expect.stringContaining('/api/mcp/mcp')])
    expect(text).toMatch(/Authorization|bearer_token_env_var/)
  }
})

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(text: string): string[] {
  const headings = text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.*)$/gm)
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test('links between pages lead somewhere, and to a heading that is there', async () => {
  const all = await pages()
  for (const [path, text] of all) {
    for (const [, target = '', anchor] of text.matchAll(
      /\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g,
    )) {
      const url = new URL(target, `file:///${path}`)
      const file = Bun.file(`${import.meta.dir}/../..${url.pathname}`)
      expect([path, target, await file.exists()]).toEqual([path, target, true])
      if (anchor === undefined) continue
      const anchors = anchorsOf(all.get(url.pathname.slice(1)) ?? '')
      expect([path, anchor, anchors]).toEqual([path, anchor, expect.arrayContaining([anchor])])
    }
  }
})

test('the error in docs/rest.md is what the server says', async () => {
  const blocks = await testedBlocks('json')
  const example = blocks.find(({ text }) => text.includes('about:blank'))
  const problem = problemOf(wrongFields([{ field: 'question', must: 'is required' }]))
  expect(JSON.parse(example?.text ?? '')).toEqual(problem)
})

test('docs/rest.md and docs/catalog/feeds.md list every code of failure beside its status', async () => {
  const text = `${await page('docs/rest.md')}\n${await page('docs/catalog/feeds.md')}`
  for (const [code, { status }] of FAILURE_KINDS) {
    const rows = text.split('\n').filter((line) => line.includes(`\`${code}\``))
    expect([code, rows.some((row) => row.includes(String(status)))]).toEqual([code, true])
  }
})
