import { expect, test } from 'bun:test'
import { CLIENTS, loadHookClient } from '../../src/agent/clients/clients.ts'
import { JAILED_CLIENTS } from '../../src/agent/jail/session-wish.ts'
import { setupPlace, type Wish } from '../../src/agent/setup/client-setup.ts'
import { page } from './blocks.ts'

async function rows(): Promise<string[][]> {
  const text = await page('docs/security.md')
  const part = text.split('## What a scope guarantees')[1]?.split('\n## ')[0] ?? ''
  const lines = part.split('\n').filter((line) => line.startsWith('| `'))
  return lines.map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  )
}

const namesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => String(name))

test('the table of docs/security.md has every client, and the kernel for those started in the scope', async () => {
  const table = await rows()
  const names = [...new Set(table.flatMap(([cell]) => namesIn(cell)))]
  expect(names.sort()).toEqual(CLIENTS.map(({ name }) => name).sort())
  const held = table.filter(([, , , writing]) => writing?.startsWith('kernel'))
  expect([...new Set(held.flatMap(([cell]) => namesIn(cell)))]).toEqual(JAILED_CLIENTS)
  const hookless = CLIENTS.filter(({ hook }) => !hook).map(({ name }) => name)
  const without = table.filter(([, , tools]) => tools === 'nothing')
  expect(without.flatMap(([cell]) => namesIn(cell))).toEqual(hookless)
})

test('the table of docs/jail.md says of every client how its commands are started', async () => {
  const text = (await page('docs/jail.md')).split('## In a session')[1] ?? ''
  const cells = text.split('\n').filter((line) => /^\| [A-Z]/.test(line))
  const table = cells.map((line) => line.split('|').map((cell) => cell.trim()))
  const found = table.flatMap(([, titles = '', by = '', not = '']) =>
    titles.split(', ').map((title) => [title, by === 'the client' ? not : 'jail']),
  )
  const expected = CLIENTS.map(({ name, title, hook }) => {
    if (JAILED_CLIENTS.includes(name)) return [title, 'jail']
    return [title, `always: ${hook ? 'the hook judges their text' : 'nothing judges them'}`]
  })
  expect(found.sort()).toEqual(expected.sort())
})

test('setup has the clients without such a hook start their commands in the scope, on Linux alone', async () => {
  const wish = (platform: NodeJS.Platform): Wish => ({
    place: { ...setupPlace({ HOME: '/nowhere' }, undefined), platform },
    program: { command: '/opt/beckon', args: [] },
    url: 'http://localhost:1',
    token: 't',
    http: false,
    strict: false,
    nativeDeny: false,
  })
  for (const { name, setup } of CLIENTS) {
    const { files } = await setup()
    const written = (platform: NodeJS.Platform) => JSON.stringify(files(wish(platform)))
    // The hook of the others starts them.
    const isJailed = JAILED_CLIENTS.includes(name) && !(await loadHookClient(name))?.withCommands
    expect([name, written('linux').includes('jail --session')]).toEqual([name, isJailed])
    expect([name, written('darwin').includes('jail')]).toEqual([name, false])
  }
})
