import { join } from 'node:path'

const MAIN = join(import.meta.dir, '../../src/main.ts')

/** Runs the program with a terminal of its own; resolves to its code and everything it showed. */
export async function onTerminal(
  args: string[],
  env: Record<string, string>,
): Promise<{ code: number; shown: string }> {
  const decoder = new TextDecoder()
  let shown = ''
  const child = Bun.spawn([process.execPath, '--no-env-file', MAIN, ...args], {
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', ...env },
    terminal: {
      cols: 200,
      rows: 50,
      data(_, bytes) {
        shown += decoder.decode(bytes, { stream: true })
      },
    },
  })
  const code = await child.exited
  child.terminal?.close()
  return { code, shown }
}
