import { expect, test } from 'bun:test'
import { parse } from 'jsonc-parser'
import { planWrite } from '../../src/agent/setup/change.ts'
import { SETUP_CLIENTS } from '../../src/agent/setup/clients.ts'
import { placeOf } from '../../src/agent/setup/place.ts'
import { ClientSetup } from '../../src/ask/accounts/pages/client-setup.tsx'
import { tempFolder } from '../support/temp-folder.ts'
import { page, testedBlocks } from './blocks.ts'

const PAGES: Record<string, string> = {
  claude: 'claude-code',
  codex: 'codex',
  copilot: 'copilot-cli',
  vscode: 'vs-code',
  cursor: 'cursor',
  agy: 'antigravity-cli',
  opencode: 'opencode',
  gemini: 'gemini-cli',
  qwen: 'qwen-code',
  droid: 'factory-droid',
  goose: 'goose',
  windsurf: 'windsurf',
  cline: 'cline',
  zed: 'zed',
}

type Json = Record<string, unknown>

/** The server as a file has it, under whatever name the client has for its list. */
function serverIn(text: string): Json | undefined {
  const data = (
    text.startsWith('[') || text.includes('\n[')
      ? Bun.TOML.parse(text)
      : parse(text, [], { allowTrailingComma: true })
  ) as Record<string, Json | undefined> | undefined
  const found = ['mcpServers', 'servers', 'context_servers', 'mcp', 'mcp_servers'].map(
    (name) => data?.[name]?.beckon as Json | undefined,
  )
  return found.find((server) => server !== undefined)
}

/** Without what names the token, which each place has in its own way. */
function plain(server: Json | undefined) {
  const { headers, http_headers, bearer_token_env_var, ...rest } = server ?? {}
  expect(headers ?? http_headers ?? bearer_token_env_var).toBeDefined()
  return rest
}

/** Without the variables, which a page says once for all clients. */
function started(server: Json | undefined) {
  const { env, environment, ...rest } = server ?? {}
  return rest
}

/** What setup writes for the server of a client, which calls it over HTTP or starts the bridge. */
function written(name: string, url: string, http = true): Json | undefined {
  using home = tempFolder()
  const client = SETUP_CLIENTS.find((one) => one.name === name)
  const place = placeOf({ HOME: home.path, PATH: '' }, undefined)
  const program = { command: 'beckon', args: [] }
  const more = { token: 'bk_x', http, strict: false, nativeDeny: false }
  const wish = { place, program, url: `${url}/api/mcp/mcp`, ...more }
  const texts = (client?.files(wish) ?? []).map((file) => planWrite(name, file)?.text ?? '')
  return texts.map((text) => (text.startsWith('//') ? undefined : serverIn(text))).find(Boolean)
}

test('each client has a page that begins with its command', async () => {
  expect(Object.keys(PAGES).sort()).toEqual(SETUP_CLIENTS.map(({ name }) => name).toSorted())
  for (const [name, file] of Object.entries(PAGES)) {
    const text = await page(`docs/clients/${file}.md`)
    const [, command] = /^# [^\n]+\n\n```sh\n([^\n]+)\n/.exec(text) ?? []
    expect([name, command]).toEqual([name, `beckon setup ${name}`])
    expect(await page('docs/clients/README.md')).toContain(`(${file}.md)`)
  }
})

test('what a page says to write by hand is what setup writes', async () => {
  const blocks = [...(await testedBlocks('json')), ...(await testedBlocks('toml'))]
  for (const [name, file] of Object.entries(PAGES)) {
    if (name === 'goose') continue
    const own = blocks.filter((block) => block.page === `docs/clients/${file}.md`)
    const [bridge, server] = own.map(({ text }) => serverIn(text)).filter(Boolean)
    const url = 'https://beckon.example.com'
    expect([name, bridge]).toEqual([name, started(written(name, url, false))])
    expect([name, plain(server)]).toEqual([name, plain(written(name, url))])
  }
})

test('the page of tokens says the same', () => {
  const said = JSON.stringify(ClientSetup({ baseUrl: 'https://b.example', token: 'bk_x' }))
  for (const name of ['copilot', 'opencode', 'gemini', 'codex']) {
    const server = plain(written(name, 'https://b.example'))
    for (const [key, value] of Object.entries(server)) {
      const shown = name === 'codex' ? `${key} = ${JSON.stringify(value)}` : `"${key}": `
      expect([name, key, said.includes(JSON.stringify(shown).slice(1, -1))]).toEqual([
        name,
        key,
        true,
      ])
    }
  }
})
