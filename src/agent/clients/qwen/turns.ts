import { appendFileSync, readlinkSync } from 'node:fs'
import { resolve } from 'node:path'
import { findProcess } from '../../processes.ts'
import type { ClientProcess } from '../../terminal.ts'
import type { ClientTurns } from '../client-turns.ts'

// Qwen Code ends every hook after 60 seconds, and with it the run.
const HOLD_MS = 50_000
const OPTION = '--input-file'

/** Beyond the hold only a session that was started with an input file is reached. */
export const QWEN_TURNS: ClientTurns = {
  blocks: true,
  waits: ({ event, rawEvent }) =>
    event === 'stop' && rawEvent === 'Stop' ? { ms: HOLD_MS, blocks: true } : undefined,
  idleDelivery({ process: client }) {
    const file = client && inputFileOf(client)
    return file === undefined ? undefined : { name: 'input_file', deliver: submitTo(file) }
  },
}

/** The file that the person gave the client to read prompts from. */
function inputFileOf({ pid }: ClientProcess): string | undefined {
  try {
    const words = findProcess(pid)?.words ?? []
    const at = words.findIndex((word) => word === OPTION || word.startsWith(`${OPTION}=`))
    if (at < 0) return undefined
    const file = words[at] === OPTION ? words[at + 1] : words[at]?.slice(OPTION.length + 1)
    return file ? resolve(readlinkSync(`/proc/${pid}/cwd`), file) : undefined
  } catch {
    return undefined
  }
}

function submitTo(file: string) {
  return async (text: string): Promise<boolean> => {
    try {
      appendFileSync(file, `${JSON.stringify({ type: 'submit', text })}\n`)
      return true
    } catch {
      return false
    }
  }
}
