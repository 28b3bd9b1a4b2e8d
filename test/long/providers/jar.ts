/** A browser with cookies by origin, which follows redirects until it is back at `home`. */
export type Jar = {
  cookie(origin: string, name: string): string | undefined
  fetch(url: string, init?: RequestInit): Promise<Response>
  /** Follows redirects; ends with the first answer that is none. */
  follow(url: string, init?: RequestInit): Promise<{ response: Response; url: string }>
}

const REDIRECTS_MAX = 20

export function createJar(): Jar {
  const cookies = new Map<string, Map<string, string>>()
  const self: Jar = {
    cookie: (origin, name) => cookies.get(origin)?.get(name),
    async fetch(url, init = {}) {
      const own = cookies.getOrInsertComputed(new URL(url).origin, () => new Map())
      const cookie = [...own].map((pair) => pair.join('=')).join('; ')
      const response = await fetch(url, {
        ...init,
        headers: { cookie, ...init.headers },
        redirect: 'manual',
      })
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';')
        const at = pair.indexOf('=')
        const isOver = /max-age=0|expires=Thu, 01 Jan 1970/i.test(line)
        if (isOver) own.delete(pair.slice(0, at))
        else own.set(pair.slice(0, at), pair.slice(at + 1))
      }
      return response
    },
    async follow(url, init) {
      let response = await self.fetch(url, init)
      for (let n = 0; n < REDIRECTS_MAX; n++) {
        const to = response.headers.get('location')
        if (to === null) return { response, url }
        url = new URL(to, url).href
        response = await self.fetch(url, { headers: { 'sec-fetch-site': 'cross-site' } })
      }
      throw new Error(`too many redirects, the last to ${url}`)
    },
  }
  return self
}

/** A form as a browser sends it. */
export function form(fields: Record<string, string>, origin: string): RequestInit {
  return {
    method: 'POST',
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  }
}
