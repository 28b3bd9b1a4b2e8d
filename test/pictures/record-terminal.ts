import type { Frame } from './terminal-svg.ts'

const LOOK_MS = 120
const KEY_MS = 45

/** A shell in tmux, which is the terminal here, and what it showed when. */
export async function recordTerminal(
  size: { columns: number; rows: number },
  env: Record<string, string>,
  act: (shell: Shell) => Promise<void>,
): Promise<Frame[]> {
  const name = `beckon-pictures-${process.pid}`
  const words = Object.entries(env).map(([key, value]) => `${key}=${value}`)
  const at = ['-x', String(size.columns), '-y', String(size.rows)]
  const tmux = (...args: string[]) =>
    Bun.spawnSync(['tmux', '-L', name, '-f', '/dev/null', ...args])
  const started = tmux('new-session', '-d', ...at, 'env', '-i', ...words, 'sh')
  if (!started.success) throw new Error(`tmux is needed for this: ${started.stderr}`)
  const frames: Frame[] = []
  const began = performance.now()
  const look = () => {
    const screen = tmux('capture-pane', '-e', '-p').stdout.toString()
    const rows = screen.replace(/\n+$/, '').split('\n')
    if (rows.join('\n') === frames.at(-1)?.rows.join('\n')) return
    frames.push({ at: Math.round(performance.now() - began), rows })
  }
  try {
    await Bun.sleep(500)
    look()
    const timer = setInterval(look, LOOK_MS)
    await act({
      async type(line) {
        for (const key of line) {
          tmux('send-keys', '-l', key)
          await Bun.sleep(KEY_MS)
        }
        tmux('send-keys', 'Enter')
      },
      async shows(text) {
        while (!frames.at(-1)?.rows.join('\n').includes(text)) await Bun.sleep(LOOK_MS)
      },
    })
    clearInterval(timer)
    look()
    // The last picture stands for a while.
    const last = frames.at(-1)
    if (last) frames.push({ at: last.at + 4_000, rows: last.rows })
    return frames
  } finally {
    tmux('kill-server')
  }
}

type Shell = {
  /** Types a line as a person does, and Enter. */
  type(line: string): Promise<void>
  /** Waits until the terminal shows this. */
  shows(text: string): Promise<void>
}
