import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { isTerminal } from '../../platform/terminal/is-terminal.ts'

/** Whether a person can be asked: they see what is printed, and can type. */
export function canAsk(): boolean {
  return isTerminal(0) && isTerminal(2)
}

/** A line from the terminal; the typing of a secret is not shown. Undefined at the end of input. */
export async function askLine(question: string, secret?: 'secret'): Promise<string | undefined> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const output = secret ? silent : process.stderr
  // Set before the question, so that the terminal does not echo what is typed at once.
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  process.stderr.write(question)
  try {
    return await new Promise<string | undefined>((resolve) => {
      lines.once('line', resolve)
      lines.once('close', () => resolve(undefined))
      lines.once('SIGINT', () => resolve(undefined))
    })
  } finally {
    lines.close()
    process.stdin.pause()
    if (secret) process.stderr.write('\n')
  }
}
