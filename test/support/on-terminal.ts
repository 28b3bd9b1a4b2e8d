import { PROGRAM } from './program.ts'

type Session = {
  cols?: number
  cwd?: string
  /** What a person types at each prompt, in their order; each prompt is looked for after the last. */
  replies?: ReadonlyArray<readonly [prompt: string, typed: string]>
  /** Once this is shown the program is asked to end, by `signal`. */
  until?: RegExp
  signal?: NodeJS.Signals
  /** Another program than ours. */
  program?: readonly string[]
}

/** Runs the program with a terminal of its own; resolves to its code and everything it showed. */
export async function onTerminal(
  args: string[],
  env: Record<string, string>,
  { cols = 200, cwd, replies = [], until, signal = 'SIGTERM', program }: Session = {},
): Promise<{ code: number; output: string }> {
  const decoder = new TextDecoder()
  let output = ''
  let seen = 0
  let ended = false
  const left = [...replies]
  const child = Bun.spawn([...(program ?? PROGRAM), ...args], {
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', ...env },
    ...(cwd ? { cwd } : {}),
    terminal: {
      cols,
      rows: 50,
      data(terminal, bytes) {
        output += decoder.decode(bytes, { stream: true })
        const [prompt, typed] = left[0] ?? []
        const at = prompt === undefined ? -1 : output.indexOf(prompt, seen)
        if (prompt !== undefined && at >= 0) {
          seen = at + prompt.length
          left.shift()
          terminal.write(`${typed}\r`)
        }
        if (!until?.test(output) || ended) return
        ended = true
        child.kill(signal)
      },
    },
  })
  const code = await child.exited
  child.terminal?.close()
  return { code, output }
}
