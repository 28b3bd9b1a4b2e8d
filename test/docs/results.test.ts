import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { ALL, type ResultRow, ROWS } from '../support/result-rows.ts'

/** The rows as Markdown: what the documentation shows. */
function tableOf(rows: readonly ResultRow[]): string[] {
  const lines = rows.map(({ when, modes, has, with: more = [], nextAction, handoffAction }) => {
    const { answered: _, value, ...fields } = has
    const facts = Object.entries(fields).map(([name, it]) =>
      it === true ? name : `${name}: ${it}`,
    )
    const why = [...facts, ...(value === undefined ? [] : ['value']), ...more]
    const list = why.map((field) => `\`${field.replace(/^warning: .*/, 'warning')}\``).join(', ')
    const mode = modes.length === ALL.length ? 'any' : modes.map((one) => `\`${one}\``).join(', ')
    const action = (it: string | undefined) => (it ? `\`${it}\`` : '–')
    return `| ${when} | ${mode} | ${list} | ${action(nextAction)} | ${action(handoffAction)} |`
  })
  return [
    '| what happened | mode | the result says | `nextAction` | `handoffAction` |',
    '|---|---|---|---|---|',
    ...lines,
  ]
}

test('the table of results is the one that is played', () => {
  const page = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8')
  const lines = page.split('\n')
  for (const row of tableOf(ROWS)) expect(lines).toContain(row)
  const rows = lines.filter((line) => /\| (`[a-z_]+`|–) \| (`[a-z_]+`|–) \|$/.test(line))
  expect(rows).toHaveLength(ROWS.length)
})
