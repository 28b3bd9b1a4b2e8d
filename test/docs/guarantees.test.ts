import { expect, test } from 'bun:test'
import { type InstallRequest, setupPlace } from '../../src/agent/client-files/client-setup.ts'
import { CLIENTS, loadHookClient } from '../../src/agent/clients/clients.ts'
import { JAILED_CLIENTS } from '../../src/agent/jail/session-scope.ts'
import { page } from './blocks.ts'

const contains = (name: string, hook: unknown) => {
  if (JAILED_CLIENTS.includes(name)) return 'contained'
  return hook ? 'judged' : 'nothing'
}

test('the table of docs/jail.md says of every client what holds its commands', async () => {
  const text = (await page('docs/jail.md')).split('## In a session')[1] ?? ''
  const lines = text.split('\n').filter((line) => /^\| [A-Z]/.test(line))
  const table = lines.map((line) => line.split('|').map((cell) => cell.trim()))
  const pairs = table.flatMap(([, titles = '', ...cells]) =>
    titles.split(', ').map((title) => [title, ...cells.slice(0, 5)]),
  )
  const expected = CLIENTS.map(({ name, title, hook, docs }) => {
    const { startedBy, unless = '', visible = '' } = docs.commands
    const elsewhere = hook ? 'judged' : 'nothing'
    return [title, contains(name, hook), unless, elsewhere, startedBy, visible]
  })
  expect(pairs.sort()).toEqual(expected.sort())
})

test('a client that the table calls contained starts its commands in the scope, and no other', async () => {
  for (const { name, docs } of CLIENTS) {
    const hook = await loadHookClient(name)
    const starts = hook !== undefined && (hook.withCommands !== undefined || name === 'claude')
    expect([name, starts]).toEqual([name, JAILED_CLIENTS.includes(name)])
    // What the hook looks at beside the command is said.
    if (hook?.hasRules ?? hook?.takesCommands)
      expect([name, docs.commands.unless]).not.toEqual([name, undefined])
  }
})

test('the table of docs/security.md has each of the words', async () => {
  const text = (await page('docs/security.md')).split('## What a scope guarantees')[1] ?? ''
  for (const { name, hook } of CLIENTS) expect(text).toContain(`| ${contains(name, hook)}`)
})

test('setup has the clients without such a hook start their commands in the scope, on Linux alone', async () => {
  const request = (platform: NodeJS.Platform): InstallRequest => ({
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
    const written = (platform: NodeJS.Platform) => JSON.stringify(files(request(platform)))
    // The hook of the others starts them.
    const isJailed = JAILED_CLIENTS.includes(name) && !(await loadHookClient(name))?.withCommands
    expect([name, written('linux').includes('jail --session')]).toEqual([name, isJailed])
    expect([name, written('darwin').includes('jail')]).toEqual([name, false])
  }
})
