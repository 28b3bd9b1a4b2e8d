import { setting, settingGroup, type ValuesOf } from '../../../platform/config/setting.ts'
import { decoded, MAIL_ADDRESS, type Meaning } from '../../../platform/config/values.ts'
import { WrongUsage } from '../../../platform/failure.ts'

/** A mail server, and the account that sends through it. */
export type SmtpServer = {
  host: string
  port: number
  /** TLS from the first byte; otherwise STARTTLS. */
  isSecure: boolean
  auth: { user: string; pass: string } | undefined
}

const SMTP_PORTS: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 }

const SMTP_URL: Meaning<SmtpServer> = {
  must: 'the address of a mail server, like smtps://user:password@mail.example.com:465',
  secret: true,
  read(text) {
    const url = /\s/.test(text) ? null : URL.parse(text)
    const usual = url && SMTP_PORTS[url.protocol]
    if (!usual || !/^\/?$/.test(url.pathname) || url.search || url.hash) return undefined
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const [user, pass] = [decoded(url.username), decoded(url.password)]
    if (!host || user === undefined || pass === undefined || !user !== !pass) return undefined
    const port = url.port === '' ? usual : Number(url.port)
    const auth = user ? { user, pass } : undefined
    return port === 0 ? undefined : { host, port, isSecure: url.protocol === 'smtps:', auth }
  },
}

/** The mail server and the address that mail comes from; both or neither. */
export const emailSettings = settingGroup(
  {
    server: setting('BECKON_SMTP_URL', SMTP_URL),
    from: setting('BECKON_SMTP_FROM', MAIL_ADDRESS),
  },
  ({ server, from }) => {
    if (server && from) return { ...server, from }
    if (!server && !from) return undefined
    const [present, missing] = server
      ? ['BECKON_SMTP_URL', 'BECKON_SMTP_FROM']
      : ['BECKON_SMTP_FROM', 'BECKON_SMTP_URL']
    throw new WrongUsage(`${present} is set, but ${missing} is not: sending e-mail needs both.`)
  },
)

declare module '../../../platform/config/config.ts' {
  interface Config {
    smtp: ValuesOf<typeof emailSettings>
  }
}
