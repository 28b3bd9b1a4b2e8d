import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { type AgentHouse, agentHouse } from '../../support/agent-house.ts'
import { gateHouse } from '../../support/gate-house.ts'
import { gateProcess, textOf } from '../../support/gate-process.ts'

setDefaultTimeout(90_000)

function start(house: AgentHouse) {
  const { url, token, data } = house
  const home = join(data, 'home')
  const env = { HOME: home, BECKON_URL: url, BECKON_TOKEN: token, RAN: join(data, 'ran.jsonl') }
  return gateProcess({ cwd: data, env: { ...env, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' } })
}

test('a call that is held goes on when Beckon’s server is killed and started again', async () => {
  await using house = await agentHouse()
  const server = await house.start()
  await using gate = start(house)
  await gate.begin()
  const answer = gate.call('echo', { message: 'after it' }, { _meta: { progressToken: 1 } })
  const { correlationId } = await house.opened()
  await gate.until(({ method }) => method === 'notifications/progress')
  await server.end('SIGKILL')
  await using _ = await house.start()
  await house.answer(correlationId, { value: 'yes' })
  expect(textOf(await answer)).toBe('after it')
})

test('without Beckon’s server only what rules decide runs or is declined; everything else is refused', async () => {
  await using house = await gateHouse()
  const gate = await house.start()
  await house.confirm('echo')
  await house.rule({ match: { toolName: 'mcp__toy__fail' }, decision: 'deny' })
  // The rules are those that held when the tools were listed last.
  await gate.request('tools/list')
  expect(textOf(await gate.call('echo', { message: 'with it' }))).toBe('with it')
  await house.house.app.stop()
  const refused = gate.call('big', { size: 1 })
  const destructive = gate.call('echo', { message: 'rm -rf /' })
  expect(textOf(await gate.call('echo', { message: 'without it' }))).toBe('without it')
  expect(textOf(await gate.call('fail'))).toContain('A rule of the workspace declines this')
  expect(textOf(await refused)).toContain('nobody can be asked now')
  expect(textOf(await destructive)).toContain('nobody can be asked now')
  expect(house.ran()).toEqual([
    ['echo', { message: 'with it' }],
    ['echo', { message: 'without it' }],
  ])
})

test('without a device that can be reached a call is refused at once, and the question stays', async () => {
  await using house = await gateHouse({ phone: false })
  const gate = await house.start()
  expect(textOf(await gate.call('echo', {}))).toContain('no device could be reached')
  await house.asked()
})

test('a token that is not accepted and a machine that was not set up refuse every call', async () => {
  await using house = await gateHouse()
  const env = { BECKON_URL: house.house.url, BECKON_TOKEN: 'bk_wrong' }
  const wrong = await house.start({ env })
  expect(textOf(await wrong.call('echo'))).toContain('does not accept the token')
  const bare = await house.start({ env: { HOME: join(house.home, 'nobody') } })
  expect(textOf(await bare.call('echo'))).toContain('beckon setup')
  expect(house.ran()).toEqual([])
})
