import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Person } from '../../src/ask/accounts/model/person.ts'
import { findPersonByEmail } from '../../src/ask/accounts/model/person-store.ts'
import { makeDirectory } from '../../src/ask/directory/directories.ts'
import { nameOfUser } from '../../src/ask/directory/model/user.ts'
import { addGroup } from '../../src/ask/groups/groups.ts'
import { readMetadata } from '../../src/ask/oauth/model/client.ts'
import { makeClient } from '../../src/ask/oauth/own-clients.ts'
import { invitePerson } from '../../src/ask/people/invite-person.ts'
import { addPerson } from '../../src/ask/people/people.ts'
import { addRule } from '../../src/ask/policy/change-policy.ts'
import { guardChange } from '../../src/ask/policy/guard.ts'
import { lintFile } from '../../src/ask/policy-file/lint-file.ts'
import { makePolicyToken } from '../../src/ask/policy-file/policy-tokens.ts'
import { addRota } from '../../src/ask/rota/change-rotas.ts'
import { createToken } from '../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { Failure } from '../../src/platform/failure.ts'
import { type PageWorld, pageWorld } from '../support/page-world.ts'

let world: PageWorld
let mara: Person
beforeAll(async () => {
  world = await pageWorld()
  mara = (await findPersonByEmail(world.db.read, 'mara@example.org')) as Person
})
afterAll(() => world[Symbol.asyncDispose]())

// A zero-width space, a Hangul filler, an empty braille cell, marks of direction between spaces.
const BLANK = ['\u200b', '\u3164 \u3164', '\u2800', '\u200e\u2060 \u202e\u00ad']

const URIS = { redirectUris: ['https://example.org/back'], keepsSecret: false }
const makers: Record<string, (name: string) => Promise<unknown>> = {
  'group: name': (name) => addGroup(deps(), mara, name),
  'token: name': (name) =>
    createToken(deps(), { workspaceId: mara.workspaceId, name, by: mara.id }),
  'policy token: name': (name) => makePolicyToken(deps(), mara, { name, may: 'read' }),
  'directory: name': (name) => makeDirectory(deps(), mara, name),
  'client: name': (name) => makeClient(deps(), mara, { name, ...URIS }),
  'person: name': (name) => addPerson(deps(), { name, email: 'bo@example.org' }),
  'invited: name': (name) =>
    invitePerson(deps(), mara, { name, email: 'bo@example.org', role: 'member' }),
  'rota: name': (name) =>
    addRota(deps(), mara, {
      ...{ name, zone: 'UTC' },
      schedule: { startsOn: '2026-10-19', at: '09:00', everyDays: 7, people: [mara.id] },
    }),
  'rule: match.toolName': (toolName) =>
    addRule(deps(), mara.workspaceId, { match: { toolName }, decision: 'ask' }),
}
const fieldsOf = (failure: unknown) =>
  failure instanceof Failure ? failure.fields.map(({ field }) => field) : []
const deps = () => ({ db: world.db, clock, guard: guardChange })

test('a name that nobody can see is refused, and the field is named', async () => {
  for (const name of BLANK) {
    for (const [what, make] of Object.entries(makers)) {
      const failure = await make(name).catch((error) => error)
      const fields = fieldsOf(failure)
      expect([what, escape(name), fields]).toEqual([
        what,
        escape(name),
        [what.split(': ')[1] ?? ''],
      ])
    }
  }
})

test('a policy file with such a name is refused by line', () => {
  const rota = { zone: 'UTC', from: '2026-10-19', at: '09:00', every: '7d', people: ['bo@e.org'] }
  for (const name of BLANK) {
    for (const part of [
      { groups: { [name]: ['bo@example.org'] } },
      { rotas: { [name]: rota } },
      { channels: { [name]: { slack: `#${name}` } } },
    ]) {
      const findings = lintFile(JSON.stringify({ beckon: 'policy/1', ...part }))
      const places = findings.map(({ level, field }) => `${level} ${field.split('.')[0]}`)
      expect([escape(name), places]).toEqual([
        escape(name),
        expect.arrayContaining([`error ${Object.keys(part)[0]}`]),
      ])
    }
  }
})

test('a name of a directory or a client that nobody can see is passed over for the next', () => {
  for (const displayName of BLANK) {
    const user = { userName: 'bo@example.org', displayName, emails: [] }
    expect(nameOfUser(user as never)).toBe('bo@example.org')
    const client = { client_name: displayName, redirect_uris: URIS.redirectUris }
    expect(readMetadata(client)).toMatchObject({ name: 'example.org' })
  }
})
