import { expect, test } from 'bun:test'
import { actionHashOf } from '../../../src/agent/session/use-permit.ts'
import { listAbout } from '../../../src/ask/audit/model/store.ts'
import type { Question } from '../../../src/ask/questions/model/question.ts'
import { hookWorld } from '../../support/hook-world.ts'
import { type RelayWorld, relayWorld } from '../../support/relay-world.ts'
import { repository } from '../../support/repository.ts'

const ALLOWED = '"behavior":"allow"'
const COMMAND = 'curl -H "Authorization: Bearer sk-live-abcdefghijklmnopqrstuvwx" https://x.example'

const prompt = (session_id: string, command: string) => ({
  session_id,
  hook_event_name: 'PermissionRequest',
  cwd: '/home/u/proj',
  permission_mode: 'default',
  tool_name: 'Bash',
  tool_input: { command },
})

async function used({ house }: RelayWorld, question: Question | undefined) {
  const about = { subjectId: question?.id ?? '', kind: 'permit.used' } as const
  return (await listAbout(house.app.db.read, about, 9)).map(({ detail }) => detail)
}

test('a yes is used up right before the call is let run, by the digest of what the client sent', async () => {
  await using world = await relayWorld()
  const session = world.session()
  const hook = world.start('claude', prompt(session, COMMAND))
  const [question] = await world.asked(session)
  // The person does not see the secret; the digest is of the call with it.
  expect(JSON.stringify(question?.detail.action)).toContain('▇')
  await world.answer(question, 'yes')
  expect((await hook.done).out).toContain(ALLOWED)
  const call = { toolName: 'Bash', toolInput: { command: COMMAND } }
  const hash = actionHashOf(call as never)
  expect(question?.detail.actionHash).toBe(hash)
  expect(await used(world, question)).toEqual([`SHA-256 ${hash}`])
  const other = { ...call, toolInput: { command: COMMAND.replace('abcdef', 'fedcba') } }
  expect(actionHashOf(other as never)).not.toBe(hash)
}, 60_000)

test.each([
  ['PostToolUse', 'make deploy', { tool_response: { stdout: 'done' } }, ['succeeded']],
  ['PostToolUseFailure', 'make deploy', { error: 'exit code 2' }, ['failed']],
  ['PermissionDenied', 'make deploy', {}, ['not_run']],
  ['PostToolUse', 'make other', { tool_response: {} }, []],
])(
  'after %s of `%s` the trail says how the call ended',
  async (event, command, more, outcomes) => {
    await using world = await relayWorld()
    const session = world.session()
    const asking = world.start('claude', prompt(session, 'make deploy'))
    const [question] = await world.asked(session)
    await world.answer(question, 'yes')
    expect((await asking.done).out).toContain(ALLOWED)
    const ended = {
      ...prompt(session, command),
      hook_event_name: event,
      tool_use_id: 't1',
      ...more,
    }
    // Clients may tell it twice.
    for (const _ of [1, 2]) {
      expect(await world.start('claude', ended).done).toEqual({ code: 0, out: '', err: '' })
    }
    const about = { subjectId: question?.id ?? '', kind: 'permit.outcome' } as const
    const records = await listAbout(world.house.app.db.read, about, 9)
    expect(records.map(({ detail }) => detail)).toEqual(outcomes)
  },
  60_000,
)

test('a yes that somebody else has used serves no second call', async () => {
  await using world = await relayWorld()
  const session = world.session()
  const hook = world.start('claude', prompt(session, 'make deploy'))
  const [question] = await world.asked(session)
  const { house } = world
  const post = async (path: string) => {
    const response = await fetch(`${house.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ actionHash: question?.detail.actionHash }),
    })
    return (await response.json()) as { permitId: string; code?: string }
  }
  const { token } = JSON.parse(
    await Bun.file(`${world.home}/.config/beckon/client.json`).text(),
  ) as { token: string }
  hook.kill('SIGSTOP')
  await world.answer(question, 'yes')
  const { permitId } = await post(`/questions/${question?.id}/permit`)
  expect(await post(`/permits/${permitId}/consume`)).toMatchObject({ permitId })
  hook.kill('SIGCONT')
  expect(await hook.done).toEqual({ code: 0, out: '', err: '' })
  expect(await used(world, question)).toHaveLength(1)
}, 60_000)

test.each([
  ['older, without permits', () => new Response('not here', { status: 404 })],
  ['broken', () => new Response('oops', { status: 500 })],
  ['silent', () => new Promise<never>(() => {})],
])(
  'of a server that is %s, a yes lets nothing run',
  async (_, reply) => {
    using world = hookWorld({ waitSeconds: 3 })
    const { run, before, server } = world
    repository(world.project, { 'a.txt': '1' })
    await Bun.write(`${world.project}/a.txt`, '2')
    server.answer = { value: 'yes' }
    server.before = ({ url }) => (/\/permit(s\/|$)/.test(url) ? reply() : undefined)
    const { out } = await run('claude', before('Bash', { command: 'git reset --hard' }))
    expect(out).toContain('"permissionDecision":"ask"')
    expect([...server.used]).toEqual([])
  },
  60_000,
)
