import type { PersonId } from '../../src/ask/accounts/model/ids.ts'
import type { Person } from '../../src/ask/accounts/model/person.ts'
import { findPersonByEmail } from '../../src/ask/accounts/model/person-store.ts'
import type { Group } from '../../src/ask/groups/model/group.ts'
import { insertGroup, putGroupMembers } from '../../src/ask/groups/model/store.ts'
import { insertRule, listRules, putProtect } from '../../src/ask/policy/model/store.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { newId } from '../../src/platform/ids.ts'
import { type PageWorld, pageWorld } from './page-world.ts'
import { addPersonWithPassword, signInAs } from './sign-in.ts'

/** Mara owns it; Ana and Bob are engineers, Bob and Fay guard; Eve is in neither. */
export type ProtectWorld = PageWorld & {
  cookies: Record<string, string>
  people: Record<string, Person>
  engineers: Group
  security: Group
  id(name: string): PersonId
  /** The form as this person, who is an owner by default. */
  submit(path: string, fields: Record<string, string> | string[][], who?: string): Promise<Response>
  /** Says yes to a proposal at its address. */
  agree(at: string, who: string, value?: string): Promise<Response>
}

/** `need` of security have to agree to changes; 0: nobody. */
export async function protectWorld(need = 2): Promise<ProtectWorld> {
  const world = await pageWorld()
  const { db, workspaceId, app } = world
  const mara = await findPersonByEmail(db.read, 'mara@example.org')
  if (!mara) throw new Error('nobody owns it')
  const people: Record<string, Person> = { mara }
  const cookies: Record<string, string> = { mara: world.cookie }
  for (const name of ['ana', 'bob', 'fay', 'eve']) {
    const who = { email: `${name}@example.org`, name, role: 'member' } as const
    const person = await addPersonWithPassword({ db, clock }, who)
    people[name] = person
    cookies[name] = await signInAs(app, person.id)
  }
  const id = (name: string) => people[name]?.id ?? ''
  const group = (name: string): Group => ({
    ...{ id: newId('group', clock.now()), workspaceId, name, source: 'hand' },
    ...{ externalId: undefined, createdAt: 1 },
  })
  const [engineers, security] = [group('engineers'), group('security')]
  await db.write(async (tx) => {
    await insertGroup(tx, engineers)
    await insertGroup(tx, security)
    await putGroupMembers(tx, engineers, 'hand', [id('ana'), id('bob')])
    await putGroupMembers(tx, security, 'hand', [id('bob'), id('fay')])
    await insertRule(tx, {
      ...{ id: newId('rule', 1), workspaceId, match: { toolName: 'Bash' }, set: {} },
      ...{ decision: undefined, approve: { from: [engineers.id] }, createdAt: 1 },
    })
    if (need > 0) await putProtect(tx, workspaceId, { from: [security.id], need }, 1)
    tx.emit('policy', workspaceId)
  })
  const submit: ProtectWorld['submit'] = (path, fields, who = 'mara') =>
    world.post(path, fields, { cookie: cookies[who] ?? '' })
  return {
    ...world,
    ...{ cookies, people, engineers, security, id, submit },
    agree: (at, who, value = 'yes') => submit(`${at}/answer`, { value }, who),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

/** The rule of the world. */
export async function theRule({ db, workspaceId }: PageWorld) {
  const [rule] = await listRules(db.read, workspaceId)
  return rule
}
