import { watch } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')
const MAIN = join(ROOT, 'src/main.ts')
// An editor writes a file in several steps, and a branch changes many.
const QUIET_MS = 150

type RestartingServer = {
  /** Resolves when the server answers for the first time. */
  ready(url: string): Promise<void>
  /** Stops it in order. */
  stop(): Promise<void>
}

/**
 * `beckon serve` from the sources with these arguments, which starts anew whenever a file in `src`
 * changes. If it cannot start, it is started again after the next change.
 */
export function startRestarting(args: string[], env: Record<string, string>): RestartingServer {
  let child: Bun.Subprocess | undefined
  let stopped = false
  let timer: Timer | undefined
  let turn = Promise.resolve()

  const start = () => {
    if (stopped) return
    child = Bun.spawn([process.execPath, '--no-env-file', MAIN, ...args], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
      // A Ctrl-C is for the parent, which ends this process in order.
      detached: true,
    })
  }
  const end = async () => {
    child?.kill('SIGTERM')
    await child?.exited
  }
  const restart = async () => {
    console.log('↻ src changed, the server starts again')
    await end()
    start()
  }
  const watcher = watch(join(ROOT, 'src'), { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      turn = turn.then(restart)
    }, QUIET_MS)
  })
  start()
  return {
    async ready(url) {
      while (!stopped) {
        const answer = await fetch(`${url}/readyz`).catch(() => undefined)
        if (answer?.ok) return
        await Bun.sleep(50)
      }
    },
    async stop() {
      stopped = true
      watcher.close()
      clearTimeout(timer)
      await turn
      await end()
    },
  }
}
