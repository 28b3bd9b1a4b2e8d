import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts } from './free-port.ts'
import { tempFolder } from './temp-folder.ts'
import { until } from './until.ts'

/** Debian's package of the small authority that Let's Encrypt tests clients with. */
export const PEBBLE = Bun.which('pebble')

export type Pebble = AsyncDisposable & {
  /** Where it lists its addresses. */
  directory: string
  /** The certificate that its own address is trusted by, in a file and in PEM. */
  caFile: string
  ca: string
  /** The port at which it looks for challenges. */
  httpPort: number
  /** The root above the certificates that it makes, in PEM. */
  root(): Promise<string>
  /** What it logged so far. */
  log(): string
}

/** A certificate of its own for `name`, as files of PEM in `folder`. */
export function selfSigned(folder: string, name: string, more: string[] = []) {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)]
  const openssl = Bun.spawnSync([
    ...['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
    ...['-nodes', '-keyout', key, '-out', cert, '-days', '30', '-subj', `/CN=${name}`],
    ...['-addext', `subjectAltName=DNS:${name},IP:127.0.0.1`, ...more],
  ])
  if (!openssl.success) throw new Error(openssl.stderr.toString())
  return { key, cert }
}

/** Every name leads to 127.0.0.1 there; nothing of it is slowed down. */
export async function startPebble(env: Record<string, string> = {}): Promise<Pebble> {
  const folder = tempFolder()
  const { key, cert } = selfSigned(folder.path, 'localhost')
  const [port = 0, managing = 0, httpPort = 0, dns = 0, dnsManaging = 0] = freePorts(5)
  const config = join(folder.path, 'pebble.json')
  const pebble = {
    ...{ listenAddress: `127.0.0.1:${port}`, managementListenAddress: `127.0.0.1:${managing}` },
    ...{ certificate: cert, privateKey: key, httpPort, tlsPort: 1, ocspResponderURL: '' },
  }
  writeFileSync(config, JSON.stringify({ pebble }))
  const names = Bun.spawn(
    [
      ...['pebble-challtestsrv', '-defaultIPv4', '127.0.0.1', '-defaultIPv6', ''],
      ...['-dns01', `127.0.0.1:${dns}`, '-management', `127.0.0.1:${dnsManaging}`],
      ...['-http01', '', '-https01', '', '-tlsalpn01', ''],
    ],
    { stdout: 'ignore', stderr: 'ignore' },
  )
  const child = Bun.spawn(['pebble', '-config', config, '-dnsserver', `127.0.0.1:${dns}`], {
    // It refuses some good nonces otherwise, and what is asked again would count twice.
    env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0', ...env },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  let log = ''
  void (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of child.stdout) log += decoder.decode(chunk, { stream: true })
  })()
  const ca = await Bun.file(cert).text()
  const directory = `https://127.0.0.1:${port}/dir`
  await until(async () =>
    fetch(directory, { tls: { ca } }).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return {
    ...{ directory, caFile: cert, ca, httpPort },
    root: async () =>
      (await fetch(`https://127.0.0.1:${managing}/roots/0`, { tls: { ca } })).text(),
    log: () => log,
    async [Symbol.asyncDispose]() {
      child.kill()
      names.kill()
      await Promise.all([child.exited, names.exited])
      folder[Symbol.dispose]()
    },
  }
}
