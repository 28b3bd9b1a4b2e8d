import { type PageWorld, pageWorld } from './page-world.ts'

type Connected = {
  /** Where its SCIM address is. */
  base: string
  token: string
  /** One request of the directory: status, JSON, and where it made something. */
  call(method: string, path: string, body?: unknown, type?: string): Promise<ScimReply>
}

export type DirectoryWorld = PageWorld & Connected

type ScimReply = { s: number; j: unknown; loc: string | null }

/** A whole server with a directory that is connected to it, called Acme. */
export async function directoryWorld(): Promise<DirectoryWorld> {
  const world = await pageWorld({ env: { BECKON_TRUST_PROXY: 'loopback' } })
  return {
    ...world,
    ...(await connectDirectory(world)),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

/** Connects a directory called Acme to a server. */
export async function connectDirectory(world: Pick<PageWorld, 'post' | 'url'>): Promise<Connected> {
  const page = await (await world.post('/settings/directory', { name: 'Acme' })).text()
  const token = /bs_[0-9a-z]{40}/.exec(page)?.[0] ?? ''
  const base = `${world.url}/scim/v2`
  return {
    base,
    token,
    async call(method, path, body, type = 'application/scim+json') {
      const headers = { authorization: `Bearer ${token}`, accept: 'application/scim+json' }
      const response = await fetch(base + path, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': type }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const j: unknown = text === '' ? undefined : JSON.parse(text)
      return { s: response.status, j, loc: response.headers.get('location') }
    },
  }
}
