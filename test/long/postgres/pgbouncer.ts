import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { freePort } from '../../support/free-port.ts'
import { until } from '../../support/until.ts'

const DEBIAN = '/usr/sbin/pgbouncer'

/** Debian puts it where only root looks. */
export const PGBOUNCER = Bun.which('pgbouncer') ?? (existsSync(DEBIAN) ? DEBIAN : undefined)

export type Pooler = AsyncDisposable & { url(database: string): string }

/** pgbouncer in transaction mode before the PostgreSQL at `port` of this machine. */
export async function startPgbouncer(port: number): Promise<Pooler> {
  if (!PGBOUNCER) throw new Error('this test needs pgbouncer: apt-get install pgbouncer')
  const folder = mkdtempSync(join(tmpdir(), 'beckon-pgbouncer-'))
  const own = freePort()
  writeFileSync(join(folder, 'users'), '"beckon" ""\n')
  writeFileSync(
    join(folder, 'ini'),
    `[databases]
* = host=127.0.0.1 port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
auth_file = ${folder}/users
pool_mode = transaction
default_pool_size = 20
max_client_conn = 200
`.replace('* = host', '* = user=beckon host'),
  )
  const as = unprivileged()
  if (as) {
    chownSync(folder, as.uid, as.gid)
    for (const name of ['users', 'ini']) chownSync(join(folder, name), as.uid, as.gid)
  }
  const child = Bun.spawn([PGBOUNCER, join(folder, 'ini')], {
    ...as,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const url = (database: string) => `postgres://beckon@127.0.0.1:${own}/${database}`
  await until(async () => {
    if (child.exitCode !== null) throw new Error(await new Response(child.stderr).text())
    const sql = new SQL(url('beckon'), { max: 1, prepare: false, connectionTimeout: 1 })
    return await sql
      .unsafe('select 1')
      .then(
        () => true,
        () => false,
      )
      .finally(() => sql.close({ timeout: 0 }))
  })
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** It refuses to run as root. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (userInfo().uid !== 0) return undefined
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith('nobody:'))
  const [, , uid, gid] = (line ?? 'nobody:x:65534:65534').split(':')
  return { uid: Number(uid), gid: Number(gid) }
}
