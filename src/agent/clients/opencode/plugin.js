// Written by `beckon setup opencode`. It tells `beckon hook` what OpenCode is about to do, and refuses
// what the hook refuses. Where the hook cannot be asked, a call passes only while no scope holds.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const BECKON = ['beckon']
const OPTIONS = []
// Set to empty, which counts as not set: values from a repository or an agent must not reach the hook.
const ENVIRONMENT = {}
// OpenCode sets no limit for a plugin; the hook decides long before this.
const LIMIT_MS = 600_000
// Only patches and commands are read beyond this length.
const TEXT_MAX = 100_000
const READ_WHOLE = new Set(['command', 'patchText'])
const QUESTION_TOOLS = []
// Without it, the folder of this machine.
const STATE = undefined
const REFUSED = ''
const RELAYED = new Set(['permission.asked', 'question.asked'])
const REPLIED = new Set(['permission.replied', 'question.replied', 'question.rejected'])
const REPORTED = new Set(['session.created', 'session.idle', 'session.error', 'session.deleted'])
// After the end of a turn the hook waits for what comes next, beside the session.
const ENDS_TURN = new Set(['session.idle', 'session.error'])
const IDLE_MS = 86_400_000

/** The hook's answer to an event: an object, empty when it has none; undefined when it could not run. */
function ask(fields, onStart = () => {}, timeout = LIMIT_MS) {
  return new Promise((done) => {
    const [program, ...words] = [...BECKON, 'hook', 'opencode', ...OPTIONS]
    const env = { ...process.env, ...ENVIRONMENT }
    const stdio = ['pipe', 'pipe', 'ignore']
    const child = spawn(program, words, { stdio, env, timeout })
    const chunks = []
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stdin.on('error', () => {})
    child.on('error', () => done(undefined))
    child.on('close', (code) => {
      const ran = code === 0 || code === 2
      done(ran ? parsed(Buffer.concat(chunks).toString('utf8')) : undefined)
    })
    child.stdin.end(JSON.stringify(fields, cut))
    onStart(child)
  })
}

/** Returns true if any session of this client has a scope; a marker without a time holds. */
function isScopeInForce() {
  const own = join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'beckon')
  const folder = join(STATE ?? own, 'scope')
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith('opencode-') && name.endsWith('.active'))
      .some((name) => holds(join(folder, name)))
  } catch (error) {
    return error.code !== 'ENOENT'
  }
}

function holds(marker) {
  try {
    const text = readFileSync(marker, 'utf8')
    return text === '' || !(Number(text) <= Date.now())
  } catch (error) {
    return error.code !== 'ENOENT'
  }
}

function asksPerson(tool) {
  return QUESTION_TOOLS.some((name) => tool === name || tool.endsWith(`_${name}`))
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

/** Sessions by their parents: an agent's own helpers work in sessions below the one a person sees. */
function createSessions() {
  const parents = new Map()

  function rootOf(session) {
    const parent = parents.get(session)
    return parent === undefined ? session : rootOf(parent)
  }

  return {
    rootOf,
    remember({ info }) {
      if (info?.parentID && rootOf(info.parentID) !== info.id) parents.set(info.id, info.parentID)
    },
  }
}

/** Puts OpenCode's own prompts before a person elsewhere; its dialog stays and may be quicker. */
function createRelay(client, place, rootOf) {
  const open = new Map()

  function post(url, body) {
    return client._client.post({ url, body, headers: { 'Content-Type': 'application/json' } })
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
    // The person wants it to stop: a question without an answer would keep it waiting.
    if (decision === 'deny') await post(`/question/${id}/reject`, {})
  }

  return {
    async relay(event) {
      const { id, sessionID } = event.properties
      const properties = { ...event.properties, sessionID: rootOf(sessionID) }
      const onStart = (child) => open.set(id, child)
      const verdict = (await ask({ event: event.type, ...place, properties }, onStart)) ?? {}
      // Answered at the terminal: the prompt is gone, and `stop` has ended this.
      if (!open.delete(id)) return
      if (event.type === 'question.asked') await answerQuestion(id, verdict)
      else await answerPermission(id, sessionID, verdict)
    },
    stop(id) {
      const child = open.get(id)
      open.delete(id)
      child?.kill('SIGTERM')
    },
  }
}

/** Tells the hook of the turns of sessions, and hands in what a person says next. */
function createTurns(client, place, rootOf) {
  const working = new Set()
  const waiting = new Map()

  async function lastWordsOf(id) {
    try {
      const { data } = await client.session.messages({ path: { id } })
      const last = data.findLast(({ info }) => info.role === 'assistant')
      return last?.parts
        .filter(({ type }) => type === 'text')
        .map(({ text }) => text)
        .join('\n')
    } catch {
      return undefined
    }
  }

  async function end(event, id) {
    const lastWords = event.type === 'session.idle' ? await lastWordsOf(id) : undefined
    const onStart = (child) => waiting.set(id, child)
    const fields = { event: event.type, ...place, properties: event.properties, lastWords }
    const { prompt } = (await ask(fields, onStart, IDLE_MS)) ?? {}
    if (!waiting.delete(id) || !prompt) return
    const body = { parts: [{ type: 'text', text: prompt }] }
    await client.session.promptAsync({ path: { id }, body })
  }

  return {
    async status(event) {
      const { sessionID: id, status } = event.properties
      if (rootOf(id) !== id) return
      const begins = status.type === 'busy' && !working.has(id)
      if (begins) working.add(id)
      if (!begins && status.type !== 'retry') return
      stop(id)
      await ask({ event: event.type, ...place, properties: event.properties })
    },
    async ended(event) {
      const id = event.properties.sessionID
      // An idle session follows an error, and helpers of the agent end turns of their own.
      const isTurn = id !== undefined && rootOf(id) === id && working.delete(id)
      if (isTurn) await end(event, id)
      else await ask({ event: event.type, ...place, properties: event.properties, noTurn: true })
    },
  }

  function stop(id) {
    const child = waiting.get(id)
    waiting.delete(id)
    child?.kill('SIGTERM')
  }
}

// How the hook starts a command in the scope of its session.
const STARTED =
  /^sh (?:'[^']*\/start-opencode'|\S+\/start-opencode) \S+ (?:bash|zsh) ('(?:[^']|'\\'')*'|\S+)$/

/** The model reads its calls again with every turn: as it wrote them. */
function showOwnCommand({ type, state }) {
  const word = type === 'tool' ? STARTED.exec(state?.input?.command ?? '')?.[1] : undefined
  if (word === undefined) return
  const command = word.startsWith("'") ? word.slice(1, -1).replaceAll("'\\''", "'") : word
  state.input = { ...state.input, command }
}

export const Beckon = async ({ client, directory }) => {
  const place = { cwd: directory, roots: [directory] }
  const { rootOf, remember } = createSessions()
  const { relay, stop } = createRelay(client, place, rootOf)
  const turns = createTurns(client, place, rootOf)
  return {
    'tool.execute.before': async (input, output) => {
      const call = { ...input, sessionID: rootOf(input.sessionID) }
      if (asksPerson(input.tool) && output.args) output.args.sessionId ??= call.sessionID
      const { args } = output
      const verdict = await ask({
        event: 'tool.execute.before',
        ...place,
        input: call,
        output: { args },
        takesInput: true,
      })
      if (!verdict && isScopeInForce()) throw new Error(REFUSED)
      if (!verdict) return
      if (verdict.decision === 'deny') throw new Error(verdict.reason)
      if (verdict.args) Object.assign(args, verdict.args)
    },
    'tool.execute.after': async (input, output) => {
      const call = { ...input, sessionID: rootOf(input.sessionID) }
      const printed = { output: output?.output }
      const verdict = await ask({
        event: 'tool.execute.after',
        ...place,
        input: call,
        output: printed,
      })
      const hasPlace = verdict?.context && typeof output?.output === 'string'
      if (hasPlace) output.output += `\n\n${verdict.context}`
    },
    'experimental.chat.messages.transform': async (_input, { messages }) => {
      for (const { parts } of messages) for (const part of parts) showOwnCommand(part)
    },
    event: async ({ event }) => {
      if (event.type === 'session.created') remember(event.properties)
      if (RELAYED.has(event.type)) void relay(event).catch(() => {})
      if (event.type === 'session.status') void turns.status(event).catch(() => {})
      if (ENDS_TURN.has(event.type)) void turns.ended(event).catch(() => {})
      else if (REPORTED.has(event.type)) {
        void ask({ event: event.type, ...place, properties: event.properties })
      }
      if (REPLIED.has(event.type)) stop(event.properties.requestID)
    },
  }
}
