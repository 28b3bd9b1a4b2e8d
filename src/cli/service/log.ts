import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { EXIT } from '../../platform/command.ts'
import { Failure, WrongUsage } from '../../platform/failure.ts'
import { readArguments } from '../../platform/terminal/arguments.ts'
import { stopSignal } from '../../platform/terminal/stop-signal.ts'
import { note, say } from '../../platform/terminal/terminal.ts'
import { chosenService } from './installed.ts'
import type { Machine, ServiceManager, ServicePlace } from './manager.ts'

const USUAL_LINES = 50
// Enough for the longest line that the server writes, times the lines that anybody reads.
const TAIL_BYTES = 4 * 1024 * 1024
const LOOK_AGAIN_MS = 250

/** `beckon service logs`: prints what the server of the service has written. */
export async function logs(args: string[], machine: Machine): Promise<number> {
  const { system, follow, lines } = readArguments(args, {
    system: { type: 'boolean' },
    follow: { type: 'boolean', short: 'f' },
    lines: { type: 'string', short: 'n' },
  })
  const count = lines === undefined ? USUAL_LINES : Number(lines)
  if (!/^\d{1,7}$/.test(lines ?? '0')) throw new WrongUsage('-n must be a number of lines.')
  const service = await chosenService(machine, { system })
  if (!service) {
    note('No service of Beckon is installed here; beckon service install installs one.')
    return EXIT.no
  }
  const { manager, place } = service
  const words = manager.logWords?.(place, { lines: count, follow: follow ?? false })
  if (words) return await machine.show(words)
  const { logFile = '' } = place
  if (!existsSync(logFile)) throw new Failure('not_found', `There is no log at ${logFile} yet.`)
  const tail = lastLines(logFile, count)
  if (tail.text) say(tail.text)
  if (follow) await followFile(logFile, tail.end, stopSignal())
  return EXIT.done
}

/** The last `lines` lines of the service's log; empty if it cannot be read. */
export async function readLog(
  machine: Machine,
  manager: ServiceManager,
  place: ServicePlace,
  lines: number,
): Promise<string> {
  const words = manager.logWords?.(place, { lines, follow: false })
  if (words) return (await machine.run(words)).out.trimEnd()
  const { logFile = '' } = place
  return existsSync(logFile) ? lastLines(logFile, lines).text : ''
}

function lastLines(path: string, lines: number): { text: string; end: number } {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES))
    const read = readSync(file, bytes, 0, bytes.length, size - bytes.length)
    const all = bytes.toString('utf8', 0, read).trimEnd().split('\n')
    return { text: lines === 0 ? '' : all.slice(-lines).join('\n'), end: size }
  } finally {
    closeSync(file)
  }
}

/** Prints new lines until `stopped`; starts over if the file got shorter. */
async function followFile(path: string, from: number, stopped: Promise<unknown>): Promise<void> {
  let at = from
  let rest = ''
  let isStopped = false
  stopped.then(() => {
    isStopped = true
  })
  while (!isStopped) {
    const size = Bun.file(path).size
    if (size < at) at = 0
    const text = await Bun.file(path).slice(at, size).text()
    at = size
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) say(line)
    await Promise.race([Bun.sleep(LOOK_AGAIN_MS), stopped])
  }
}
