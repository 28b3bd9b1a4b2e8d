import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { WrongUsage } from '../failure.ts'
import {
  type DatabaseConfig,
  defaultBaseUrl,
  type Flags,
  type ServerConfig,
  SNAPSHOT_FOLDER,
} from './config.ts'
import { type Setting, setting } from './setting.ts'
import {
  ACME_DIRECTORY,
  ANY_TEXT,
  between,
  DOMAINS,
  FILE_PATH,
  HOST,
  MAIL_ADDRESS,
  one,
  PORT,
  POSTGRES_URL,
  PRIVATE_HOSTS,
  PROXIES,
  WEB_ORIGIN,
  WEB_ORIGINS,
} from './values.ts'

// Until the owner changes it, only this machine can connect.
export const DEFAULT_HOST = '127.0.0.1'
const SNAPSHOTS_MAX = 1_000
// By default PostgreSQL accepts 100 connections.
const POOL_MAX = 1_000
/** The longest time, in seconds, between a signal to stop and the stop. */
export const DRAIN_MAX = 300

/** The settings of the server itself; docs/configuration.md says what each is for. */
export const SERVER_SETTINGS = {
  host: setting('BECKON_HOST', HOST),
  port: setting('BECKON_PORT', PORT, 8484),
  data: setting('BECKON_DATA', ANY_TEXT, './data'),
  databaseUrl: setting('BECKON_DATABASE_URL', POSTGRES_URL),
  databaseListenUrl: setting('BECKON_DATABASE_LISTEN_URL', POSTGRES_URL),
  databasePool: setting('BECKON_DATABASE_POOL', between(1, POOL_MAX), 10),
  baseUrl: setting('BECKON_BASE_URL', WEB_ORIGIN),
  domain: setting('BECKON_DOMAIN', DOMAINS),
  httpsPort: setting('BECKON_HTTPS_PORT', PORT, 443),
  httpPort: setting('BECKON_HTTP_PORT', PORT, 80),
  acmeDirectory: setting(
    'BECKON_ACME_DIRECTORY',
    ACME_DIRECTORY,
    'https://acme-v02.api.letsencrypt.org/directory',
  ),
  acmeCa: setting('BECKON_ACME_CA', FILE_PATH),
  acmeEmail: setting('BECKON_ACME_EMAIL', MAIL_ADDRESS),
  trustProxy: setting('BECKON_TRUST_PROXY', PROXIES, []),
  drainSeconds: setting('BECKON_DRAIN_SECONDS', between(0, DRAIN_MAX), 0),
  allowedOrigins: setting('BECKON_ALLOWED_ORIGINS', WEB_ORIGINS, []),
  allowPrivateHosts: setting('BECKON_ALLOW_PRIVATE_HOSTS', PRIVATE_HOSTS, []),
  log: setting('BECKON_LOG', one('pretty', 'json'), 'pretty'),
  logLevel: setting('BECKON_LOG_LEVEL', one('debug', 'info', 'warn', 'error'), 'info'),
  snapshots: setting('BECKON_SNAPSHOTS', between(0, SNAPSHOTS_MAX), 3),
  snapshotFolder: setting('BECKON_SNAPSHOT_FOLDER', FILE_PATH),
}

/** The settings of the commands that are clients of a server: notify, ask, wait, cancel. */
export const CLIENT_SETTINGS = {
  url: setting('BECKON_URL', WEB_ORIGIN),
  token: setting('BECKON_TOKEN', ANY_TEXT),
}

/** Reads one setting; a flag overrides what is set elsewhere. */
type Read = <T>(setting: Setting<T>, flag?: keyof Flags) => T

/** Throws `WrongUsage` that names a wrong setting. */
export function readServerSettings(dataFolder: string, read: Read): ServerConfig {
  const all = SERVER_SETTINGS
  const configuredHost = read(all.host, 'host')
  const domains = read(all.domain, 'domain')
  // Read without a domain, too, so that a wrong value is not first seen when one is set.
  const ofHttps = httpsSettings(read)
  const https = domains && { domains, host: configuredHost ?? everyHost(), ...ofHttps }
  // A server with its own https uses the plain port only for this machine.
  const host = (https ? undefined : configuredHost) ?? DEFAULT_HOST
  const port = read(all.port, 'port')
  return {
    host,
    port,
    dataFolder,
    database: databaseOf({
      url: read(all.databaseUrl),
      listenUrl: read(all.databaseListenUrl),
      pool: read(all.databasePool),
    }),
    baseUrl:
      read(all.baseUrl, 'base-url') ??
      (https ? `https://${https.domains[0]}` : defaultBaseUrl(host, port)),
    https,
    trustProxy: read(all.trustProxy),
    allowedOrigins: read(all.allowedOrigins),
    allowPrivateHosts: read(all.allowPrivateHosts),
    log: read(all.log),
    logLevel: read(all.logLevel),
    drainSeconds: read(all.drainSeconds),
    snapshots: {
      keep: read(all.snapshots),
      folder: resolve(read(all.snapshotFolder) ?? join(dataFolder, SNAPSHOT_FOLDER)),
    },
  }
}

function httpsSettings(read: Read) {
  const all = SERVER_SETTINGS
  return {
    httpsPort: read(all.httpsPort, 'https-port'),
    httpPort: read(all.httpPort, 'http-port'),
    directory: read(all.acmeDirectory, 'acme-directory'),
    caFile: read(all.acmeCa),
    contact: read(all.acmeEmail),
  }
}

/** The address that stands for all addresses: of IPv6 and IPv4 if the system has both. */
function everyHost(): string {
  const hasNoIpv6 = process.platform === 'linux' && !existsSync('/proc/net/if_inet6')
  return hasNoIpv6 ? '0.0.0.0' : '::'
}

function databaseOf({
  url,
  ...more
}: Omit<DatabaseConfig, 'url'> & { url: string | undefined }): DatabaseConfig | undefined {
  if (url !== undefined) return { url, ...more }
  if (more.listenUrl === undefined) return undefined
  throw new WrongUsage('BECKON_DATABASE_LISTEN_URL is set, but BECKON_DATABASE_URL is not.')
}
