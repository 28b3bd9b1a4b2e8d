import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

/** A private PostgreSQL server below a temporary folder, with every sync to disk as real. */
export type Cluster = AsyncDisposable & {
  /** The address of one of its databases; of the maintenance database when none is named. */
  url(database?: string): string
  port: number
  /** The process that accepts connections. */
  pid(): number
  start(): Promise<void>
  /** `fast` ends connections in order; `immediate` is a crash that it recovers from. */
  stop(how?: 'fast' | 'immediate'): Promise<void>
  /** Ends it at once, with all its processes: nothing is flushed. */
  kill(): Promise<void>
}

const USER = 'beckon'
const DEBIAN = '/usr/lib/postgresql'
const VERSION_MIN = 15

/** The folder of PostgreSQL's programs, of the newest version there is; undefined without any. */
export function postgresPrograms(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : []
  const newest = versions.filter((version) => version >= VERSION_MIN).sort((a, b) => b - a)
  for (const version of newest) {
    const folder = join(DEBIAN, String(version), 'bin')
    if (existsSync(join(folder, 'initdb'))) return folder
  }
  return undefined
}

/** Says how to get what is missing. */
export const NO_POSTGRES =
  'PostgreSQL 15 or newer is not installed: apt-get install postgresql (Debian, Ubuntu).'

/** `settings` of the server; with `listen_addresses` anybody who reaches one of them is let in. */
export async function startCluster(settings: Record<string, string> = {}): Promise<Cluster> {
  const programs = postgresPrograms()
  if (!programs) throw new Error(NO_POSTGRES)
  const as = unprivileged()
  const folder = mkdtempSync(join(tmpdir(), 'beckon-postgres-'))
  if (as) chownSync(folder, as.uid, as.gid)
  const data = join(folder, 'data')

  async function run(program: string, ...args: string[]) {
    const child = Bun.spawn([join(programs as string, program), ...args], {
      ...as,
      cwd: folder,
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    if ((await child.exited) !== 0) throw new Error(`${program}: ${(await output).join('')}`)
  }

  await run('initdb', ...['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'])
  if (settings.listen_addresses) {
    appendFileSync(join(data, 'pg_hba.conf'), 'host all all all trust\n')
  }
  const port = freePort()
  const values = { listen_addresses: '127.0.0.1', ...settings, port: String(port) }
  const options = [
    ...Object.entries({ ...values, unix_socket_directories: '' }),
    ['max_connections', '200'],
    ['deadlock_timeout', '100ms'],
  ].map(([name, value]) => `-c ${name}='${value}'`)
  const control = ['-D', data, '-w', '-l', join(folder, 'log')]

  const pid = () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  const cluster: Cluster = {
    port,
    pid,
    url: (database = 'postgres') => `postgres://${USER}@127.0.0.1:${port}/${database}`,
    async start() {
      try {
        await run('pg_ctl', ...control, '-o', options.join(' '), 'start')
      } catch (error) {
        const log = join(folder, 'log')
        const output = existsSync(log) ? readFileSync(log, 'utf8').slice(-2_000) : ''
        throw new Error(`${(error as Error).message}\n${output}`)
      }
    },
    stop: (how = 'fast') => run('pg_ctl', ...control, '-m', how, 'stop'),
    async kill() {
      // It starts no more of them meanwhile.
      process.kill(pid(), 'SIGSTOP')
      const group = [pid(), ...childrenOf(pid())]
      for (const one of group) process.kill(one, 'SIGKILL')
      while (group.some(isAlive)) await Bun.sleep(5)
      // Where nobody collects dead processes, the next one would take this one for alive.
      rmSync(join(data, 'postmaster.pid'))
    },
    async [Symbol.asyncDispose]() {
      await cluster.stop('immediate').catch(() => {})
      rmSync(folder, { recursive: true, force: true })
    },
  }
  try {
    await cluster.start()
  } catch (error) {
    await cluster[Symbol.asyncDispose]()
    throw error
  }
  return cluster
}

/** PostgreSQL refuses to run as root: the user that Debian's package makes, else nobody. */
export function unprivileged(): { uid: number; gid: number } | undefined {
  if (userInfo().uid !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  const line = ['postgres', 'nobody'].flatMap((name) =>
    users.filter((one) => one.startsWith(`${name}:`)),
  )[0]
  const [, , uid, gid] = (line ?? 'nobody:x:65534:65534').split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

function childrenOf(parent: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return all.map(Number).filter((pid) => parentOf(pid) === parent)
}

function parentOf(pid: number): number | undefined {
  try {
    // The name in brackets may hold spaces.
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')[1],
    )
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}
