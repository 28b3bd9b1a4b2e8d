import { readFileSync } from 'node:fs'
import { win32 } from 'node:path'
import { readJsonObject } from '../../platform/json.ts'
import {
  DESCRIPTION,
  type Machine,
  type ServiceFacts,
  type ServiceManager,
  type ServicePlace,
  serveWordsIn,
  serviceWords,
  supervisorWords,
} from './manager.ts'
import { readWindowsCommandLine, windowsCommandLine } from './windows-quoting.ts'
import { escapeXml, unescapeXml } from './xml.ts'

const TASK = 'Beckon'

/** The Task Scheduler of Windows: a task that starts when the user logs on. */
export const windowsTask: ServiceManager = {
  title: 'Task Scheduler',
  platform: 'win32',
  owners: ['user'],
  place({ env, home }, owner) {
    const local = env.LOCALAPPDATA ?? win32.join(home, 'AppData', 'Local')
    const folder = win32.join(local, 'Beckon')
    return {
      owner,
      file: win32.join(folder, 'service.xml'),
      dataFolder: folder,
      logFile: win32.join(folder, 'beckon.log'),
    }
  },
  async obstacle(machine) {
    const { code } = await machine.run(['schtasks', '/Query', '/FO', 'LIST'])
    if (code === 0) return undefined
    return 'schtasks, which comes with Windows, cannot be run here: start "beckon serve" in another way, such as a shortcut in the folder that shell:startup opens.'
  },
  refusal,
  render: renderTask,
  mark: { line: 1, comment: (text) => `<!-- ${text} -->` },
  // schtasks requires the encoding that the XML declaration names.
  encode: (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  decode: (bytes) =>
    Buffer.from(bytes)
      .toString('utf16le')
      .replace(/^\ufeff/, ''),
  commandOf: commandOfTask,
  state,
  toStart(_machine, { file }, before, isNew) {
    const create = {
      words: ['schtasks', '/Create', '/TN', TASK, '/XML', file, '/F'],
      does: 'register the task',
      undo: `schtasks /Delete /TN ${TASK} /F`,
    }
    return [create, ...(before.isRunning && !isNew ? [] : [run('start the task')])]
  },
  // Starting also stops the running one: MultipleInstancesPolicy.
  toRestart: () => [run('restart the task')],
  toStop: () => [
    { words: ['schtasks', '/End', '/TN', TASK], does: 'stop the task', mayFail: true },
    { words: ['schtasks', '/Delete', '/TN', TASK, '/F'], does: 'remove the task' },
  ],
  toForget: () => [],
}

// The Task Scheduler replaces these by values and has no escape for them.
const REPLACED = /%[^%]+%|\$\(Arg\d/

function refusal(facts: ServiceFacts): string | undefined {
  const line = serviceWords(facts).join(' ')
  const placeholder = REPLACED.exec(line)?.[0]
  return (
    placeholder &&
    `The Task Scheduler would put a value in place of ${placeholder}: use a path without it.`
  )
}

function run(does: string) {
  return { words: ['schtasks', '/Run', '/TN', TASK], does }
}

/** The answers of schtasks are in the language of Windows, except XML. */
async function state(machine: Machine, place: ServicePlace) {
  const { code, out } = await machine.run(['schtasks', '/Query', '/TN', TASK, '/XML'])
  const isKnown = code === 0
  const runs = isKnown ? readRun(place) : undefined
  const settings = /<Settings>([\s\S]*)<\/Settings>/.exec(out)?.[1] ?? ''
  return {
    file: isKnown ? place.file : undefined,
    isEnabled: isKnown && !/<Enabled>false<\/Enabled>/.test(settings),
    isRunning: runs !== undefined,
    pid: runs?.pid,
    since: runs?.since,
  }
}

/** The file in which `beckon service run` records its server process. */
export function runFile(logFile: string): string {
  return `${logFile}.run`
}

function readRun({ logFile = '' }: ServicePlace): { pid: number; since: number } | undefined {
  try {
    const { pid, since } = readJsonObject(readFileSync(runFile(logFile), 'utf8')) ?? {}
    if (typeof pid !== 'number' || typeof since !== 'number') return undefined
    process.kill(pid, 0)
    return { pid, since }
  } catch {
    return undefined
  }
}

// Runs without a window, which somebody might close. That loses the exit code, so that only beckon
// service run knows when to restart the server.
const HOST = String.raw`%SystemRoot%\System32\conhost.exe`
const HEADLESS = '--headless '

/** The Windows task: starts at log-on, without limits of time, power or idleness. */
function renderTask(facts: ServiceFacts): string {
  const { user } = facts
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>${escapeXml(DESCRIPTION)}</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
      <UserId>${escapeXml(user)}</UserId>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${escapeXml(user)}</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>StopExisting</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <AllowHardTerminate>true</AllowHardTerminate>
    <StartWhenAvailable>true</StartWhenAvailable>
    <AllowStartOnDemand>true</AllowStartOnDemand>
    <Enabled>true</Enabled>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>7</Priority>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>255</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${HOST}</Command>
      <Arguments>${escapeXml(HEADLESS + windowsCommandLine(supervisorWords(facts)))}</Arguments>
    </Exec>
  </Actions>
</Task>
`
}

/** The command line of the task, as if it started `serve` itself. */
function commandOfTask(xml: string): string[] | undefined {
  const match = /<Arguments>([^<]*)<\/Arguments>/.exec(xml)?.[1]
  if (match === undefined) return undefined
  const line = unescapeXml(match)
  const words = readWindowsCommandLine(line.slice(line.startsWith(HEADLESS) ? HEADLESS.length : 0))
  return serveWordsIn(words)
}
