import { type KnobProvider, knobProvider } from './oidc-provider.ts'
import { type PageWorld, pageWorld } from './page-world.ts'

/** A browser: its cookies, and nothing else. */
export type Browser = {
  cookies: Map<string, string>
  get(url: string, headers?: Record<string, string>): Promise<Response>
  post(path: string, fields?: Record<string, string>): Promise<Response>
}

export type CompanyWorld = PageWorld & {
  provider: KnobProvider
  browser(): Browser
  /** From the button to the page after it; without `browser`, in a new one. */
  signIn(browser?: Browser, path?: string): Promise<{ browser: Browser; response: Response }>
  /** Who is signed in: the name, or null. */
  who(browser: Browser): Promise<string | null>
}

/** A whole server with a provider in its environment, called Acme. */
export async function companyWorld(
  env: Record<string, string> = {},
  more: Parameters<typeof pageWorld>[0] = {},
): Promise<CompanyWorld> {
  const provider = await knobProvider()
  const world = await pageWorld({
    ...more,
    env: {
      BECKON_TRUST_PROXY: 'loopback',
      BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
      BECKON_OIDC_ISSUER: provider.issuer,
      BECKON_OIDC_CLIENT_ID: provider.clientId,
      BECKON_OIDC_CLIENT_SECRET: provider.secret,
      BECKON_OIDC_NAME: 'Acme',
      ...env,
    },
  })
  const { url, app } = world
  let networks = 0

  function browser(): Browser {
    const cookies = new Map<string, string>()
    // So that no limit by address is reached.
    const from = `10.1.${++networks >> 8}.${networks & 255}`
    async function send(address: string, init: RequestInit) {
      const own = new URL(address).origin === url
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
      const headers = { ...(own && { cookie, 'x-forwarded-for': from }), ...init.headers }
      const response = await fetch(address, { ...init, headers, redirect: 'manual' })
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';')
        const at = pair.indexOf('=')
        if (/max-age=0/i.test(line)) cookies.delete(pair.slice(0, at))
        else cookies.set(pair.slice(0, at), pair.slice(at + 1))
      }
      return response
    }
    return {
      cookies,
      get: (address, headers = {}) => send(new URL(address, url).href, { headers }),
      post: (path, fields = {}) =>
        send(url + path, {
          method: 'POST',
          headers: { origin: url, 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(fields).toString(),
        }),
    }
  }

  async function signIn(of = browser(), path = '/sign-in/with/acme') {
    const start = await of.get(path, { 'sec-fetch-site': 'same-origin' })
    const to = start.headers.get('location')
    if (start.status !== 303 || !to?.startsWith(provider.issuer)) {
      return { browser: of, response: start }
    }
    const there = await fetch(to, { redirect: 'manual' })
    const back = there.headers.get('location') ?? ''
    return { browser: of, response: await of.get(back.replace(app.baseUrl, url)) }
  }

  return {
    ...world,
    provider,
    browser,
    signIn,
    async who(of) {
      const response = await of.get('/api/v1/members')
      if (response.status !== 200) return null
      const page = await (await of.get('/settings')).text()
      return /<p class="sub">([^·]+) ·/.exec(page)?.[1]?.trim() ?? null
    },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      await provider[Symbol.asyncDispose]()
    },
  }
}
