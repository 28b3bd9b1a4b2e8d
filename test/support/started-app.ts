import { type App, startApp } from '../../src/app.ts'
import type { ChannelModule } from '../../src/ask/delivery/channel-module.ts'
import type { Feature } from '../../src/ask/feature.ts'
import type { Clock } from '../../src/platform/clock.ts'
import { openListener } from '../../src/platform/http/listener.ts'
import { type Log, silentLog } from '../../src/platform/log.ts'
import { readConfig } from '../../src/settings.ts'
import { migratedDatabase } from './migrated-database.ts'
import { tempFolder } from './temp-folder.ts'
import { ownDatabase, watch } from './test-database.ts'

export type StartedApp = AsyncDisposable & { app: App; dataFolder: string }

export type How = {
  env?: Record<string, string>
  log?: Log
  clock?: Clock
  channels?: readonly ChannelModule[]
  /** Features beside those of the product. */
  more?: readonly Feature[]
  /** After so many seconds of silence a connection is closed. */
  idleSeconds?: number
  /** Puts something into the data folder before the server opens it. */
  fill?: (folder: string) => Promise<void>
}

/**
 * The server as `beckon serve` starts it, in this process, over a data folder of its own; over a
 * database of its own with `bun run test:postgres`, unless `fill` puts one into the folder.
 */
export async function startedApp({
  env = {},
  log = silentLog,
  clock,
  channels,
  more,
  idleSeconds,
  fill,
}: How = {}): Promise<StartedApp> {
  const folder = tempFolder()
  await using opened = new AsyncDisposableStack()
  const database = fill ? undefined : await ownDatabase()
  if (database) opened.use(database)
  else if (!fill) migratedDatabase(folder.path)
  await fill?.(folder.path)
  const own = database && { BECKON_DATABASE_URL: database.url }
  const config = readConfig({ data: folder.path, port: '0' }, { ...own, ...env })
  const listener = openListener({ ...config, log, ...(idleSeconds && { idleSeconds }) })
  const app = await startApp(config, {
    log,
    listener,
    ...(clock && { clock }),
    ...(channels && { channels }),
    ...(more && { more }),
  })
  if (database) opened.defer(watch(app.db))
  const owned = opened.move()
  return {
    app,
    dataFolder: folder.path,
    async [Symbol.asyncDispose]() {
      await app.stop()
      await owned.disposeAsync()
      folder[Symbol.dispose]()
    },
  }
}
