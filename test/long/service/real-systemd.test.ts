import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../support/free-port.ts'
import { PROGRAM } from '../../support/program.ts'

const SYSTEMD = '/lib/systemd/systemd'
// Where systemd keeps its groups: of both, where a machine has both.
const CGROUPS = ['/sys/fs/cgroup/systemd', '/sys/fs/cgroup/unified'].filter((path) =>
  existsSync(path),
)
const COMMAND = join(import.meta.dir, 'on-systemd.ts')
const USED = [process.execPath, COMMAND, ...PROGRAM]

// Only root may make namespaces; what is used must be visible below the empty folders.
const CAN =
  process.getuid?.() === 0 &&
  existsSync(SYSTEMD) &&
  CGROUPS.length > 0 &&
  Bun.which('unshare') !== null &&
  !USED.some((path) => /^\/(tmp|run)\//.test(path))

/**
 * Runs in namespaces of its own. Whatever a systemd may clean, mount or write is an empty file
 * system there, put in place before it starts: on the real ones it would empty /tmp.
 */
const SCRIPT = `set -e
for group in $CGROUPS; do echo $$ > "$group/cgroup.procs"; done
mount --make-rprivate /
for folder in /run /tmp /var/tmp /var/log /var/lib; do mount -t tmpfs tmpfs $folder; done
mkdir -p /run/systemd/system /run/user/0 /run/home
chmod 700 /run/user/0
export XDG_RUNTIME_DIR=/run/user/0 HOME=/run/home
${SYSTEMD} --user >/run/log 2>&1 &
for i in $(seq 1 100); do systemctl --user is-system-running >/dev/null 2>&1 && break; sleep 0.1; done
set +e
run() { name=$1; shift; "$BUN" --no-env-file "$COMMAND" "$@"; echo "== $name $?"; }
pid() { systemctl --user show beckon.service -p MainPID --value; }
run install install -- --port "$PORT"
run status status --json
run same install
first=$(pid)
[ "$first" -gt 1 ] && kill -9 "$first"
for i in $(seq 1 100); do [ "$(pid)" -gt 1 ] && [ "$(pid)" != "$first" ] && break; sleep 0.1; done
for i in $(seq 1 20); do "$BUN" --no-env-file "$COMMAND" status >/dev/null && break; sleep 0.5; done
run restarted status
run changed install -- --port "$PORT" --base-url https://beckon.example.com
run uninstall uninstall
run gone status --json
`

test.skipIf(!CAN)(
  'a real systemd of a user installs, restarts and removes the service',
  async () => {
    const groups = CGROUPS.map((path) => join(path, `beckon-test-${process.pid}`))
    for (const group of groups) mkdirSync(group)
    const inherited = Object.entries(process.env).filter(([name]) => !/^(BECKON_|XDG_)/.test(name))
    try {
      const child = Bun.spawn(
        ['unshare', '-m', '-p', '-f', '--mount-proc', '--kill-child=SIGKILL', 'bash', '-c', SCRIPT],
        {
          env: {
            ...Object.fromEntries(inherited),
            BUN: process.execPath,
            COMMAND,
            CGROUPS: groups.join(' '),
            PORT: String(freePort()),
          },
          stdin: 'ignore',
          stdout: 'pipe',
          stderr: 'pipe',
        },
      )
      const [out, err] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ])
      const ended = [...out.matchAll(/^== (\w+) (\d+)$/gm)].map(
        ([, name, code]) => `${name} ${code}`,
      )
      expect([ended, err]).toEqual([
        ['install 0', 'status 0', 'same 0', 'restarted 0', 'changed 0', 'uninstall 0', 'gone 1'],
        expect.stringContaining('beckon.service is as it should be'),
      ])
      const [status = '', gone = ''] = out.split('\n').filter((line) => line.startsWith('{'))
      expect(JSON.parse(status)).toMatchObject({ enabled: true, running: true, ready: true })
      expect(JSON.parse(status).since).toMatch(/^20\d\d-/)
      expect(JSON.parse(gone)).toEqual({ installed: false, manager: 'systemd' })
      expect(out).toContain('The data is kept in /run/home/.local/share/beckon')
    } finally {
      for (const group of groups) await removeCgroup(group)
    }
  },
  180_000,
)

/** Removed from below, once the processes in it are gone. */
async function removeCgroup(path: string): Promise<void> {
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) await removeCgroup(join(path, entry.name))
  for (let tries = 0; tries < 50; tries++) {
    try {
      rmdirSync(path)
      return
    } catch {
      await Bun.sleep(100)
    }
  }
}
