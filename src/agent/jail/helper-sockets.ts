import { lstatSync, readdirSync } from 'node:fs'
import type { Environment } from '../../platform/config/env.ts'

/**
 * Sockets of programs outside that start programs for whoever connects. `*` stands for any part of a name,
 * `$UID` for the user's number. `docs/jail.md` has the same list; a test compares them.
 */
export const HELPER_SOCKETS = {
  agents: [
    '/tmp/codex-daemon-$UID/*',
    '/tmp/cc-daemon-$UID/*/*',
    '/tmp/cc-daemon-$UID/*/pty/*',
    '/tmp/cc-daemon-$UID/*/spare/*',
  ],
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
    '/run/buildkit/buildkitd.sock',
    '/run/libvirt/libvirt-sock',
    '/var/snap/lxd/common/lxd/unix.socket',
    '/var/lib/incus/unix.socket',
    '/run/user/$UID/docker.sock',
    '/run/user/$UID/podman/podman.sock',
    '~/.docker/run/docker.sock',
    '~/.docker/desktop/docker.sock',
    '~/.colima/*/docker.sock',
    '~/.lima/*/sock/docker.sock',
    '~/.rd/docker.sock',
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
    '/run/user/$UID/nvim.*',
    '$VSCODE_IPC_HOOK_CLI',
    '/run/user/$UID/vscode-ipc-*',
    '$KITTY_LISTEN_ON',
    '$WEZTERM_UNIX_SOCKET',
    '/run/user/$UID/wezterm/*',
    '$ALACRITTY_SOCKET',
    '/run/user/$UID/Alacritty-*',
    '/run/user/$UID/zellij/*/*',
    '/tmp/zellij-$UID/*/*',
  ],
  'window managers': ['$I3SOCK', '$SWAYSOCK', '/run/user/$UID/hypr/*/.socket.sock'],
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
  const [, folder, begin = '', end = '', rest = ''] =
    /^([^*]*)\/([^*/]*)\*([^*/]*)(.*)$/.exec(path) ?? []
  if (folder === undefined) return [path]
  return namesIn(folder)
    .filter((name) => name.startsWith(begin) && name.endsWith(end))
    .flatMap((name) => existing(`${folder}/${name}${rest}`))
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
