import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { freePort } from '../../support/free-port.ts'
import { type Cluster, postgresPrograms } from '../../support/postgres-cluster.ts'

/** A copy of a cluster that follows it by streaming. */
export type Standby = AsyncDisposable & {
  port: number
  url(database: string): string
  /** Makes it the primary. */
  promote(): Promise<void>
}

/** Starts a standby of `primary` and waits until it follows. */
export async function startStandby(primary: Cluster): Promise<Standby> {
  const programs = postgresPrograms() as string
  const as = unprivileged()
  const folder = mkdtempSync(join(tmpdir(), 'beckon-standby-'))
  if (as) chownSync(folder, as.uid, as.gid)
  const data = join(folder, 'data')
  const port = freePort()

  async function run(program: string, ...args: string[]) {
    const child = Bun.spawn([join(programs, program), ...args], {
      ...as,
      cwd: folder,
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    if ((await child.exited) === 0) return
    const log = existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8') : ''
    throw new Error((await new Response(child.stderr).text()) + log)
  }
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'beckon']
  await run('pg_basebackup', ...from, '-D', data, '-R', '-X', 'stream', '-c', 'fast')
  const options = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c max_connections=200`
  const control = ['-D', data, '-w', '-l', join(folder, 'log')]
  await run('pg_ctl', ...control, '-o', options, 'start')
  await using sql = new SQL(primary.url(), { max: 1 })
  for (;;) {
    const [row] = await sql.unsafe('select count(*)::int as n from pg_stat_replication')
    if (row.n > 0) break
    await Bun.sleep(100)
  }
  return {
    port,
    url: (database) => `postgres://beckon@127.0.0.1:${port}/${database}`,
    promote: () => run('pg_ctl', ...control, 'promote'),
    async [Symbol.asyncDispose]() {
      await run('pg_ctl', ...control, '-m', 'immediate', 'stop').catch(() => {})
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function unprivileged(): { uid: number; gid: number } | undefined {
  if (userInfo().uid !== 0) return undefined
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const line = ['postgres', 'nobody']
    .map((name) => lines.find((one) => one.startsWith(`${name}:`)))
    .find(Boolean)
  const [, , uid, gid] = (line ?? 'nobody:x:65534:65534').split(':')
  return { uid: Number(uid), gid: Number(gid) }
}
