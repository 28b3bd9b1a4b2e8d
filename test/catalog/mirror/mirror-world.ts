import type { CatalogSource } from '../../../src/catalog/authoring/catalog-source.ts'
import type { SyncAsk, SyncDeps } from '../../../src/catalog/mirror/sync.ts'
import { type Synced, syncMirror } from '../../../src/catalog/mirror/sync.ts'
import { publish } from '../../../src/catalog/publishing/publish.ts'
import { rotateKey } from '../../../src/catalog/signing/key-ring.ts'
import type { Manifest } from '../../../src/catalog/signing/manifest.ts'
import { type Clock, systemClock } from '../../../src/platform/clock.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import type { OpenDb } from '../../../src/platform/db/database.ts'
import { createGuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'
import { migratedDatabase } from '../../support/migrated-database.ts'
import { type StartedApp, startedApp } from '../../support/started-app.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

export const LOOPBACK = '127.0.0.1'
const ENV = { BECKON_CATALOG_RATE_LIMIT: 'off', BECKON_ALLOW_PRIVATE_HOSTS: LOOPBACK }

/** A whole server with a catalog of its own. */
export type OriginServer = AsyncDisposable & {
  url: string
  app: StartedApp['app']
  /** Publishes, and waits until the manifest says so. */
  publish(source: CatalogSource): Promise<Manifest>
  manifest(): Promise<Manifest>
  /** Changes the key, and waits until it has signed. */
  rotate(): Promise<{ from: string; to: string }>
}

export async function originServer(source: CatalogSource): Promise<OriginServer> {
  const started = await startedApp({ env: ENV })
  const { app } = started
  const { db, url } = app
  const clock = systemClock
  const manifest = async () => {
    const response = await fetch(`${url}/api/v1/manifest.json`)
    return (await response.json()) as Manifest
  }
  const server: OriginServer = {
    ...{ url, app, manifest },
    async publish(next) {
      const { revision } = await publish({ db, clock }, next)
      await until(async () => (await manifest()).revision === revision)
      return await manifest()
    },
    async rotate() {
      const { sequence } = await manifest()
      const rotated = await rotateKey({ db, clock })
      await until(async () => (await manifest()).sequence > sequence)
      return rotated
    },
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  }
  await server.publish(source)
  return server
}

/** A whole server that may be made a mirror. */
export async function mirrorServer(): Promise<StartedApp> {
  return await startedApp({ env: ENV })
}

/** A data folder that nobody serves. */
export type MirrorFolder = AsyncDisposable & {
  path: string
  db: OpenDb
  sync(ask?: SyncAsk, more?: Partial<SyncDeps>): Promise<Synced>
}

export function mirrorFolder(): MirrorFolder {
  const folder = tempFolder()
  migratedDatabase(folder.path)
  const db = openDataFolder(folder.path)
  return {
    path: folder.path,
    db,
    sync: (ask = {}, more = {}) => syncInto(db, ask, more),
    async [Symbol.asyncDispose]() {
      await db[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

export async function syncInto(
  db: OpenDb,
  ask: SyncAsk = {},
  more: Partial<SyncDeps> = {},
): Promise<Synced> {
  const { fetch } = createGuardedFetch({ allowPrivateHosts: [LOOPBACK] })
  const deps = { db, fetch, clock: systemClock, random: () => 0.5, userAgent: 'test' }
  return await syncMirror({ ...deps, ...more }, ask)
}

/** The present, moved by so many milliseconds. */
export function clockAt(ms: number): Clock {
  return { ...systemClock, now: () => systemClock.now() + ms }
}
