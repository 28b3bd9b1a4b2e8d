import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './run-command.ts'
import { tempFolder } from './temp-folder.ts'

/** Whether commands can be killed at a call of the system here. */
export const CAN_TRACE = Bun.which('strace') !== null

/** All that changes a name, removes a file or waits for the disk. */
export const NAMES = [
  ...['rename', 'renameat', 'renameat2', 'link', 'linkat', 'unlink', 'unlinkat', 'rmdir'],
  ...['fsync', 'fdatasync', 'ftruncate'],
]
/** All that changes what is in a file. */
export const WRITES = ['write', 'pwrite64', 'writev', 'pwritev']

/** The `nth` call of a name that the main thread makes: strace counts each name by itself. */
export type Call = { name: string; nth: number; text: string }

type Where = { cwd?: string; env?: Record<string, string | undefined> }

/** The calls of these names that a command makes when it is left alone, in their order. */
export async function callsOf(
  command: readonly string[],
  names: readonly string[],
  where: Where = {},
): Promise<Call[]> {
  using folder = tempFolder()
  const file = join(folder.path, 'calls')
  const strace = ['strace', '-y', '-s', '256', '-o', file, '-e', `trace=${names}`]
  const { code, err } = await runCommand([...strace, ...command], where)
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${err}`)
  const counts = new Map<string, number>()
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text) => {
      const name = /^(\w+)\(/.exec(text)?.[1]
      if (name === undefined) return []
      const nth = (counts.get(name) ?? 0) + 1
      counts.set(name, nth)
      return [{ name, nth, text }]
    })
}

/** Runs a command and kills it as it begins a call; throws if it does not come that far. */
export async function killAt(
  { name, nth, text }: Call,
  command: readonly string[],
  where: Where = {},
): Promise<void> {
  const inject = `inject=${name}:signal=SIGKILL:when=${nth}`
  const strace = ['strace', '-o', '/dev/null', '-e', `trace=${name}`, '-e', inject]
  const { code, err } = await runCommand([...strace, ...command], where)
  if (code === 0) throw new Error(`${command.join(' ')} ended before ${text}: ${err}`)
}
