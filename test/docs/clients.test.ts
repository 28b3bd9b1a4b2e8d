import { expect, test } from 'bun:test'
import { parse } from 'jsonc-parser'
import { setupPlace } from '../../src/agent/client-files/client-setup.ts'
import { CLIENTS, loadSetupClients } from '../../src/agent/clients/clients.ts'
import { planWrite } from '../../src/agent/setup/change.ts'
import { ClientInstructions } from '../../src/ask/tokens/pages/client-setup.tsx'
import { tempFolder } from '../support/temp-folder.ts'
import { page, testedBlocks } from './blocks.ts'
import { type Recordings, triedLine } from './tried-clients.ts'

const SETUP_CLIENTS = await loadSetupClients()

const PAGES = Object.fromEntries(CLIENTS.map(({ name, docs }) => [name, docs.page]))

type Json = Record<string, unknown>

/** The server as a file has it, under whatever name the client has for its list. */
function serverIn(text: string): Json | undefined {
  const data = (
    text.startsWith('[') || text.includes('\n[')
      ? Bun.TOML.parse(text)
      : parse(text, [], { allowTrailingComma: true })
  ) as Record<string, Json | undefined> | undefined
  const servers = ['mcpServers', 'servers', 'context_servers', 'mcp', 'mcp_servers'].map(
    (name) => data?.[name]?.beckon as Json | undefined,
  )
  return servers.find((server) => server !== undefined)
}

/** Without what names the token, which each place has in its own way. */
function plain(server: Json | undefined) {
  const { headers, http_headers, bearer_token_env_var, ...rest } = server ?? {}
  expect(headers ?? http_headers ?? bearer_token_env_var).toBeDefined()
  return rest
}

/** What setup writes for the server of a client that calls it over HTTP. */
function written(name: string, url: string): Json | undefined {
  using home = tempFolder()
  const client = SETUP_CLIENTS.find((one) => one.name === name)
  const place = setupPlace({ HOME: home.path, PATH: '' }, undefined)
  const program = { command: 'beckon', args: [] }
  const more = { token: 'bk_x', http: true, strict: false, nativeDeny: false }
  const request = { place, program, url: `${url}/api/mcp/mcp`, ...more }
  const texts = (client?.files(request) ?? []).map((file) => planWrite(name, file)?.text ?? '')
  return texts.map((text) => (text.startsWith('//') ? undefined : serverIn(text))).find(Boolean)
}

test('each client has a page that begins with its command', async () => {
  for (const [name, file] of Object.entries(PAGES)) {
    const text = await page(`docs/clients/${file}.md`)
    const [, command] = /^# [^\n]+\n\n```sh\n([^\n]+)\n/.exec(text) ?? []
    expect([name, command]).toEqual([name, `beckon setup ${name}`])
    expect(await page('docs/clients/README.md')).toContain(`(${file}.md)`)
  }
})

test('the tables of clients say what the list of clients says', async () => {
  const [hooks, readme] = await Promise.all([page('docs/hooks.md'), page('docs/clients/README.md')])
  for (const { name, title, docs } of CLIENTS) {
    const [, run = '', documents = ''] =
      readme
        .split('\n')
        .find((line) => line.includes('(claude-code.md)'))
        ?.split('|') ?? []
    const column = docs.evidence === 'run' ? run : documents
    expect(column).toContain(`[${title}](${docs.page}.md)`)
    const row = hooks.split('\n').find((line) => line.includes(`| \`${name}\` |`))
    if (!docs.hook) {
      expect([name, row]).toEqual([name, undefined])
      continue
    }
    const { asksAtTerminal, paths, promptsOnPhone } = docs.hook
    const cells = row?.split('|').map((cell) => cell.trim()) ?? []
    for (const cell of [title, docs.evidence, asksAtTerminal, paths, promptsOnPhone]) {
      expect(cells).toContain(cell)
    }
  }
})

test('the page names the clients that were recorded, each with its version', async () => {
  expect(await page('docs/clients/README.md')).toContain(`\n${triedLine()}\n`)
  const recordings: Recordings = JSON.parse(await page('test/fixtures/clients/recorded.json'))
  const run = CLIENTS.filter(({ docs }) => docs.evidence === 'run').map(({ name }) => name)
  expect(Object.keys(recordings).sort()).toEqual(run.sort())
})

test('what a page says to write by hand is what setup writes', async () => {
  const blocks = [...(await testedBlocks('json')), ...(await testedBlocks('toml'))]
  for (const [name, file] of Object.entries(PAGES)) {
    if (name === 'goose') continue
    const own = blocks.filter((block) => block.page === `docs/clients/${file}.md`)
    const [server] = own.map(({ text }) => serverIn(text)).filter(Boolean)
    const url = 'https://beckon.example.com'
    expect([name, plain(server)]).toEqual([name, plain(written(name, url))])
  }
})

test('the page of tokens says the same', () => {
  const json = JSON.stringify(ClientInstructions({ baseUrl: 'https://b.example', token: 'bk_x' }))
  for (const name of ['copilot', 'opencode', 'gemini', 'codex']) {
    const server = plain(written(name, 'https://b.example'))
    for (const [key, value] of Object.entries(server)) {
      const line = name === 'codex' ? `${key} = ${JSON.stringify(value)}` : `"${key}": `
      expect([name, key, json.includes(JSON.stringify(line).slice(1, -1))]).toEqual([
        name,
        key,
        true,
      ])
    }
  }
})
