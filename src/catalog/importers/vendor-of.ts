import type { AuthoredVendor } from '../record/authored.ts'
import { slugFrom } from './slug-from.ts'

export type VendorGuess = Partial<AuthoredVendor> & { id: string; name: string; url: string }

// The account comes first in the path there; the host says nothing of who it is.
const CODE_HOSTS = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org'])
// Names of others are given away below these.
const SHARED = [
  ...['github.io', 'gitlab.io', 'pages.dev', 'workers.dev', 'vercel.app', 'netlify.app'],
  ...['herokuapp.com', 'fly.dev', 'onrender.com', 'up.railway.app', 'railway.app', 'web.app'],
  ...['replit.app', 'run.app', 'azurewebsites.net', 'amazonaws.com', 'ngrok.app', 'mintlify.app'],
  ...['appspot.com', 'azure-api.net', 'cloudfunctions.net', 'firebaseapp.com', 'rapidapi.com'],
]
const SECOND_LEVEL = /^(co|com|org|net|ac|gov|edu|or|ne)$/

/** Who is behind an address: the account at a code host, else the domain; undefined for neither. */
export function vendorOf(address: string | undefined): VendorGuess | undefined {
  const url = address === undefined ? null : URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const host = url.hostname.toLowerCase().replace(/^www\./, '')
  if (CODE_HOSTS.has(host)) {
    const account = url.pathname.split('/')[1]
    const id = slugFrom(account ?? '')
    if (!account || !id) return undefined
    return { id, name: account, url: `https://${host}/${account}` }
  }
  const domain = registeredDomain(host)
  const id = slugFrom(domain?.split('.')[0] ?? '')
  return domain && id ? { id, name: domain, url: `https://${domain}`, domain } : undefined
}

/** `docs.agentmail.to` → `agentmail.to`, `api.example.co.uk` → `example.co.uk`; a name, no address. */
export function registeredDomain(host: string): string | undefined {
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host) || /^[\d.]+$/.test(host)) return undefined
  const parts = host.split('.')
  const shared = SHARED.find((it) => host.endsWith(`.${it}`))
  const country = parts.length > 2 && parts.at(-1)?.length === 2
  const twice = country && SECOND_LEVEL.test(parts.at(-2) ?? '')
  const take = shared ? shared.split('.').length + 1 : twice ? 3 : 2
  return parts.slice(-take).join('.')
}

/** `com.example/thing` → `https://example.com`; `io.github.ada/thing` → `https://github.com/ada`. */
export function addressOfNamespace(name: string): string | undefined {
  const parts = (name.split('/')[0] ?? '').split('.')
  if (parts.length < 2) return undefined
  const [top, host, account] = parts
  if (top === 'io' && (host === 'github' || host === 'gitlab') && account) {
    return `https://${host}.com/${parts.slice(2).join('.')}`
  }
  return `https://${parts.slice().reverse().join('.').toLowerCase()}`
}
