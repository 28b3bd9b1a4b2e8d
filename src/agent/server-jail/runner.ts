import type { Environment } from '../../platform/config/env.ts'
import { restartWords } from '../../platform/program.ts'
import { utf8Text } from '../../platform/text.ts'
import type { openOutput } from '../bridge/stdio.ts'
import type { ScopesAround } from './scopes-around.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { createTraffic, errorLine, messageIn } from './traffic.ts'

/** `given`: variables for the server alone, as `NAME=VALUE` by their names. */
export type Server = {
  client: string
  words: readonly string[]
  given: ReadonlyMap<string, string>
  env: Environment
}

const RESTARTED =
  'Beckon: another scope holds now, so this server was started again inside of it. This call may have been carried out in part; call again if it was not.'

// A server that does not answer to being started again is used as it is.
const BEGIN_MS = 30_000
// Outside of every session the command of the server runs unchanged.
const NO_SESSION = ''

/** How it reaches the client, and what to do when the server ends by itself. */
type Around = { output: ReturnType<typeof openOutput>; onExit(code: number): void }

/** Runs at most one process of the server at a time; the client sees one server. While a scope cannot be read, no process runs. */
export function createRunner(server: Server, { output, onExit }: Around) {
  const traffic = createTraffic()
  let scopes: ScopesAround
  let running: ServerProcess | undefined
  let awaited: { id: string; resolve(): void } | undefined

  function start(now: ScopesAround): void {
    scopes = now
    if (now.doubt !== undefined) return
    const one = startServer([...jailWords(server, now), ...server.words], (bytes) => {
      const line = utf8Text(bytes)?.replace(/\n$/, '')
      if (line === undefined) return
      if (messageIn(line).id === awaited?.id) awaited?.resolve()
      const forOutput = traffic.fromServer(line)
      if (forOutput !== undefined) output.write(forOutput)
    })
    running = one
    void one.exited.then(({ code }) => {
      awaited?.resolve()
      if (running === one) onExit(code)
    })
  }

  async function startAgain(now: ScopesAround): Promise<void> {
    const old = running
    running = undefined
    await old?.end()
    const { lost, first, answer, last } = traffic.startAgain()
    for (const id of lost) output.write(errorLine(id, now.doubt ?? RESTARTED))
    start(now)
    for (const line of first) send(line)
    if (answer !== undefined && running) await answerTo(answer)
    for (const line of last) send(line)
  }

  async function answerTo(id: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    awaited = { id, resolve }
    const patience = setTimeout(resolve, BEGIN_MS)
    await promise
    clearTimeout(patience)
    awaited = undefined
  }

  function send(line: string): void {
    running?.send(`${line}\n`)
  }

  return {
    scopes: () => scopes,
    isIdle: traffic.isIdle,
    start,
    startAgain,
    pass(line: string) {
      const forServer = traffic.fromClient(line)
      if (forServer !== undefined) send(forServer)
    },
    closeInput: () => (running ? running.closeInput() : onExit(0)),
    signal: (name: NodeJS.Signals) => (running ? running.signal(name) : onExit(0)),
  }
}

function jailWords({ client, given: assignments }: Server, { sessionIds }: ScopesAround): string[] {
  const ids = sessionIds.length > 0 ? sessionIds : [NO_SESSION]
  const sessions = ids.flatMap((id) => ['--session-id', id])
  const variables = [...assignments.values()].flatMap((one) => ['--env', one])
  return [...restartWords(), 'jail', '--session', client, ...sessions, ...variables, '--']
}
