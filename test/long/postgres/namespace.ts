import { userInfo } from 'node:os'

/** A network namespace whose way to this machine can be cut in the middle, without a word to either end. */
export type Namespace = AsyncDisposable & {
  /** What goes before a command, so that it runs in there. */
  inside: string[]
  /** Its own address for callers; nothing cuts that way. */
  address: string
  /** This machine's address at the end of the way that can be cut. */
  gateway: string
  /** Its own address on that way. */
  source: string
  /** From now on every packet vanishes, both ways. */
  down(): Promise<void>
  up(): Promise<void>
  /** Forgets its connections at this end of the way; what says so vanishes if the way is cut. */
  forgetConnections(): Promise<void>
}

/** Why this machine makes no namespaces; undefined where it does. */
export async function whyNoNamespaces(): Promise<string | undefined> {
  if (!Bun.which('ip')) return 'ip is missing: apt-get install iproute2'
  if (userInfo().uid !== 0) return 'only root makes network namespaces'
  try {
    await using _ = await openNamespace()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

let count = 0

/**
 * The namespace has two links: `address` for callers, and the way to `gateway`, which leads over
 * two switches. The cable between the switches is what is pulled, so that neither end loses its
 * link and nothing but missing replies says that the other is gone.
 */
export async function openNamespace(): Promise<Namespace> {
  const name = `bk${process.pid}x${++count}`
  const switches = `${name}s`
  // Of 198.18.0.0/15, which is for tests of networks and nowhere else.
  const [front, back] = [2 * count, 2 * count + 1].map(
    (n) => `198.${18 + (process.pid % 2)}.${(process.pid + n) % 256}`,
  )
  await using opened = new AsyncDisposableStack()
  for (const one of [name, switches]) {
    await ip('netns', 'add', one)
    opened.defer(() => ip('netns', 'del', one))
  }
  await ip('link', 'add', `${name}f`, 'type', 'veth', 'peer', 'front', 'netns', name)
  await ip('link', 'add', `${name}b`, 'type', 'veth', 'peer', 'outer', 'netns', switches)
  // Connections that still say goodbye keep a namespace and its links for minutes.
  for (const link of [`${name}f`, `${name}b`]) opened.defer(() => ip('link', 'del', link))
  await ip('-n', switches, 'link', 'add', 'inner', 'type', 'veth', 'peer', 'back', 'netns', name)
  await ip('-n', switches, 'link', 'add', 'near', 'type', 'veth', 'peer', 'far')
  for (const [bridge, ports] of [
    ['one', ['inner', 'near']],
    ['two', ['far', 'outer']],
  ] as const) {
    await ip('-n', switches, 'link', 'add', bridge, 'type', 'bridge')
    for (const port of ports) {
      await ip('-n', switches, 'link', 'set', port, 'master', bridge)
      await ip('-n', switches, 'link', 'set', port, 'up')
    }
    await ip('-n', switches, 'link', 'set', bridge, 'up')
  }
  await ip('addr', 'add', `${front}.1/24`, 'dev', `${name}f`)
  await ip('addr', 'add', `${back}.1/24`, 'dev', `${name}b`)
  await ip('-n', name, 'addr', 'add', `${front}.2/24`, 'dev', 'front')
  await ip('-n', name, 'addr', 'add', `${back}.2/24`, 'dev', 'back')
  for (const one of [`${name}f`, `${name}b`]) await ip('link', 'set', one, 'up')
  for (const one of ['lo', 'front', 'back']) await ip('-n', name, 'link', 'set', one, 'up')
  // Else who asks for an address and hears nothing says "no route" by itself, after seconds.
  await addNeighbour(['-n', name], `${back}.1`, 'back', await macOf([], `${name}b`))
  await addNeighbour([], `${back}.2`, `${name}b`, await macOf(['-n', name], 'back'))
  const owned = opened.move()
  return {
    inside: ['ip', 'netns', 'exec', name],
    address: `${front}.2`,
    gateway: `${back}.1`,
    source: `${back}.2`,
    down: () => ip('-n', switches, 'link', 'set', 'near', 'down'),
    up: () => ip('-n', switches, 'link', 'set', 'near', 'up'),
    forgetConnections: () => run(['ss', '-K', '-t', 'dst', `${back}.2`]),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

const ip = (...args: string[]) => run(['ip', ...args])

async function addNeighbour(where: string[], address: string, device: string, mac: string) {
  await ip(...where, 'neigh', 'replace', address, 'lladdr', mac, 'dev', device, 'nud', 'permanent')
}

async function macOf(where: string[], device: string): Promise<string> {
  const child = Bun.spawn(['ip', ...where, '-json', 'link', 'show', 'dev', device])
  const [link] = (await new Response(child.stdout).json()) as Array<{ address: string }>
  return link?.address ?? ''
}

async function run(command: string[]): Promise<void> {
  const child = Bun.spawn(command, { stdio: ['ignore', 'ignore', 'pipe'] })
  const errors = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${errors.trim()}`)
}
