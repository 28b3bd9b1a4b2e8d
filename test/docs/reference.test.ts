import { expect, test } from 'bun:test'
import packageJson from '../../package.json'
import { agentTools } from '../../src/ask/mcp/route.ts'
import { DEFAULT_POLICY } from '../../src/ask/policy/model/policy.ts'
import { GRANT_LENGTHS } from '../../src/ask/questions/model/question.ts'
import { DELIVERY_MODES, ON_TIMEOUT } from '../../src/ask/wire/delivery-mode.ts'
import { PROGRAM_KINDS } from '../../src/ask/wire/reading/own-programs.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { configReader } from '../../src/settings.ts'
import { REST_ROUTES } from '../support/rest-routes.ts'
import { page, pages } from './blocks.ts'

/** The first cells of the rows of every table of a page, without their backticks. */
function firstCells(text: string): string[] {
  return [...text.matchAll(/^\| `([^`]+)`[^|]*\|/gm)].map((match) => String(match[1]))
}

test('docs/configuration.md lists exactly the variables that the program knows', async () => {
  const text = await page('docs/configuration.md')
  expect(firstCells(text).sort()).toEqual([...configReader.variables].sort())
})

test('the flags in docs/configuration.md are those of beckon serve', async () => {
  const text = await page('docs/configuration.md')
  const listed = [...text.matchAll(/^\| `BECKON_\w+` \| `(--[a-z-]+)` \|/gm)].map((row) => row[1])
  const alone = [...text.matchAll(/^`(--[a-z-]+)(?: [A-Z]+)?` has no variable/gm)].map(
    (row) => row[1],
  )
  const options = COMMANDS.find(({ name }) => name === 'serve')?.options ?? []
  const flags = options.map(([option]) => option.split(' ')[0])
  expect([...listed, ...alone].sort()).toEqual(
    flags.filter((flag) => flag?.startsWith('--')).sort(),
  )
})

test('CHANGELOG.md has a part for this version', async () => {
  expect(await page('CHANGELOG.md')).toContain(`\n## ${packageJson.version}\n`)
})

test('docs/policy.md has every field of the policy with its default, and every mode', async () => {
  const text = await page('docs/policy.md')
  const rows = [...text.matchAll(/^\| `(\w+)` \| `([^`]+)` \|/gm)]
  const defaults = rows.map(([, name, value]) => [
    name,
    value?.replace(/^(?!null$)([a-z]\w*)$/, '"$1"'),
  ])
  expect(defaults).toEqual(
    Object.entries(DEFAULT_POLICY).map(([name, value]) => [name, JSON.stringify(value)]),
  )
  expect(firstCells(text)).toEqual([
    ...Object.keys(DEFAULT_POLICY),
    ...DELIVERY_MODES,
    ...PROGRAM_KINDS,
    ...GRANT_LENGTHS,
    ...ON_TIMEOUT,
  ])
})

test('docs/mcp.md lists the tools that the server has', async () => {
  const tools = (await agentTools({} as never)).map((tool) => tool.name)
  const text = await page('docs/mcp.md')
  expect(firstCells(text).slice(0, tools.length)).toEqual(tools)
})

test('docs/rest.md names only routes that the server has', async () => {
  const text = (await page('docs/rest.md')).replace(/ID\?timeoutMs=/g, 'ID')
  const existing = REST_ROUTES.map(
    ({ spec }) => `${spec.method} /api/v1${spec.path.replace(/:\w+/g, 'ID')}`,
  )
  const rows = text.match(/^\| `(GET|POST|PATCH|DELETE).*/gm) ?? []
  const routes = rows.flatMap(
    (row) => row.match(/(?:GET|POST|PATCH|DELETE) \/api\/v1\/[\w/-]+/g) ?? [],
  )
  expect(routes.length).toBeGreaterThan(15)
  expect(routes.filter((route) => !existing.includes(route))).toEqual([])
})

test('every command that a page shows exists', async () => {
  const names = COMMANDS.map((command) => command.name)
  for (const [path, text] of await pages()) {
    const commands = [...text.matchAll(/(?:^|`|\.\/|\$ |dist\/)beckon ([a-z]+)/gm)].map(
      (match) => match[1],
    )
    for (const name of commands)
      expect([path, names]).toEqual([path, expect.arrayContaining([name])])
  }
})
