import { expect, test } from 'bun:test'
import { systemClock } from '../../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { addPersonWithPassword, signInAs } from '../../support/sign-in.ts'

const FORM = 'action="/settings/policy/programs"'
const shell = (action: string) => ({ toolName: 'Bash', toolTarget: action, action })
const text = async (world: PageWorld, path: string) => (await world.get(path)).text()

test('an owner says on the page of a question what its program does', async () => {
  await using world = await pageWorld()
  const id = await world.ask({ detail: shell('lex build') })
  expect(await text(world, `/d/${id}`)).toContain(FORM)
  const fields = { name: 'lex', kind: 'project', question: id }
  const response = await world.post('/settings/policy/programs', fields)
  expect([response.status, response.headers.get('location')]).toEqual([303, `/d/${id}?program=lex`])
  const page = await text(world, `/d/${id}?program=lex`)
  expect(page).toContain('<code>lex</code> is saved')
  expect(page).not.toContain(FORM)
  expect(page).not.toContain('Not everything that this does is known')
  const policy = await text(world, '/settings/policy')
  expect(policy).toContain('id="program-lex"')
  const removed = await world.post('/settings/policy/programs/remove', { name: 'lex' })
  expect(removed.headers.get('location')).toBe('/settings/policy#programs')
  expect(await text(world, '/settings/policy')).not.toContain('id="program-lex"')
  expect(await text(world, `/d/${id}`)).toContain('what lex does is not known here')
})

test('making a program known is offered only where a program alone is not known', async () => {
  await using world = await pageWorld()
  for (const command of ['npm test', 'lex "$x"', './lex && $x', 'npx lex build', 'vim x']) {
    const id = await world.ask({ detail: shell(command) })
    expect([command, (await text(world, `/d/${id}`)).includes(FORM)]).toEqual([command, false])
  }
})

test('a name that cannot be added is refused on the policy page with the reason', async () => {
  await using world = await pageWorld()
  const response = await world.post('/settings/policy/programs', { name: 'bash', kind: 'words' })
  const page = await text(world, response.headers.get('location') ?? '')
  expect(page).toContain('bash cannot be added: it starts other programs')
  expect(page).not.toContain('id="program-bash"')
  const empty = await world.post('/settings/policy/programs', { name: 'lex' })
  expect(empty.status).toBe(422)
})

test('a member sees the programs and changes none', async () => {
  await using world = await pageWorld()
  await world.post('/settings/policy/programs', { name: 'lex', kind: 'words' })
  const bo = { name: 'Bo', email: 'bo@example.org', role: 'member' } as const
  const { id: personId } = await addPersonWithPassword({ db: world.db, clock: systemClock }, bo)
  const cookie = await signInAs(world.app, personId)
  const id = await world.ask({ detail: shell('other build') })
  expect(await (await world.get(`/d/${id}`, cookie)).text()).not.toContain(FORM)
  const policy = await (await world.get('/settings/policy', cookie)).text()
  expect(policy).toContain('id="program-lex"')
  expect(policy).not.toContain(FORM)
  for (const path of ['/settings/policy/programs', '/settings/policy/programs/remove']) {
    const response = await world.post(path, { name: 'lex', kind: 'words' }, { cookie })
    expect([path, response.status]).toEqual([path, 403])
  }
})
