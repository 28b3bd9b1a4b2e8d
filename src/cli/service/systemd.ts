import { isAbsolute, join } from 'node:path'
import type {
  Machine,
  ServiceFacts,
  ServiceManager,
  ServiceOwner,
  ServicePlace,
} from './manager.ts'
import { SERVICE_NAME } from './manager.ts'
import { commandOfUnit, renderUnit, STATE_ROOT } from './systemd-unit.ts'

const UNIT = `${SERVICE_NAME}.service`

/** systemd: a unit of the user, or of the machine. */
export const systemd: ServiceManager = {
  title: 'systemd',
  platform: 'linux',
  owners: ['user', 'system'],
  place,
  obstacle,
  refusal,
  render: renderUnit,
  mark: { line: 0, comment: (text) => `# ${text}` },
  commandOf: commandOfUnit,
  async state(machine, { owner }) {
    const result = await machine.run(systemctl(owner, 'show', UNIT, '-p', PROPERTIES), {
      TZ: 'UTC',
      LC_ALL: 'C',
    })
    return readState(result.out)
  },
  toStart(_machine, { owner }, before, isNew) {
    const change = [
      { words: systemctl(owner, 'daemon-reload'), does: 'make systemd read the unit' },
      forgetFailures(owner),
      {
        words: systemctl(owner, 'enable', '--now', UNIT),
        does: 'enable and start the unit',
        undo: systemctl(owner, 'disable', '--now', UNIT).join(' '),
      },
    ]
    return before.isRunning && isNew ? [...change, restart(owner)] : change
  },
  toRestart: (_machine, { owner }) => [forgetFailures(owner), restart(owner)],
  toStop: (_machine, { owner }) => [
    {
      words: systemctl(owner, 'disable', '--now', UNIT),
      does: 'stop and disable the unit',
      undo: systemctl(owner, 'enable', '--now', UNIT).join(' '),
    },
  ],
  toForget: (_machine, { owner }) => [
    { words: systemctl(owner, 'daemon-reload'), does: 'make systemd forget the unit' },
    forgetFailures(owner),
  ],
  logWords: ({ owner }, { lines, follow }) => [
    'journalctl',
    ...(owner === 'user' ? ['--user'] : []),
    '-u',
    UNIT,
    '-n',
    String(lines),
    '--no-pager',
    ...(follow ? ['-f'] : []),
  ],
  staysUp,
}

function systemctl(owner: ServiceOwner, ...words: string[]): string[] {
  return ['systemctl', ...(owner === 'user' ? ['--user'] : []), ...words]
}

function restart(owner: ServiceOwner) {
  return { words: systemctl(owner, 'restart', UNIT), does: 'restart the unit' }
}

/** A unit that failed too often is not started before. */
function forgetFailures(owner: ServiceOwner) {
  return {
    words: systemctl(owner, 'reset-failed', UNIT),
    does: 'forget its failures',
    mayFail: true,
  } as const
}

function place({ env, home }: Machine, owner: ServiceOwner): ServicePlace {
  if (owner === 'system') {
    return {
      owner,
      file: `/etc/systemd/system/${UNIT}`,
      dataFolder: '/var/lib/beckon',
      settingsFile: '/etc/beckon/beckon.env',
    }
  }
  const config = folderOf(env.XDG_CONFIG_HOME, join(home, '.config'))
  return {
    owner,
    file: join(config, 'systemd/user', UNIT),
    dataFolder: join(folderOf(env.XDG_DATA_HOME, join(home, '.local/share')), 'beckon'),
    settingsFile: join(config, 'beckon/beckon.env'),
  }
}

// The XDG specification ignores relative paths.
function folderOf(folder: string | undefined, usual: string): string {
  return folder && isAbsolute(folder) ? folder : usual
}

async function obstacle(machine: Machine, owner: ServiceOwner): Promise<string | undefined> {
  const { code, out, err } = await machine.run(systemctl(owner, 'is-system-running'))
  const state = out.trim()
  if (code === undefined || state === 'offline') {
    return 'This machine does not run systemd: let what starts other programs here run "beckon serve", or use a container (beckon docs operations).'
  }
  if (state !== '' && state !== 'unknown') return undefined
  const why = err.trim().split('\n')[0]
  return owner === 'user'
    ? `systemd of user ${machine.user} cannot be reached (${why}): sign in as this user instead of using su or sudo, or install for the whole machine with sudo beckon service install --system.`
    : `systemd cannot be reached (${why}).`
}

// Folders that the machine's service cannot see: ProtectHome, PrivateTmp.
const HIDDEN = /^\/(home|root|run\/user|tmp|var\/tmp)\//
// The characters that StateDirectory= accepts without quotes.
const STATE_NAME = /^(?!.*(^|\/)\.{1,2}(\/|$))[\w.-]+(\/[\w.-]+)*$/

function refusal({ place: { owner }, program, dataFolder }: ServiceFacts): string | undefined {
  if (owner === 'user') return undefined
  const name = dataFolder.startsWith(STATE_ROOT) && dataFolder.slice(STATE_ROOT.length)
  if (!name || !STATE_NAME.test(name) || name.startsWith('private')) {
    return `The data folder of a service of the whole machine is below ${STATE_ROOT}, because it runs as a user of its own; ${dataFolder} is not. Copy the data with beckon backup and beckon restore, or install for your user alone.`
  }
  const hidden = program.find((word) => HIDDEN.test(word))
  if (hidden === undefined) return undefined
  return `A service of the whole machine cannot see ${hidden}: install beckon in /usr/local/bin and run that.`
}

const PROPERTIES =
  'LoadState,FragmentPath,UnitFileState,ActiveState,SubState,MainPID,ExecMainStartTimestamp'

function readState(out: string) {
  const properties = new Map(
    out.split('\n').map((line) => {
      const [name = '', ...value] = line.split('=')
      return [name, value.join('=')]
    }),
  )
  const isRunning =
    properties.get('ActiveState') === 'active' && properties.get('SubState') === 'running'
  const started = /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC/.exec(
    properties.get('ExecMainStartTimestamp') ?? '',
  )
  return {
    file: properties.get('FragmentPath') || undefined,
    isEnabled: properties.get('UnitFileState') === 'enabled',
    isRunning,
    pid: isRunning ? Number(properties.get('MainPID')) || undefined : undefined,
    since: isRunning && started ? Date.parse(`${started[1]}T${started[2]}Z`) : undefined,
  }
}

async function staysUp(machine: Machine, owner: ServiceOwner): Promise<string | undefined> {
  if (owner === 'system') return undefined
  const words = ['loginctl', 'show-user', machine.user, '-p', 'Linger', '--value']
  if ((await machine.run(words)).out.trim() === 'yes') return undefined
  return `It stops when ${machine.user} logs out; loginctl enable-linger ${machine.user} lets it go on.`
}
