import { EXIT } from '../../platform/command.ts'
import { WrongUsage } from '../../platform/failure.ts'
import {
  DESCRIPTION,
  FAILURES_MOST,
  FAILURES_WITHIN_SECONDS,
  isOneLine,
  OPEN_FILES,
  RESTART_SECONDS,
  type ServiceFacts,
  STOP_SECONDS,
  serviceWords,
} from './manager.ts'

/** Data folders of services with a dynamic user are below it. */
export const STATE_ROOT = '/var/lib/'

/** The systemd unit; the machine's runs as a user of its own and sees little of the machine. */
export function renderUnit(facts: ServiceFacts): string {
  const { place } = facts
  const isSystem = place.owner === 'system'
  const command = serviceWords(facts).map((word, at) =>
    quoteForSystemd(word, at === 0 ? 'program' : 'argument'),
  )
  return [
    isSystem ? SYSTEM_HEAD : USER_HEAD,
    START_LIMIT,
    '',
    '[Service]',
    `ExecStart=${command.join(' ')}`,
    '# Settings: BECKON_BASE_URL=https://beckon.example.com and so on; may be missing.',
    `EnvironmentFile=-${isSystem ? place.settingsFile : USER_SETTINGS}`,
    'Restart=on-failure',
    '# Settings that are wrong stay wrong.',
    `RestartPreventExitStatus=${EXIT.wrongUsage}`,
    `RestartSec=${RESTART_SECONDS}`,
    '# BECKON_DRAIN_SECONDS, and below 10 seconds in which what is on its way is finished or kept.',
    `TimeoutStopSec=${STOP_SECONDS}`,
    'KillSignal=SIGTERM',
    ...(isSystem ? [hardening(facts)] : ['UMask=0077']),
    `LimitNOFILE=${OPEN_FILES}`,
    '',
    '[Install]',
    `WantedBy=${isSystem ? 'multi-user.target' : 'default.target'}`,
    '',
  ].join('\n')
}

/** The command line in `ExecStart=`. */
export function commandOfUnit(text: string): string[] | undefined {
  const line = /^ExecStart=(.*)$/m.exec(text)?.[1]
  return line === undefined ? undefined : readSystemdWords(line)
}

// %E is ~/.config, or the value of XDG_CONFIG_HOME.
const USER_SETTINGS = '%E/beckon/beckon.env'

const SYSTEM_HEAD = `[Unit]
Description=${DESCRIPTION}
Documentation=file:///usr/share/doc/beckon
After=network-online.target
Wants=network-online.target`

const START_LIMIT = `StartLimitIntervalSec=${FAILURES_WITHIN_SECONDS}\nStartLimitBurst=${FAILURES_MOST}`

const USER_HEAD = `[Unit]
Description=${DESCRIPTION}`

/** Ports below 1024 need a capability, which has no effect inside a user namespace. */
function portRights(options: readonly string[]): { right: string; own: 'yes' | 'no' } {
  const isHttps = options.some((word) => word === '--domain' || word.startsWith('--domain='))
  return isHttps ? { right: 'CAP_NET_BIND_SERVICE', own: 'no' } : { right: '', own: 'yes' }
}

function hardening({ dataFolder, options }: ServiceFacts): string {
  const { right, own } = portRights(options)
  return `
# A user that exists while it runs; the data folder keeps belonging to it.
DynamicUser=yes
StateDirectory=${dataFolder.slice(STATE_ROOT.length)}
StateDirectoryMode=0700
WorkingDirectory=${dataFolder}
UMask=0077

ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateUsers=${own}
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
NoNewPrivileges=yes
CapabilityBoundingSet=${right}
AmbientCapabilities=${right}
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM
# The runtime compiles as it runs, so MemoryDenyWriteExecute has to stay off.`
}

/**
 * A word of `ExecStart=` (systemd.service(5), "Command lines"): `%` begins a specifier, `$` a
 * variable, `\` an escape. Throws `WrongUsage` for text of more than one line, and for what cannot
 * be a program.
 */
function quoteForSystemd(word: string, position: 'program' | 'argument'): string {
  if (!isOneLine(word)) {
    throw new WrongUsage(`${JSON.stringify(word)} has a line break or another control character.`)
  }
  if (position === 'program' && /["'\\]/.test(word)) {
    throw new WrongUsage(`systemd runs no program whose path has quotes or backslashes: ${word}`)
  }
  const plain = word.replaceAll('%', '%%')
  // The path of the program is used as it is; variables are only expanded after it.
  const escaped = position === 'program' ? plain : plain.replaceAll('$', '$$$$')
  if (/^[\w%$+:,./@=^~-]+$/.test(escaped)) return escaped
  return `"${escaped.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** The words of a command line of a unit; undefined if it is not one that we would write. */
function readSystemdWords(line: string): string[] | undefined {
  const words: string[] = []
  const word = /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s"'\\]+))(?=\s|$)/y
  while (word.lastIndex < line.trimEnd().length) {
    const match = word.exec(line)
    if (!match) return undefined
    const raw = match[1] ?? match[2] ?? match[3] ?? ''
    const text = raw.replace(/\\(["'\\])/g, '$1').replaceAll('%%', '%')
    words.push(words.length === 0 ? text : text.replaceAll('$$', '$'))
  }
  return words.length === 0 ? undefined : words
}
