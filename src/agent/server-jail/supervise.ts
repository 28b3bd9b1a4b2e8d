import { watch } from 'node:fs'
import { join } from 'node:path'
import { stateFolder } from '../../platform/config/client-file.ts'
import { openOutput, readInputLines } from '../bridge/stdio.ts'
import { ownFolder } from '../state/state-files.ts'
import { createRunner, type Server } from './runner.ts'
import { isSame, isTighter, scopesAround, serverPlace } from './scopes-around.ts'
import { errorLine, messageIn } from './traffic.ts'

/**
 * Runs an MCP server of a client, in the scopes that hold for it. When one begins, the server is started again
 * inside of it, at once; when one ends or allows more, with the next message. Resolves to the exit code of the
 * server.
 */
export async function superviseServer(server: Server): Promise<number> {
  const state = stateFolder(server.env)
  const place = serverPlace(server.client, state, server.env)
  const over = new AbortController()
  const ended = Promise.withResolvers<number>()
  const output = openOutput(() => runner.closeInput())
  const runner = createRunner(server, { output, onExit: ended.resolve })
  let turn = Promise.resolve()
  const inTurn = (work: () => Promise<void>) => {
    turn = turn.then(work).catch(ended.reject)
    return turn
  }

  async function keepToScopes(mayLoosen: boolean): Promise<void> {
    const [before, now] = [runner.scopes(), scopesAround(place, Date.now())]
    if (isTighter(before, now) || (mayLoosen && !isSame(before, now))) await runner.startAgain(now)
  }

  async function pass(line: string): Promise<void> {
    await keepToScopes(runner.isIdle())
    const { id, method } = messageIn(line)
    const { doubt } = runner.scopes()
    if (doubt === undefined) runner.pass(line)
    else if (id !== undefined && method !== undefined) output.write(errorLine(id, doubt))
  }

  async function passAll(): Promise<void> {
    for await (const line of readInputLines(over.signal, Number.POSITIVE_INFINITY))
      if ('text' in line) await inTurn(() => pass(line.text))
    await turn
    runner.closeInput()
  }

  runner.start(scopesAround(place, Date.now()))
  const folder = join(state, 'scope')
  ownFolder(folder)
  const tighten = () => void inTurn(() => keepToScopes(false))
  const watcher = watch(folder, tighten)
  // One may have begun before that.
  tighten()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => runner.signal(signal))
  void passAll().catch(ended.reject)
  try {
    return await ended.promise
  } finally {
    watcher.close()
    over.abort()
  }
}
