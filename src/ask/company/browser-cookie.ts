import { randomText } from '../../platform/ids.ts'
import { cookiePrefix } from '../accounts/model/sign-in.ts'
import { FLOW_MS } from './model/flow.ts'

const CODE = /^[0-9a-z]{32}$/

/** The code of this browser, with which a sign-in that began in it ends in it; empty without one. */
export function browserOf({ headers }: Request, baseUrl: string): string {
  const name = nameAt(baseUrl)
  const values = (headers.get('cookie') ?? '').split(';').flatMap((cookie) => {
    const at = cookie.indexOf('=')
    return cookie.slice(0, at).trim() === name ? [cookie.slice(at + 1).trim()] : []
  })
  const [value = ''] = values
  return values.length === 1 && CODE.test(value) ? value : ''
}

/** The code of this browser, or a new one, and the cookie that keeps it. */
export function keepBrowser(
  request: Request,
  baseUrl: string,
): { browser: string; cookie: string } {
  const browser = browserOf(request, baseUrl) || randomText(32)
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  const life = FLOW_MS / 1_000
  const cookie = `${nameAt(baseUrl)}=${browser}; Path=/; Max-Age=${life}; HttpOnly; SameSite=Lax${secure}`
  return { browser, cookie }
}

function nameAt(baseUrl: string): string {
  return `${cookiePrefix(baseUrl)}.flow`
}
