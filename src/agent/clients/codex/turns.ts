import { readlinkSync } from 'node:fs'
import { wholeEnvironment } from '../../../platform/config/env.ts'
import type { TurnRecord } from '../../state/turn-record.ts'
import type { ClientTurns } from '../client-turns.ts'

const QUEUE_MS = 15_000

/**
 * Codex has a queue of its own, which reaches an idle session at once and a busy one after its
 * turn. Nothing waits meanwhile.
 */
export const CODEX_TURNS: ClientTurns = {
  home: 'CODEX_HOME',
  blocks: false,
  idleDelivery: (record) => ({ name: 'queue', deliver: (text) => queue(record, text) }),
}

async function queue({ sessionId, process: client, home }: TurnRecord, text: string) {
  try {
    const words = [programOf(client?.pid), 'queue', '--thread', sessionId, '--message', text]
    const child = Bun.spawn(words, {
      stdio: ['ignore', 'ignore', 'ignore'],
      env: { ...wholeEnvironment(), ...(home === undefined ? {} : { CODEX_HOME: home }) },
      timeout: QUEUE_MS,
    })
    return (await child.exited) === 0
  } catch {
    return false
  }
}

/** The program that runs the session: another version may stand first on the path. */
function programOf(pid: number | undefined): string {
  try {
    return pid === undefined ? 'codex' : readlinkSync(`/proc/${pid}/exe`)
  } catch {
    return 'codex'
  }
}
