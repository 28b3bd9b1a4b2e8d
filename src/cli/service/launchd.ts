import { join } from 'node:path'
import {
  type Machine,
  OPEN_FILES,
  type ServiceFacts,
  type ServiceManager,
  type ServicePlace,
  STOP_SECONDS,
  serveWordsIn,
  supervisorWords,
} from './manager.ts'
import { escapeXml, unescapeXml } from './xml.ts'

/** The name of the service in launchd. */
const LABEL = 'beckon.serve'
// A service that was just removed may still be stopping.
const LOAD_TRIES = 10

/** launchd of macOS: an agent of the user who is signed in. */
export const launchd: ServiceManager = {
  title: 'launchd',
  platform: 'darwin',
  owners: ['user'],
  place({ home }, owner) {
    return {
      owner,
      file: join(home, 'Library/LaunchAgents', `${LABEL}.plist`),
      dataFolder: join(home, 'Library/Application Support/Beckon'),
      logFile: join(home, 'Library/Logs/Beckon/beckon.log'),
    }
  },
  async obstacle(machine) {
    const { code } = await machine.run(['launchctl', 'print', domain(machine)])
    if (code === 0) return undefined
    return `launchd has no session of ${machine.user}: sign in at the screen of this Mac, and run the command again there.`
  },
  render: renderPlist,
  // The document type must not be indented.
  mark: { line: 2, comment: (text) => `<!-- ${text} -->` },
  commandOf: commandOfPlist,
  state,
  toStart(machine, place, before, isNew) {
    const isLoaded = before.file !== undefined
    if (isLoaded && before.isRunning && !isNew) return []
    const enable = {
      words: ['launchctl', 'enable', target(machine)],
      does: 'enable the agent',
    }
    return [...(isLoaded ? [unload(machine)] : []), enable, load(machine, place)]
  },
  toRestart: (machine) => [
    { words: ['launchctl', 'kickstart', '-k', target(machine)], does: 'restart the agent' },
  ],
  toStop: (machine) => [unload(machine)],
  toForget: () => [],
}

function domain({ uid = 0 }: Machine): string {
  return `gui/${uid}`
}

function target(machine: Machine): string {
  return `${domain(machine)}/${LABEL}`
}

function load(machine: Machine, { file }: ServicePlace) {
  return {
    words: ['launchctl', 'bootstrap', domain(machine), file],
    does: 'load and start the agent',
    undo: `launchctl bootout ${target(machine)}`,
    tries: LOAD_TRIES,
  }
}

function unload(machine: Machine) {
  return {
    words: ['launchctl', 'bootout', target(machine)],
    does: 'stop and unload the agent',
    mayFail: true,
  } as const
}

async function state(machine: Machine, { file }: ServicePlace) {
  const printed = await machine.run(['launchctl', 'print', target(machine)])
  const isLoaded = printed.code === 0
  const pid = isLoaded ? Number(/^\s*pid = (\d+)$/m.exec(printed.out)?.[1]) || undefined : undefined
  const { out } = await machine.run(['launchctl', 'print-disabled', domain(machine)])
  const isDisabled = new RegExp(`"${LABEL}" => (disabled|true)`).test(out)
  return {
    file: isLoaded ? (/^\s*path = (.+)$/m.exec(printed.out)?.[1] ?? file) : undefined,
    isEnabled: isLoaded && !isDisabled,
    isRunning: pid !== undefined,
    pid,
    since: pid === undefined ? undefined : await startOf(machine, pid),
  }
}

/**
 * The start time, from how long the process runs as ps prints it: `[[days-]hours:]minutes:seconds`.
 */
async function startOf(machine: Machine, pid: number): Promise<number | undefined> {
  const { out } = await machine.run(['ps', '-o', 'etime=', '-p', String(pid)])
  const match = /^(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)$/.exec(out.trim())
  if (!match) return undefined
  const [days, hours, minutes, seconds] = match.slice(1).map((one) => Number(one ?? 0))
  const ran = (((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)
  return Date.now() - ran * 1_000
}

/**
 * The property list of launchd (launchd.plist(5)), which starts again whatever fails: beckon service
 * run succeeds where another start is of no use.
 */
function renderPlist(facts: ServiceFacts): string {
  const { logFile = '' } = facts.place
  const words = supervisorWords(facts).map((word) => `    ${text(word)}`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  ${text(LABEL)}
  <key>ProgramArguments</key>
  <array>
${words.join('\n')}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ExitTimeOut</key>
  <integer>${STOP_SECONDS}</integer>
  <key>SoftResourceLimits</key>
  <dict>
    <key>NumberOfFiles</key>
    <integer>${OPEN_FILES}</integer>
  </dict>
  <key>Umask</key>
  <integer>${0o077}</integer>
  <key>StandardOutPath</key>
  ${text(logFile)}
  <key>StandardErrorPath</key>
  ${text(logFile)}
</dict>
</plist>
`
}

/** The words in `ProgramArguments`. */
function commandOfPlist(plist: string): string[] | undefined {
  const array = /<key>ProgramArguments<\/key>\s*<array>([\s\S]*?)<\/array>/.exec(plist)?.[1]
  const matches = [...(array ?? '').matchAll(/<string>([^<]*)<\/string>/g)]
  const words = matches.map(([, one = '']) => unescapeXml(one))
  // Earlier versions had the server itself.
  return serveWordsIn(words) ?? (words.length === 0 ? undefined : words)
}

function text(value: string): string {
  return `<string>${escapeXml(value)}</string>`
}
