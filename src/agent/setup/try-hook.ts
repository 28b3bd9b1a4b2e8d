import type { Rendered } from '../calls/tool-call.ts'
import type { InstallRequest } from '../client-files/client-setup.ts'
import { hookWords } from '../client-files/entries.ts'
import { decidesWithinMs } from '../clients/client.ts'
import { loadHookClient, type SetupClient } from '../clients/clients.ts'

type Tried = { ok: boolean; said: string }

// Far more than a hook needs, yet clients wait even longer.
const HOOK_MS = 10_000
const SLOW_MS = 1_000
// The replies of a hook that does not object.
const SILENT = new Set([
  '',
  '{}',
  '{"decision":"allow"}',
  '{"permission":"allow"}',
  '{"cancel":false}',
])

// The command of the recorded calls, one that no hook objects to, and one that every hook refuses.
const RECORDED = 'echo hello > made.txt'
const HARMLESS = 'true'
const REFUSED = 'beckon setup --undo'

/**
 * Runs the hook as the client does, with calls that the client once sent. The hook must leave a
 * harmless command alone, within `slowMs` milliseconds, and refuse one that only a person may run.
 */
export async function tryHook(
  client: SetupClient,
  request: InstallRequest,
  slowMs: number = SLOW_MS,
): Promise<Tried> {
  const call = await client.shellCall?.()
  const first = await run(client.name, request, call ?? {}, HARMLESS)
  if (first.code !== 0) return { ok: false, said: `Its hook ended with ${first.code}.` }
  if (!SILENT.has(first.out))
    return { ok: false, said: 'Its hook answered a call that it should leave alone.' }
  if (first.ms > slowMs)
    return { ok: false, said: `Its hook takes ${first.ms} ms even when it has nothing to say.` }
  if (call !== undefined && !(await refuses(client.name, request, call)))
    return {
      ok: false,
      said: `Its hook let a command of ${client.title} run that it should refuse: ${REFUSED}. Nothing is enforced there.`,
    }
  return { ok: true, said: `Its hook runs (${first.ms} ms)${await decides(client)}.` }
}

/** Returns true if the client would take the answer as a no, whatever its reason. */
async function refuses(name: string, request: InstallRequest, call: unknown): Promise<boolean> {
  const { out, code, err } = await run(name, request, call, REFUSED)
  const hook = await loadHookClient(name)
  const read = hook?.parse(filled(call, request, REFUSED), {})
  if (!hook || read?.event !== 'before_tool') return false
  const reason = err || reasonIn(out)
  const no: Rendered = hook.render({ is: 'deny', reason }, read)
  return reason !== '' && no.stdout === out && no.exit === code
}

/** The longest text in it, which is the reason in the JSON of every client. */
function reasonIn(out: string): string {
  const texts: string[] = []
  try {
    JSON.parse(out, (_key, value) => {
      if (typeof value === 'string') texts.push(value)
      return value
    })
  } catch {
    return ''
  }
  return texts.sort((one, other) => other.length - one.length)[0] ?? ''
}

async function run(name: string, request: InstallRequest, call: unknown, command: string) {
  const startedAt = performance.now()
  const child = Bun.spawn(hookWords(request, name), {
    stdin: new Blob([JSON.stringify(filled(call, request, command))]),
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: HOOK_MS,
    cwd: request.place.home,
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { out: out.trim(), err: err.trim(), code, ms: Math.round(performance.now() - startedAt) }
}

// The fields in which clients name the session.
const SESSIONS = new Set(
  'session_id sessionId sessionID conversation_id conversationId trajectory_id taskId rootSessionId'.split(
    ' ',
  ),
)
const RECORDED_FOLDER = /^\/home\/u(\/proj)?(?=\/|$)/

/**
 * The recorded call with another command, in the home folder. Without a session: nobody is told of the
 * check, and nothing of it is stored.
 */
function filled(call: unknown, { place }: InstallRequest, command: string): unknown {
  return JSON.parse(JSON.stringify(call), (key, value) => {
    if (typeof value !== 'string') return value
    if (SESSIONS.has(key)) return undefined
    if (value.includes(RECORDED)) return value.replace(RECORDED, () => command)
    return value.replace(RECORDED_FOLDER, () => place.home)
  })
}

/** Where the client ends a hook by itself: until when the hook decides. */
async function decides({ title, hook }: SetupClient): Promise<string> {
  const limit = await hook?.()
  if (!limit?.hasOwnLimit) return ''
  const [within, after] = [decidesWithinMs(limit), limit.hostTimeoutMs].map((ms) => ms / 1000)
  return ` and decides within ${within} s, as ${title} waits no longer than ${after} s`
}
