import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { Interrupted } from '../../platform/terminal/interrupted.ts'
import { isTerminal } from '../../platform/terminal/terminal.ts'

/** Returns true if a person can be asked: they see the output, and can type. */
export function canAsk(): boolean {
  return isTerminal(0) && isTerminal(2)
}

/**
 * A line from the terminal; the typing of a secret is not shown. Undefined at the end of input.
 * Throws `Interrupted` at Ctrl-C.
 */
export async function askLine(question: string, secret?: 'secret'): Promise<string | undefined> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const output = secret ? silent : process.stderr
  // Set before the question, so that the terminal does not echo what is typed at once.
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  process.stderr.write(question)
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      lines.once('line', resolve)
      lines.once('close', () => resolve(undefined))
      // The terminal is in raw mode, so Ctrl-C is a key here and no signal.
      lines.once('SIGINT', () => {
        if (!secret) process.stderr.write('\n')
        reject(new Interrupted())
      })
    })
  } finally {
    lines.close()
    process.stdin.pause()
    if (secret) process.stderr.write('\n')
  }
}

/** Whether a person says yes at the terminal; Enter alone is a no. */
export async function askYes(question: string): Promise<boolean> {
  return /^\s*y(es)?\s*$/i.test((await askLine(`${question} [y/N] `)) ?? '')
}
