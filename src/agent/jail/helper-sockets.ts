import { lstatSync, readdirSync } from 'node:fs'
import type { Environment } from '../../platform/config/env.ts'

/**
 * Sockets of programs outside that start programs for whoever connects. `*` is any name, `$UID` the
 * user's number. `docs/jail.md` has the same list; a test compares them.
 */
export const HELPER_SOCKETS = {
  'D-Bus, systemd': [
    '$XDG_RUNTIME_DIR/bus',
    '$XDG_RUNTIME_DIR/systemd/*',
    '/run/user/$UID/bus',
    '/run/user/$UID/systemd/*',
    '/run/dbus/system_bus_socket',
    '/run/systemd/private',
    '$DBUS_SESSION_BUS_ADDRESS',
  ],
  containers: [
    '/run/docker.sock',
    '/run/containerd/containerd.sock',
    '/run/podman/podman.sock',
    '/run/crio/crio.sock',
    '/run/user/$UID/docker.sock',
    '/run/user/$UID/podman/podman.sock',
    '~/.docker/run/docker.sock',
    '~/.docker/desktop/docker.sock',
    '~/.colima/*/docker.sock',
    '$DOCKER_HOST',
    '$CONTAINER_HOST',
  ],
  'terminals, editors': [
    '/tmp/tmux-$UID/*',
    '$TMUX',
    '/run/screen/*/*',
    '/tmp/emacs$UID/*',
    '/run/user/$UID/emacs/*',
    '$NVIM',
    '$KITTY_LISTEN_ON',
  ],
} as const

/** Those that exist, once each. */
export function helperSockets(env: Environment): string[] {
  const sockets = new Set<string>()
  for (const path of Object.values(HELPER_SOCKETS).flat())
    for (const one of existing(socketPath(path, env))) if (isSocket(one)) sockets.add(one)
  return [...sockets]
}

/** Without variables; undefined if one is not set. */
function socketPath(path: string, env: Environment): string | undefined {
  const own = path.replace('$UID', String(process.getuid?.() ?? 0))
  if (own.startsWith('~')) return env.HOME && `${env.HOME}${own.slice(1)}`
  const [, variable, rest = ''] = /^\$(\w+)(.*)$/.exec(own) ?? []
  if (variable === undefined) return own
  // `unix:path=/run/bus,guid=1`, `unix:///run/docker.sock`, `/tmp/tmux-1/default,12,0`.
  const value = /^(?:unix:(?:path=|\/\/)?)?(\/[^,;]+)/.exec(env[variable] ?? '')?.[1]
  return value && `${value}${rest}`
}

function existing(path: string | undefined): string[] {
  if (path === undefined) return []
  const star = path.indexOf('/*')
  if (star < 0) return [path]
  const folder = path.slice(0, star)
  const rest = path.slice(star + 2)
  return namesIn(folder).flatMap((name) => existing(`${folder}/${name}${rest}`))
}

function namesIn(folder: string): string[] {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return []
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isSocket(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true
  } catch {
    return false
  }
}
