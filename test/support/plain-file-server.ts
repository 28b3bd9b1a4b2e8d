import { freePort } from './free-port.ts'
import { PYTHON } from './python.ts'
import { until } from './until.ts'

/** Python's file server in this folder: it knows files and the index of a folder, nothing else. */
export async function plainFileServer(folder: string): Promise<AsyncDisposable & { url: string }> {
  if (!PYTHON) throw new Error('this test needs Python: apt-get install python3')
  const port = freePort()
  const command = [PYTHON, '-m', 'http.server', String(port), '--bind', '127.0.0.1']
  const child = Bun.spawn(command, { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] })
  const url = `http://127.0.0.1:${port}`
  await until(async () => (await fetch(url).catch(() => undefined))?.ok === true)
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill()
      await child.exited
    },
  }
}
