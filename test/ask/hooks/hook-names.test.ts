import { expect, test } from 'bun:test'
import { CLIENTS } from '../../../src/agent/clients/clients.ts'
import { CLIENT_TITLES, hookAgentName } from '../../../src/ask/wire/client-titles.ts'

test('every client with a folder has its title, and no other', () => {
  const titles = CLIENTS.map(({ name, title }) => [name, title])
  expect(Object.fromEntries(titles)).toEqual(CLIENT_TITLES)
})

test.each([
  ['claude', 'Claude Code - shop', 'Claude Code - shop'],
  ['claude', 'Claude Code', 'Claude Code'],
  ['claude', 'Answered: yes — nothing to do', 'Claude Code - Answered: yes — nothing to do'],
  ['claude', 'Claude Codes - shop', 'Claude Code - Claude Codes - shop'],
  ['codex', 'Claude Code - shop', 'Codex - Claude Code - shop'],
  ['own-agent', 'Bot - shop', 'own-agent - Bot - shop'],
  ['constructor', 'x', 'constructor - x'],
])('the hook of %s calls itself %p', (client, name, expected) => {
  expect(hookAgentName(client, name)).toBe(expected)
})
