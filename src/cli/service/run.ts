import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { ownProgram, wordsOf } from '../../agent/client-files/program.ts'
import { EXIT } from '../../platform/command.ts'
import { readOpenArguments, required } from '../../platform/terminal/arguments.ts'
import { stopSignal } from '../../platform/terminal/stop-signal.ts'
import { RESTART_SECONDS } from './manager.ts'
import { createRestarts } from './restarts.ts'
import { runFile } from './windows-task.ts'

const LOG_BYTES_MAX = 16 * 1024 * 1024

/**
 * `beckon service run`: serves with its output in a file, and restarts the server when it fails;
 * for service managers that cannot tell which failure is for good. Ends with the server, and stops
 * the server when it is told to stop. Succeeds when another start is of no use, because launchd
 * would try it for ever.
 */
export async function run(args: string[]): Promise<number> {
  const { log, operands } = readOpenArguments(args, { log: { type: 'string' } })
  const logFile = required(log, 'log')
  mkdirSync(dirname(logFile), { recursive: true, mode: 0o700 })
  const words = wordsOf(ownProgram(), 'serve', ...operands)
  const giveUp = createRestarts()
  const stop = stopSignal().then(() => 'stop' as const)
  for (;;) {
    const child = start(words, logFile)
    try {
      if ((await Promise.race([child.exited, stop])) === 'stop') {
        child.kill('SIGTERM')
        return await child.exited
      }
    } finally {
      rmSync(runFile(logFile), { force: true })
    }
    const { exitCode } = child
    if (exitCode === EXIT.done) return exitCode
    const why = giveUp(exitCode, performance.now())
    if (why !== undefined) {
      const cure = 'beckon service install begins anew.'
      appendFileSync(logFile, `The server is not started again: ${why} ${cure}\n`)
      return EXIT.done
    }
    if ((await Promise.race([Bun.sleep(RESTART_SECONDS * 1_000), stop])) === 'stop')
      return EXIT.done
  }
}

function start(words: string[], logFile: string) {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  if (size > LOG_BYTES_MAX) renameSync(logFile, `${logFile}.1`)
  const log = openSync(logFile, 'a', 0o600)
  const output = { stdin: 'ignore', stdout: log, stderr: log } as const
  try {
    const child = Bun.spawn(words, { ...output, windowsHide: true })
    writeFileSync(runFile(logFile), JSON.stringify({ pid: child.pid, since: Date.now() }))
    return child
  } finally {
    closeSync(log)
  }
}
