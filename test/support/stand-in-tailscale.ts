import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** How the stand-in is set up; the words are those of tailscale 1.90 (`cmd/tailscale/cli`). */
type Tailnet = {
  backendState: string
  dnsName: string
  /** Whether the daemon runs at all. */
  isUp: boolean
  /** Whether this user may change what is served. */
  mayServe: boolean
  /** Whether https is turned on for the tailnet. */
  hasHttps: boolean
  /** What is served, by `name:port`. */
  web: Record<string, string>
}

export type StandInTailscale = {
  /** The folder to put in front of the PATH. */
  bin: string
  set(change: Partial<Tailnet>): void
  web(): Record<string, string>
  /** Each call, its arguments joined by spaces. */
  calls(): string[]
}

const USUAL: Tailnet = {
  ...{ backendState: 'Running', dnsName: 'shed.tail0123.ts.net.', isUp: true },
  ...{ mayServe: true, hasHttps: true, web: {} },
}

/** A program `tailscale` in `folder` that answers as the real one does. */
export function standInTailscale(folder: string): StandInTailscale {
  const [state, log] = [join(folder, 'tailnet.json'), join(folder, 'calls.log')]
  const read = (): Tailnet => JSON.parse(readFileSync(state, 'utf8'))
  writeFileSync(state, JSON.stringify(USUAL))
  const program = join(folder, 'tailscale')
  const words = [process.execPath, '--no-env-file', import.meta.path, state, log]
  writeFileSync(program, `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`)
  chmodSync(program, 0o755)
  return {
    bin: folder,
    set: (change) => writeFileSync(state, JSON.stringify({ ...read(), ...change })),
    web: () => read().web,
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []),
  }
}

function play(tailnet: Tailnet, args: string[], keep: (changed: Tailnet) => void): number {
  if (!tailnet.isUp) {
    console.error(
      "failed to connect to local tailscaled; it doesn't appear to be running (sudo systemctl start tailscaled ?)",
    )
    return 1
  }
  const name = tailnet.dnsName.replace(/\.$/, '')
  if (args[0] === 'status') {
    const { backendState, dnsName, hasHttps } = tailnet
    const isRunning = backendState === 'Running'
    console.log(
      JSON.stringify(
        {
          ...{ Version: '1.90.6-t0000000', TUN: true, BackendState: backendState },
          ...{ AuthURL: '', TailscaleIPs: isRunning ? ['100.101.102.103'] : null },
          Self: { HostName: 'shed', DNSName: isRunning ? dnsName : '', Online: isRunning },
          ...{ Health: [], MagicDNSSuffix: 'tail0123.ts.net', Peer: null },
          CertDomains: hasHttps ? [name] : null,
        },
        undefined,
        2,
      ),
    )
    return 0
  }
  if (args.join(' ') === 'serve status --json') {
    const rows = Object.entries(tailnet.web).map(([at, to]) => [
      at,
      { Handlers: { '/': { Proxy: to } } },
    ])
    const status =
      rows.length === 0 ? {} : { TCP: { 443: { HTTPS: true } }, Web: Object.fromEntries(rows) }
    console.log(JSON.stringify(status, undefined, 2))
    return 0
  }
  const port = /^--https=(\d+)$/.exec(args[3] ?? '')?.[1]
  const to = args[4]
  if (args.slice(0, 3).join(' ') !== 'serve --bg --yes' || !port || !to) {
    console.error(`error: unknown arguments ${args.join(' ')}`)
    return 1
  }
  if (!tailnet.hasHttps) {
    console.log('\nServe is not enabled on your tailnet.\nTo enable, visit:')
    console.log('\n         https://login.tailscale.com/f/serve?node=nExample\n')
    return 0
  }
  if (!tailnet.mayServe) {
    console.error(
      `sending serve config: Access denied: serve config denied\n\nUse 'sudo tailscale ${args.join(' ')}'.\nTo not require root, use 'sudo tailscale set --operator=$USER' once.`,
    )
    return 1
  }
  keep({ ...tailnet, web: { ...tailnet.web, [`${name}:${port}`]: to } })
  const suffix = port === '443' ? '' : `:${port}`
  console.log(`Available within your tailnet:\n\nhttps://${name}${suffix}/\n|-- proxy ${to}\n`)
  console.log('Serve started and running in the background.')
  console.log(`To disable the proxy, run: tailscale serve --https=${port} off`)
  return 0
}

if (import.meta.main) {
  const [state = '', log = '', ...args] = process.argv.slice(2)
  const { appendFileSync } = await import('node:fs')
  appendFileSync(log, `${args.join(' ')}\n`)
  const keep = (changed: Tailnet) => writeFileSync(state, JSON.stringify(changed))
  process.exitCode = play(JSON.parse(readFileSync(state, 'utf8')), args, keep)
}
