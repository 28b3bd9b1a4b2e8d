import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openLinux } from '../../../src/agent/jail/linux.ts'
import { jailWorld, whyNot } from './jail-world.ts'

const why = whyNot()
const hasScopes = (openLinux()?.version ?? 0) >= 6

const mounts = Bun.spawnSync(['unshare', '--mount', '--map-root-user', 'true']).success
const world = jailWorld()
const outside = Bun.spawn(['setsid', 'sleep', '3600'])
afterAll(() => {
  outside.kill('SIGKILL')
  world[Symbol.dispose]()
})

const WAYS: Readonly<Record<string, string[]>> = {
  'with namespaces': [],
  'with Landlock alone': ['--no-namespaces'],
}

describe.skipIf(why !== undefined)(`processes outside${why ? ` (skipped: ${why})` : ''}`, () => {
  test.skipIf(!mounts)(
    `helpers are not reached by their sockets${mounts ? '' : ' (skipped: no namespaces)'}`,
    async () => {
      const run = join(world.home, 'run')
      for (const name of ['systemd', 'podman']) mkdirSync(join(run, name), { recursive: true })
      const user = process.getuid?.()
      const name = `beckon-${process.pid}`
      // Codex and Claude Code leave programs running that start commands for whoever connects.
      const [codex, claude] = [`/tmp/codex-daemon-${user}`, `/tmp/cc-daemon-${user}/${name}`]
      for (const folder of [codex, join(claude, 'pty')]) mkdirSync(folder, { recursive: true })
      const paths = [
        ...['bus', 'systemd/private', 'd.sock', 'podman.sock', 'nvim'].map((one) => join(run, one)),
        ...[join(codex, name), join(claude, 'control.sock'), join(claude, 'pty/a.sock')],
      ]
      const listeners = paths.map((unix) => Bun.listen({ unix, socket: { data() {} } }))
      const env = {
        XDG_RUNTIME_DIR: run,
        DBUS_SESSION_BUS_ADDRESS: `unix:path=${run}/bus,guid=1`,
        DOCKER_HOST: `unix://${run}/d.sock`,
        CONTAINER_HOST: `unix://${run}/podman.sock`,
        NVIM: `${run}/nvim`,
      }
      const connect = `python3 -c "
import socket, sys
for path in sys.argv[1:]:
  try:
    socket.socket(socket.AF_UNIX).connect(path); print('connected', path)
  except OSError: pass
import os
os.chdir('${world.project}/src')
own = socket.socket(socket.AF_UNIX); own.bind('own'); own.listen()
socket.socket(socket.AF_UNIX).connect('own'); print('own')" ${paths.join(' ')}`
      try {
        const words = ['--write', 'src', '--', 'sh', '-c', connect]
        expect(await world.run(words, { env })).toMatchObject({ out: 'own\n', code: 0 })
        rmSync(join(world.project, 'src/own'))
        const open = Bun.spawnSync(['sh', '-c', connect])
        expect(open.stdout.toString().split('\n').length).toBe(paths.length + 2)
      } finally {
        for (const listener of listeners) listener.stop(true)
        for (const path of [join(world.project, 'src/own'), join(codex, name), claude])
          rmSync(path, { recursive: true, force: true })
      }
    },
  )

  for (const [way, options] of Object.entries(WAYS)) {
    test.skipIf(!hasScopes)(
      `${way} get no signal and no limits, and those inside do${hasScopes ? '' : ' (skipped: an older kernel)'}`,
      async () => {
        const { out } = await world.sh(
          `
          for signal in 0 STOP TERM KILL; do kill -$signal ${outside.pid} && echo signalled; done
          python3 -c "
import os, signal
try: signal.pidfd_send_signal(os.pidfd_open(${outside.pid}), signal.SIGTERM); print('by its descriptor')
except OSError: pass
try: os.kill(-os.getpgid(${outside.pid}), 0); print('by its group')
except OSError: pass
"
          prlimit --pid ${outside.pid} --nproc=1 && echo limited
          prlimit --pid ${outside.pid} --nofile > /dev/null && echo looked
          sleep 60 & kill -TERM $! && wait $!; echo $?
          (ulimit -Sn 100; ulimit -n)
          prlimit --nofile=99 sh -c 'ulimit -n'
          python3 -c "import threading; t = threading.Thread(target=print, args=('thread',)); t.start(); t.join()"`,
          options,
        )
        expect(out).toBe('looked\n143\n100\n99\nthread\n')
        expect([outside.exitCode, outside.signalCode]).toEqual([null, null])
      },
    )

    test.skipIf(!hasScopes)(`${way} are not reached by an abstract socket`, async () => {
      const name = `\0beckon-${process.pid}-${options.length}`
      const listener = Bun.listen({ unix: name, socket: { data() {} } })
      const connect = `python3 -c "
import socket
s = socket.socket(socket.AF_UNIX)
s.connect('\\0' + '${name.slice(1)}'); print('connected')"`
      try {
        expect((await world.sh(connect, options)).out).toBe('')
        const open = Bun.spawnSync(['sh', '-c', connect])
        expect(open.stdout.toString()).toBe('connected\n')
      } finally {
        listener.stop(true)
      }
    })

    test(`${way} a folder above something off limits or kept stays where it is`, async () => {
      const { project } = world
      mkdirSync(join(project, 'src/deep/er/kept'), { recursive: true })
      mkdirSync(join(project, 'src/x'), { recursive: true })
      writeFileSync(join(project, 'src/deep/er/kept/f'), 'kept\n')
      writeFileSync(join(project, 'src/deep/er/key.pem'), 'TOPSECRET\n')
      const more = ['--deny', 'src/deep/er/key.pem', '--keep', 'src/deep/er/kept', ...options]
      const { out } = await world.sh(
        `
        mv src/deep/er src/moved; mv src/deep src/moved
        python3 -c "import ctypes; c = ctypes.CDLL(None); print(c.renameat2(-100, b'src/deep', -100, b'src/x', 2))"`,
        more,
      )
      expect(out).toBe('-1\n')
      expect(readFileSync(join(project, 'src/deep/er/key.pem'), 'utf8')).toBe('TOPSECRET\n')
      // The next command is told the same paths.
      const next = await world.sh('cat $(find src -type f)', more)
      expect(next.out).not.toContain('TOPSECRET')
    })
  }
})
