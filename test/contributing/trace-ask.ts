import { createToken } from '../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { callOverMcp } from '../support/agent-faces.ts'
import { connect } from '../support/devices.ts'
import { pageWorld } from '../support/page-world.ts'
import { pushServer } from '../support/push-server.ts'

/** Prints, as JSON, the files of `src` that run when an agent asks over MCP and a phone answers. */
const TIMES = 3

await using push = await pushServer()
await using world = await pageWorld({
  env: { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1', BECKON_CATALOG_PROBES: 'off' },
})
const { workspaceId } = world
const devices = ['phone', 'laptop'].map((name) => ({ workspaceId, ...push.subscribe(name) }))
await connect(world.db, ...devices)
const { token } = await createToken({ db: world.db, clock }, { ...world, name: 'agent' })

/** One question, asked and answered. */
async function ask(question: string): Promise<void> {
  const before = push.delivered.length
  const asking = callOverMcp('2025-11-25', world.url, token, {
    question,
    agentName: 'Codex - shop',
  })
  await push.until(before + 2)
  const { data } = push.delivered[before]?.payload.notification ?? {}
  const { id, answerKey: key, subscriberId } = data as Record<string, string>
  const response = await fetch(`${world.url}/api/v1/questions/${id}/answer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ value: 'yes', key, subscriberId }),
  })
  if (!response.ok) throw new Error(await response.text())
  await asking
  // The other device is told how it ended.
  await push.until(before + 3)
}

// What is loaded with the first call is no part of the way.
await ask('Warm?')
// What runs by itself at the same moment is not there each time.
const runs: Array<Set<string>> = []
for (let i = 0; i < TIMES; i++) {
  const ran = new Set<string>()
  globalThis.onRun = (file) => void ran.add(file)
  await ask(`Deploy build ${i}?`)
  globalThis.onRun = undefined
  runs.push(ran)
}
const [first = new Set<string>(), ...others] = runs
console.log(JSON.stringify([...others.reduce((all, one) => all.intersection(one), first)].sort()))
