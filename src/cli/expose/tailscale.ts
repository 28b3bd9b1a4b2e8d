import { existsSync } from 'node:fs'
import { wholeEnvironment } from '../../platform/config/env.ts'
import { Failure } from '../../platform/failure.ts'
import { readJsonObject } from '../../platform/json.ts'
import { cleanLine, cutText } from '../../platform/text.ts'

// The macOS app includes the program, but does not put it into PATH.
const IN_THE_APP = '/Applications/Tailscale.app/Contents/MacOS/Tailscale'
const ANSWER_MS = 10_000
// Somebody may have to turn https on first, in a browser.
const CONSENT_MS = 5 * 60_000
const SAID_MAX = 300

/** The path of the program `tailscale`; undefined if it is not there. */
export function findTailscale(): string | undefined {
  const { PATH = '' } = wholeEnvironment()
  const path = Bun.which('tailscale', { PATH })
  return path ?? (existsSync(IN_THE_APP) ? IN_THE_APP : undefined)
}

/** As `findTailscale`; throws `not_found` that says where to get it. */
export function requireTailscale(): string {
  const path = findTailscale()
  if (path) return path
  throw new Failure(
    'not_found',
    'The program tailscale is not on this machine: get it from https://tailscale.com/download, run tailscale up, and try again.',
  )
}

/**
 * The name of this machine in its person's tailnet. Throws a `Failure` that says what is missing.
 */
export async function machineName(program: string): Promise<string> {
  const { code, out, err } = await run([program, 'status', '--json', '--peers=false'], ANSWER_MS)
  const status = readJsonObject(out)
  if (!status) {
    throw new Failure('unavailable', `tailscale status failed: ${explanation(err || out, code)}`)
  }
  if (status.BackendState !== 'Running') throw notConnected(status.BackendState)
  const { DNSName } = (status.Self ?? {}) as { DNSName?: unknown }
  const name = typeof DNSName === 'string' ? DNSName.replace(/\.$/, '').toLowerCase() : ''
  if (/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(name)) return name
  throw new Failure(
    'unavailable',
    'This machine has no name in Tailscale: turn on MagicDNS at https://login.tailscale.com/admin/dns.',
  )
}

function notConnected(state: unknown): Failure {
  const sentence =
    state === 'NeedsMachineAuth'
      ? 'Tailscale waits until somebody admits this machine: https://login.tailscale.com/admin/machines.'
      : 'This machine is not connected to Tailscale: run tailscale up, and try again.'
  return new Failure('unavailable', sentence)
}

/** The server that Tailscale forwards this address to; undefined if it forwards it nowhere. */
export async function servedAt(
  program: string,
  { name, port }: { name: string; port: number },
): Promise<string | undefined> {
  const { out } = await run([program, 'serve', 'status', '--json'], ANSWER_MS)
  const { Web } = (readJsonObject(out) ?? {}) as { Web?: Record<string, unknown> }
  const { Handlers } = (Web?.[`${name}:${port}`] ?? {}) as { Handlers?: Record<string, unknown> }
  const root = Handlers?.['/'] as { Proxy?: unknown; Path?: unknown; Text?: unknown } | undefined
  const to = root?.Proxy ?? root?.Path ?? root?.Text
  return to === undefined ? undefined : cutText(cleanLine(String(to)), 100)
}

/**
 * Makes Tailscale forward its https port to the server, in the background and after each start of
 * the machine. `show` gets each line of its output, since it may first ask to turn https on at an
 * address. Throws a `Failure` with its reason.
 */
export async function passOn(
  program: string,
  { port, to }: { port: number; to: string },
  show: (line: string) => void,
): Promise<void> {
  const words = [program, 'serve', '--bg', '--yes', `--https=${port}`, to]
  const { code, out, err } = await run(words, CONSENT_MS, show)
  const output = `${err}\n${out}`
  if (/access denied/i.test(output)) {
    throw new Failure(
      'forbidden',
      'Tailscale lets only root change what it serves: run this as root, or sudo tailscale set --operator=$USER once.',
    )
  }
  // While https is off, it prints where to turn it on and exits with 0.
  if (code === 0 && /available within your tailnet|running in the background/i.test(output)) return
  throw new Failure('unavailable', `tailscale serve failed: ${explanation(err || out, code)}`)
}

function explanation(text: string, code: number): string {
  const reason = cutText(cleanLine(text.trim()), SAID_MAX)
  return reason === '' ? `it ended with ${code}.` : /[.!?]$/.test(reason) ? reason : `${reason}.`
}

async function run(words: string[], limitMs: number, show: (line: string) => void = () => {}) {
  const child = Bun.spawn(words, {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: limitMs,
    killSignal: 'SIGKILL',
  })
  const [out, err, code] = await Promise.all([
    readLines(child.stdout, show),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, out, err }
}

async function readLines(stream: ReadableStream<Uint8Array>, show: (line: string) => void) {
  const decoder = new TextDecoder()
  let [text, position] = ['', 0]
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true })
    for (let end = text.indexOf('\n', position); end >= 0; end = text.indexOf('\n', position)) {
      const line = cleanLine(text.slice(position, end)).trim()
      if (line !== '') show(line)
      position = end + 1
    }
  }
  return text
}
