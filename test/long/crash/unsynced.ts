import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { until } from '../../support/until.ts'

/** Bytes of a file that were written and never synced: [from, to). */
export type Range = [from: number, to: number]

export type Watch = {
  /** Of each file of the folder, by name; call it when the process has ended. */
  unsynced(): Promise<Map<string, Range[]>>
}

/** Whether strace is here and this user may look at processes with it. */
export const canWatch = Bun.which('strace') !== null && mayAttach()

function mayAttach(): boolean {
  const looked = Bun.spawn(['sleep', '30'])
  const look = ['timeout', '1', 'strace', '-o', '/dev/null', '-p', `${looked.pid}`]
  // It goes on looking until `timeout` ends it, unless it was refused.
  const { exitCode } = Bun.spawnSync(look, { stderr: 'ignore' })
  looked.kill()
  return exitCode === 124
}

/** Keeps what the process writes and syncs, as the system sees it. `log` is a file to write to. */
export async function watchSyncs(pid: number, log: string): Promise<Watch> {
  const calls = 'trace=pwrite64,write,fsync,fdatasync,ftruncate'
  const strace = Bun.spawn(
    ['strace', '-f', '-y', '-s', '0', '-e', calls, '-o', log, '-p', `${pid}`],
    {
      stdout: 'ignore',
      stderr: 'pipe',
    },
  )
  const reader = strace.stderr.getReader()
  let output = ''
  await until(async () => {
    const { value, done } = await reader.read()
    if (done) throw new Error(`strace: ${output}`)
    output += new TextDecoder().decode(value)
    return output.includes('attached')
  })
  return {
    async unsynced() {
      await strace.exited
      return rangesIn(readFileSync(log, 'utf8'))
    },
  }
}

const CALL = /^(\d+) +(pwrite64|fsync|fdatasync|ftruncate)\(\d+<([^>]*beckon\.db[^>]*)>(.*)$/
const RESUMED = /^(\d+) +<\.\.\. (?:fsync|fdatasync) resumed>.*= 0$/

/** What the log of strace leaves unsynced. A write that did not return counts as written. */
export function rangesIn(log: string): Map<string, Range[]> {
  const unsynced = new Map<string, Range[]>()
  const syncing = new Map<string, string>()
  for (const line of log.split('\n')) {
    const resumed = RESUMED.exec(line)
    const ended = resumed ? syncing.get(resumed[1] ?? '') : undefined
    if (ended) unsynced.set(ended, [])
    const [, thread = '', call, path = '', rest = ''] = CALL.exec(line) ?? []
    const file = basename(path)
    if (call === 'pwrite64') {
      const [, length = '0', offset = '0'] = /, (\d+), (\d+)(?:\)| <unfinished)/.exec(rest) ?? []
      const range: Range = [Number(offset), Number(offset) + Number(length)]
      unsynced.set(file, [...(unsynced.get(file) ?? []), range])
    } else if (call === 'fsync' || call === 'fdatasync') {
      if (/= 0$/.test(rest)) unsynced.set(file, [])
      else syncing.set(thread, file)
    }
  }
  return unsynced
}
