import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SNAPSHOT_FOLDER } from '../db/find-database.ts'
import { WrongUsage } from '../failure.ts'
import { cleanLine, cutText } from '../text.ts'
import { readClientFile } from './client-file.ts'
import { type Environment, type Raw, readEnvironment, type Variable } from './env.ts'
import { readSettingsFile } from './settings-file.ts'
import {
  ACME_DIRECTORY,
  atLeast,
  BOT_TOKEN,
  between,
  DOMAINS,
  FILE_PATH,
  HOST,
  MAIL_ADDRESS,
  type Meaning,
  OFF_OR_ON,
  one,
  originOf,
  PORT,
  POSTGRES_URL,
  PRIVATE_HOSTS,
  PROXIES,
  SECRET,
  SLACK_TOKEN,
  SMTP_URL,
  type SmtpServer,
  VAPID_SUBJECT,
  WEB_ADDRESS,
  WEB_ORIGIN,
  WEB_ORIGINS,
} from './values.ts'

/** All settings of a server, checked. */
export type Config = {
  host: string
  /** 0 lets the system choose. */
  port: number
  /** Absolute path. */
  dataFolder: string
  /** PostgreSQL; undefined for SQLite in the data folder. */
  database: DatabaseConfig | undefined
  /**
   * The origin at which people and agents reach the server: scheme, host and port, without a slash.
   */
  baseUrl: string
  /** Undefined if the server does not speak TLS itself. */
  https: HttpsConfig | undefined
  /** Whether MCP clients may sign in; undefined leaves it to the data folder and the address. */
  oauth: boolean | undefined
  /** Whether clients are offered to be known by a document that this server fetches. */
  oauthClientDocuments: boolean
  /**
   * Proxies whose word for the caller's address is taken: addresses, networks, `loopback` or
   * `private`.
   */
  trustProxy: readonly string[]
  /** Other origins whose pages may call the API with a token. */
  allowedOrigins: readonly string[]
  /** An https or mailto URL; without it the base URL says who is responsible for a push. */
  vapidSubject: string | undefined
  /** Host names, addresses and CIDRs that outgoing requests may reach although they are private. */
  allowPrivateHosts: readonly string[]
  /** Settings of the Slack app; missing ones may be saved on a page. */
  slack: {
    botToken: string | undefined
    signingSecret: string | undefined
    /** Where the methods of Slack's Web API are, without a slash at the end. */
    apiUrl: string
  }
  /** The Telegram bot; without a token here one may be saved on a page. */
  telegram: {
    botToken: string | undefined
    /** Where the methods of the Bot API are, without a slash at the end. */
    apiUrl: string
  }
  /** The mail server and the address that mail comes from; both or neither. */
  smtp: (SmtpServer & { from: string }) | undefined
  /**
   * Seconds from a signal to stop until the stop; meanwhile the server only reports that it is not
   * ready.
   */
  drainSeconds: number
  log: 'pretty' | 'json'
  logLevel: 'debug' | 'info' | 'warn' | 'error'
  /** For how many days ended questions and notifications are kept. */
  retentionDays: number
  /** The copies of the database that the server makes at night: how many it keeps, and where. */
  snapshots: SnapshotConfig
  /** Multiplies the usual limits of a token. */
  tokenLimitFactor: number
  /** Whether reads of the catalog are limited for each address. */
  catalogRateLimit: boolean
  /** Whether the server measures the tools of the catalog. */
  catalogProbes: boolean
  /** An address that is always up, to tell our own outage from a vendor's. */
  catalogCanary: string | undefined
  /** Where the sealed audit trail is posted. */
  auditUrl: string | undefined
}

/** A PostgreSQL database that several servers may share. */
export type DatabaseConfig = {
  url: string
  /** A direct address, if `url` leads through a transaction pooler. */
  listenUrl: string | undefined
  /** The most connections of one process, besides two for sending and receiving changes. */
  pool: number
}

/** `keep` is 0 for none; `folder` is an absolute path. */
type SnapshotConfig = { keep: number; folder: string }

/** How the server gets its own certificate, and where it uses it. */
export type HttpsConfig = {
  /** At least one; the first is that of the base URL. */
  domains: readonly string[]
  /** The address that both ports are opened on. */
  host: string
  httpsPort: number
  httpPort: number
  /** The address of the authority's directory (RFC 8555, 7.1.1). */
  directory: string
  /**
   * A PEM file of certificates that are trusted for the authority's address, in addition to the
   * system's.
   */
  caFile: string | undefined
  /** The mail address that the authority may write to. */
  contact: string | undefined
}

/** Settings that a command line may override; `undefined` means not given. */
export type Flags = { [name in PreviewFlag | HttpsFlag | 'data']?: string | undefined }

type PreviewFlag = 'host' | 'port' | 'base-url'
type HttpsFlag = 'domain' | 'https-port' | 'http-port' | 'acme-directory'

// Until the owner changes it, only this machine can connect.
const DEFAULT_HOST = '127.0.0.1'
const DEFAULT_PORT = 8484
const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory'
const DEFAULT_DATA = './data'
const DEFAULT_RETENTION_DAYS = 90
const DEFAULT_SNAPSHOTS = 3
const SNAPSHOTS_MAX = 1_000
// Beyond this, byte counts would no longer be exact integers everywhere.
const LIMIT_FACTOR_MAX = 1_000
const DEFAULT_POOL = 10
// By default PostgreSQL accepts 100 connections.
const POOL_MAX = 1_000
/** The longest time, in seconds, between a signal to stop and the stop. */
export const DRAIN_MAX = 300
const LOG_FORMAT = one('pretty', 'json')
const LOG_LEVEL = one('debug', 'info', 'warn', 'error')
const DEFAULT_SLACK_API = 'https://slack.com/api'
const DEFAULT_TELEGRAM_API = 'https://api.telegram.org'

/**
 * Flags override the environment, that overrides `beckon.toml` in the data folder, and that
 * overrides the defaults. Throws `WrongUsage` that names the unknown or wrong value.
 */
export function readConfig(flags: Flags = {}, environment?: Environment): Config {
  const variables = readEnvironment(environment)
  const dataFolder = resolve(flags.data ?? variables.get('BECKON_DATA')?.text ?? DEFAULT_DATA)
  const file = readSettingsFile(dataFolder)

  function read<T>(name: Variable, meaning: Meaning<T>, flag?: keyof Flags): T | undefined {
    const flagValue = flag && flags[flag]
    const raw: Raw | undefined =
      flagValue === undefined
        ? (variables.get(name) ?? file.get(name))
        : { text: flagValue, source: `--${flag}` }
    return raw && checked(raw, meaning)
  }

  const givenHost = read('BECKON_HOST', HOST, 'host')
  const domains = read('BECKON_DOMAIN', DOMAINS, 'domain')
  // Read without a domain, too, so that a wrong value is not first seen when one is set.
  const ofHttps = httpsSettings(read)
  const https = domains && { domains, host: givenHost ?? everyHost(), ...ofHttps }
  // A server with its own https uses the plain port only for this machine.
  const host = (https ? undefined : givenHost) ?? DEFAULT_HOST
  const port = read('BECKON_PORT', PORT, 'port') ?? DEFAULT_PORT
  const mailServer = read('BECKON_SMTP_URL', SMTP_URL)
  const from = read('BECKON_SMTP_FROM', MAIL_ADDRESS)
  return {
    host,
    port,
    dataFolder,
    database: databaseOf({
      url: read('BECKON_DATABASE_URL', POSTGRES_URL),
      listenUrl: read('BECKON_DATABASE_LISTEN_URL', POSTGRES_URL),
      pool: read('BECKON_DATABASE_POOL', between(1, POOL_MAX)) ?? DEFAULT_POOL,
    }),
    baseUrl:
      read('BECKON_BASE_URL', WEB_ORIGIN, 'base-url') ??
      (https ? `https://${https.domains[0]}` : defaultBaseUrl(host, port)),
    https,
    oauth: read('BECKON_OAUTH', OFF_OR_ON),
    oauthClientDocuments: read('BECKON_OAUTH_CLIENT_DOCUMENTS', OFF_OR_ON) ?? true,
    trustProxy: read('BECKON_TRUST_PROXY', PROXIES) ?? [],
    allowedOrigins: read('BECKON_ALLOWED_ORIGINS', WEB_ORIGINS) ?? [],
    vapidSubject: read('BECKON_VAPID_SUBJECT', VAPID_SUBJECT),
    allowPrivateHosts: read('BECKON_ALLOW_PRIVATE_HOSTS', PRIVATE_HOSTS) ?? [],
    slack: {
      botToken: read('BECKON_SLACK_BOT_TOKEN', SLACK_TOKEN),
      signingSecret: read('BECKON_SLACK_SIGNING_SECRET', SECRET),
      apiUrl: read('BECKON_SLACK_API_URL', WEB_ADDRESS) ?? DEFAULT_SLACK_API,
    },
    telegram: {
      botToken: read('BECKON_TELEGRAM_BOT_TOKEN', BOT_TOKEN),
      apiUrl: read('BECKON_TELEGRAM_API_URL', WEB_ADDRESS) ?? DEFAULT_TELEGRAM_API,
    },
    smtp: smtpOf(mailServer, from),
    log: read('BECKON_LOG', LOG_FORMAT) ?? 'pretty',
    logLevel: read('BECKON_LOG_LEVEL', LOG_LEVEL) ?? 'info',
    retentionDays: read('BECKON_RETENTION_DAYS', atLeast(1)) ?? DEFAULT_RETENTION_DAYS,
    drainSeconds: read('BECKON_DRAIN_SECONDS', between(0, DRAIN_MAX)) ?? 0,
    snapshots: {
      keep: read('BECKON_SNAPSHOTS', between(0, SNAPSHOTS_MAX)) ?? DEFAULT_SNAPSHOTS,
      folder: resolve(
        read('BECKON_SNAPSHOT_FOLDER', FILE_PATH) ?? join(dataFolder, SNAPSHOT_FOLDER),
      ),
    },
    tokenLimitFactor: read('BECKON_TOKEN_LIMIT_FACTOR', between(1, LIMIT_FACTOR_MAX)) ?? 1,
    auditUrl: read('BECKON_AUDIT_URL', WEB_ADDRESS),
    ...catalogSettings(read),
  }
}

type Read = <T>(name: Variable, meaning: Meaning<T>, flag?: keyof Flags) => T | undefined

function httpsSettings(read: Read): Omit<HttpsConfig, 'domains' | 'host'> {
  return {
    httpsPort: read('BECKON_HTTPS_PORT', PORT, 'https-port') ?? 443,
    httpPort: read('BECKON_HTTP_PORT', PORT, 'http-port') ?? 80,
    directory: read('BECKON_ACME_DIRECTORY', ACME_DIRECTORY, 'acme-directory') ?? LETS_ENCRYPT,
    caFile: read('BECKON_ACME_CA', FILE_PATH),
    contact: read('BECKON_ACME_EMAIL', MAIL_ADDRESS),
  }
}

function catalogSettings(read: Read) {
  return {
    catalogRateLimit: read('BECKON_CATALOG_RATE_LIMIT', OFF_OR_ON) ?? true,
    catalogProbes: read('BECKON_CATALOG_PROBES', OFF_OR_ON) ?? true,
    catalogCanary: read('BECKON_CATALOG_CANARY', WEB_ADDRESS),
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

function smtpOf(server: SmtpServer | undefined, from: string | undefined): Config['smtp'] {
  if (server && from) return { ...server, from }
  if (!server && !from) return undefined
  const [present, missing] = server
    ? ['BECKON_SMTP_URL', 'BECKON_SMTP_FROM']
    : ['BECKON_SMTP_FROM', 'BECKON_SMTP_URL']
  throw new WrongUsage(`${present} is set, but ${missing} is not: sending e-mail needs both.`)
}

/** The settings of `serve --watch`; of a server's settings it only uses those for logging. */
export type PreviewConfig = Pick<Config, 'host' | 'port' | 'baseUrl' | 'log' | 'logLevel'>

// Differs from a server's usual port.
const DEFAULT_PREVIEW_PORT = 8485

/**
 * For a preview of files, which does not use the address and port of a server from the environment
 * or its file. Throws `WrongUsage` that names what is wrong.
 */
export function readPreviewConfig(flags: Flags = {}, environment?: Environment): PreviewConfig {
  const variables = readEnvironment(environment)

  function flag<T>(name: keyof Flags, meaning: Meaning<T>): T | undefined {
    const text = flags[name]
    return text === undefined ? undefined : checked({ text, source: `--${name}` }, meaning)
  }

  function variable<T>(name: Variable, meaning: Meaning<T>): T | undefined {
    const raw = variables.get(name)
    return raw && checked(raw, meaning)
  }

  const host = flag('host', HOST) ?? DEFAULT_HOST
  const port = flag('port', PORT) ?? DEFAULT_PREVIEW_PORT
  return {
    host,
    port,
    baseUrl: flag('base-url', WEB_ORIGIN) ?? defaultBaseUrl(host, port),
    log: variable('BECKON_LOG', LOG_FORMAT) ?? 'pretty',
    logLevel: variable('BECKON_LOG_LEVEL', LOG_LEVEL) ?? 'info',
  }
}

/** The settings with the port that the system chose, also in the base URL. */
export function onPort<C extends Pick<Config, 'host' | 'port' | 'baseUrl'>>(
  config: C,
  port: number,
): C {
  const { host, baseUrl } = config
  if (config.port !== 0) return config
  const own = baseUrl === defaultBaseUrl(host, 0)
  return { ...config, port, baseUrl: own ? defaultBaseUrl(host, port) : baseUrl }
}

/**
 * The server and token of the commands that are clients (notify, ask, wait, cancel): from the
 * environment, otherwise from what `beckon setup` wrote. A token that was stored for one server is
 * not sent to another.
 */
export function readClientConfig(environment?: Environment): {
  url: string | undefined
  token: string | undefined
} {
  const variables = readEnvironment(environment)
  const url = variables.get('BECKON_URL')
  const address = url && checked(url, WEB_ORIGIN)
  const token = variables.get('BECKON_TOKEN')?.text
  const file = readClientFile(environment)
  if (!file || (address !== undefined && address !== file.url)) return { url: address, token }
  return { url: file.url, token: token ?? file.token }
}

function checked<T>(raw: Raw, meaning: Meaning<T>): T {
  const value = meaning.read(raw.text)
  if (value !== undefined) return value
  const detail = meaning.secret ? '' : `, not "${cutText(cleanLine(raw.text), 100)}"`
  throw new WrongUsage(`${raw.source} must be ${meaning.must}${detail}.`)
}

// Passkeys need a name instead of an address, and every browser on this machine knows this one.
const LOCAL_HOSTS = new Set(['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'])

function defaultBaseUrl(host: string, port: number): string {
  if (LOCAL_HOSTS.has(host)) return `http://localhost:${port}`
  return new URL(`${originOf(host)}:${port}`).origin
}
