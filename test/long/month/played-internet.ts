import {
  createGuardedFetch,
  type GuardedFetch,
} from '../../../src/platform/outgoing/guarded-fetch.ts'
import { type VendorServer, vendorServer } from '../../support/vendor-server.ts'

const LOOPBACK = '127.0.0.1'

/** Every host that is asked, each played by a server of its own on loopback. */
export type PlayedInternet = AsyncDisposable & {
  /** The guarded fetch, which reaches these servers in place of the hosts. */
  fetch: GuardedFetch['fetch']
  /** The server of a host; 404 for every path that nobody told it of. */
  host(name: string): Promise<VendorServer>
  /** Requests since the last time, by host and kind. */
  tally(): Map<string, Record<string, number>>
}

export function playedInternet(): PlayedInternet {
  const { fetch } = createGuardedFetch({ allowPrivateHosts: [LOOPBACK] })
  const servers = new Map<string, Promise<VendorServer>>()
  const ready = new Map<string, VendorServer>()

  function host(name: string): Promise<VendorServer> {
    const existing = servers.get(name)
    if (existing) return existing
    const starting = vendorServer(LOOPBACK).then((server) => {
      ready.set(name, server)
      return server
    })
    servers.set(name, starting)
    return starting
  }

  return {
    host,
    async fetch(text, request) {
      const url = new URL(text)
      const { origin } = await host(url.host)
      return await fetch(`${origin}${url.pathname}${url.search}`, request)
    },
    tally() {
      const all = new Map<string, Record<string, number>>()
      for (const [name, { requests }] of ready) {
        const kinds: Record<string, number> = {}
        for (const { path, body } of requests.splice(0)) {
          const kind = body.startsWith('{"jsonrpc"') ? JSON.parse(body).method : path
          kinds[kind] = (kinds[kind] ?? 0) + 1
        }
        all.set(name, kinds)
      }
      return all
    },
    async [Symbol.asyncDispose]() {
      for (const server of ready.values()) await server[Symbol.asyncDispose]()
    },
  }
}
