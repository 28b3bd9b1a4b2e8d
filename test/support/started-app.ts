import { type App, startApp } from '../../src/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { openListener } from '../../src/http/listener.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { tempFolder } from './temp-folder.ts'

export type StartedApp = AsyncDisposable & { app: App }

/** The server as `beckon serve` starts it, in this process, over a data folder of its own. */
export async function startedApp(): Promise<StartedApp> {
  const folder = tempFolder()
  const config = readConfig({ data: folder.path, port: '0' }, {})
  const listener = openListener({ ...config, log: silentLog })
  const app = await startApp(config, { log: silentLog, listener })
  return {
    app,
    async [Symbol.asyncDispose]() {
      await app.stop()
      folder[Symbol.dispose]()
    },
  }
}
