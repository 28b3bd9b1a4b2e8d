// Written by `beckon setup opencode`. It tells `beckon hook` what OpenCode is about to do, and says
// no where the hook does. What it cannot find out it lets pass, as if it were not there.
import { spawn } from 'node:child_process'

const BECKON = ['beckon']
const OPTIONS = []
// Empty is as good as not set: what a repository or an agent put there does not reach the hook.
const ENVIRONMENT = {}
// OpenCode waits for a plugin without end; the hook decides long before this.
const LIMIT_MS = 600_000
// Nothing but patches and commands is read beyond this.
const TEXT_MAX = 100_000
const READ_WHOLE = new Set(['command', 'patchText'])
const ASKS_A_PERSON = /(^|_)(ask_user|propose_scope)$/
const RELAYED = new Set(['permission.asked', 'question.asked'])
const REPLIED = new Set(['permission.replied', 'question.replied', 'question.rejected'])
const TOLD = new Set(['session.created', 'session.idle', 'session.deleted'])

/** What the hook says to an event: an object, empty when it has nothing to say. */
function ask(fields, begun = () => {}) {
  return new Promise((done) => {
    const [program, ...words] = [...BECKON, 'hook', 'opencode', ...OPTIONS]
    const env = { ...process.env, ...ENVIRONMENT }
    const stdio = ['pipe', 'pipe', 'ignore']
    const child = spawn(program, words, { stdio, env, timeout: LIMIT_MS })
    const said = []
    child.stdout.on('data', (chunk) => said.push(chunk))
    child.stdin.on('error', () => {})
    child.on('error', () => done({}))
    child.on('close', () => done(parsed(Buffer.concat(said).toString('utf8'))))
    child.stdin.end(JSON.stringify(fields, cut))
    begun(child)
  })
}

function cut(key, value) {
  const isLong = typeof value === 'string' && value.length > TEXT_MAX && !READ_WHOLE.has(key)
  return isLong ? value.slice(0, TEXT_MAX) : value
}

function parsed(text) {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

export const Beckon = async ({ client, directory }) => {
  const place = { cwd: directory, roots: [directory] }
  const relays = new Map()
  const parents = new Map()

  /** The session a person talks to: an agent's own helpers work in sessions below it. */
  function rootOf(session) {
    const parent = parents.get(session)
    return parent === undefined ? session : rootOf(parent)
  }

  function remember({ info }) {
    if (info?.parentID && rootOf(info.parentID) !== info.id) parents.set(info.id, info.parentID)
  }

  /** Puts OpenCode's own prompt before a person elsewhere; its dialog stays and may be quicker. */
  async function relay(event) {
    const { id, sessionID } = event.properties
    const properties = { ...event.properties, sessionID: rootOf(sessionID) }
    const said = await ask({ event: event.type, ...place, properties }, (child) =>
      relays.set(id, child),
    )
    // Whoever answered at the terminal has taken the prompt away, and this with it.
    if (!relays.delete(id)) return
    if (event.type === 'question.asked') await answerQuestion(id, said)
    else await answerPermission(id, sessionID, said)
  }

  async function answerPermission(id, sessionID, { decision, reason }) {
    if (decision === 'allow') {
      const path = { id: sessionID, permissionID: id }
      await client.postSessionIdPermissionsPermissionId({ path, body: { response: 'once' } })
    }
    if (decision === 'deny') {
      await post(`/permission/${id}/reply`, { reply: 'reject', message: reason })
    }
  }

  async function answerQuestion(id, { decision, answers }) {
    if (decision === 'allow' && answers) await post(`/question/${id}/reply`, { answers })
  }

  function post(url, body) {
    return client._client.post({ url, body, headers: { 'Content-Type': 'application/json' } })
  }

  return {
    'tool.execute.before': async (input, output) => {
      const call = { ...input, sessionID: rootOf(input.sessionID) }
      if (ASKS_A_PERSON.test(input.tool) && output.args) output.args.sessionId ??= call.sessionID
      const { args } = output
      const said = await ask({
        event: 'tool.execute.before',
        ...place,
        input: call,
        output: { args },
      })
      if (said.decision === 'deny') throw new Error(said.reason)
    },
    'tool.execute.after': async (input, output) => {
      const call = { ...input, sessionID: rootOf(input.sessionID) }
      const said = await ask({ event: 'tool.execute.after', ...place, input: call })
      const hasPlace = said.context && typeof output?.output === 'string'
      if (hasPlace) output.output += `\n\n${said.context}`
    },
    event: async ({ event }) => {
      if (event.type === 'session.created') remember(event.properties)
      if (RELAYED.has(event.type)) void relay(event).catch(() => {})
      if (TOLD.has(event.type)) {
        void ask({ event: event.type, ...place, properties: event.properties })
      }
      if (!REPLIED.has(event.type)) return
      const { requestID } = event.properties
      const child = relays.get(requestID)
      relays.delete(requestID)
      child?.kill('SIGTERM')
    },
  }
}
