import { originOf } from './values.ts'

/** The server's own snapshots, in the data folder, unless a setting names another folder. */
export const SNAPSHOT_FOLDER = 'snapshots'

/** The settings of the server itself, checked. */
export type ServerConfig = {
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
  /**
   * Proxies whose word for the caller's address is taken: addresses, networks, `loopback` or
   * `private`.
   */
  trustProxy: readonly string[]
  /** Other origins whose pages may call the API with a token. */
  allowedOrigins: readonly string[]
  /** Host names, addresses and CIDRs that outgoing requests may reach although they are private. */
  allowPrivateHosts: readonly string[]
  /**
   * Seconds from a signal to stop until the stop; meanwhile the server only reports that it is not
   * ready.
   */
  drainSeconds: number
  log: 'pretty' | 'json'
  logLevel: 'debug' | 'info' | 'warn' | 'error'
  /** The copies of the database that the server makes at night: how many it keeps, and where. */
  snapshots: SnapshotConfig
}

/**
 * All settings of a server, checked; each feature adds its own by declaration merging.
 * @public
 */
export interface Config extends ServerConfig {}

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

/** The settings of `serve --watch`; of a server's settings it only uses those for logging. */
export type PreviewConfig = Pick<Config, 'host' | 'port' | 'baseUrl' | 'log' | 'logLevel'>

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

// Passkeys need a name instead of an address, and every browser on this machine knows this one.
const LOCAL_HOSTS = new Set(['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'])

/** The address of a server that nobody named one for. */
export function defaultBaseUrl(host: string, port: number): string {
  if (LOCAL_HOSTS.has(host)) return `http://localhost:${port}`
  return new URL(`${originOf(host)}:${port}`).origin
}
