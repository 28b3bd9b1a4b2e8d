import type { Config } from '../config/config.ts'
import { isLoopbackHost } from '../config/origins.ts'
import { findServer, type RunningServer } from './only-server.ts'

type Where = Pick<Config, 'dataFolder' | 'database' | 'host' | 'port' | 'baseUrl' | 'snapshots'>

/** Flags of the command line; they come before what a server states. */
type AddressFlags = { [name in 'host' | 'port' | 'base-url' | 'domain']?: string | undefined }

/** The server of these data, as far as this machine knows of it. */
function serverOf({ dataFolder, database }: Where): RunningServer {
  const server = findServer(dataFolder)
  if (!database || server.state === 'known') return server
  const why = 'Servers that share a database state no address: name theirs with BECKON_BASE_URL.'
  return { state: 'unknown', why }
}

/** The settings with what the server that runs on the data folder states, if it is known. */
export function withServerAddress<C extends Where>(config: C, flags: AddressFlags): C {
  const server = serverOf(config)
  if (server.state !== 'known') return config
  const { host, port, baseUrl, snapshots } = server.address
  const listens = flags.host === undefined && flags.port === undefined ? { host, port } : {}
  const isReached = flags['base-url'] === undefined && flags.domain === undefined
  return { ...config, snapshots, ...listens, ...(isReached ? { baseUrl } : {}) }
}

/**
 * The address for a link to the server of these data. `doubt` is what is to be said beside the link
 * if no server is known to be reached there; `given` is the address on the command line.
 */
export function addressForLinks(
  config: Where,
  baseUrlFlag?: string,
): { baseUrl: string; doubt: string | undefined } {
  const { dataFolder, database, baseUrl } = config
  // Somebody named it for the servers that share the database: it is not the default.
  const isNamed = database && !isLoopbackHost(new URL(baseUrl).hostname)
  if (baseUrlFlag !== undefined || isNamed) return { baseUrl, doubt: undefined }
  const server = serverOf(config)
  switch (server.state) {
    case 'known':
      return { baseUrl: server.address.baseUrl, doubt: undefined }
    case 'none': {
      const doubt = `No server runs on ${dataFolder} now; ${baseUrl} is the address in the settings here.`
      return { baseUrl, doubt }
    }
    case 'unknown':
      return { baseUrl, doubt: `${server.why} ${baseUrl} is the address in the settings here.` }
  }
}
