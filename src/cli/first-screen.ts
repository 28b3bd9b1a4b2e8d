import { isLoopbackHost } from '../platform/config/origins.ts'
import { terminalQr } from '../platform/terminal/qr.ts'
import { terminalWidth } from '../platform/terminal/terminal.ts'

/** The steps of the page that the account leads to. */
const STEPS = [
  '  1. Connect this browser or a phone',
  '  2. Connect an agent: the page has a line for each client, or run beckon setup',
  '  3. Ask me something now: a question rings what you connected',
]

type Started = {
  baseUrl: string
  setUpLink: string
  /** Why https does not answer yet. */
  tlsProblem: string | undefined
}

/** Shown on a terminal below the set-up link: its QR code, and the next steps. */
export function nextSteps({ baseUrl, setUpLink, tlsProblem }: Started): string {
  const { protocol, hostname } = new URL(baseUrl)
  if (isLoopbackHost(hostname) || hostname.endsWith('.localhost')) {
    return [
      'Open it in a browser on this machine and make the account. Then, in any order:',
      ...STEPS,
      'A phone needs https: beckon expose tailscale, or beckon serve --domain NAME',
    ].join('\n')
  }
  const qr = terminalQr(setUpLink)
  const isNarrow = Bun.stringWidth(qr.split('\n')[0] ?? '') > terminalWidth()
  return [
    ...(isNarrow ? [] : ['', qr, '']),
    ...(tlsProblem === undefined
      ? []
      : ['https answers once the certificate is here; the log says when.']),
    isNarrow ? 'Open it on your phone.' : 'Scan it with your phone, or open the link in a browser.',
    ...(protocol === 'https:' ? [] : ['Phones ring only over https: beckon docs https.']),
    'Make the account. Then, in any order:',
    ...STEPS,
  ].join('\n')
}
