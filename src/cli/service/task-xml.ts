import { DESCRIPTION, type ServiceFacts, serviceWords } from './manager.ts'
import { readWindowsCommandLine, windowsCommandLine } from './windows-quoting.ts'
import { escapeXml, unescapeXml } from './xml.ts'

// Runs without a window, which somebody might close. That loses the exit code, so beckon service
// run restarts the server.
const HOST = String.raw`%SystemRoot%\System32\conhost.exe`
const HEADLESS = '--headless '

/** The Windows task: starts at log-on, without limits of time, power or idleness. */
export function renderTask(facts: ServiceFacts): string {
  const { user, place, program } = facts
  const [, ...serve] = serviceWords(facts).slice(program.length)
  const words = [...program, 'service', 'run', '--log', place.logFile ?? '', '--', ...serve]
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
      <Arguments>${escapeXml(HEADLESS + windowsCommandLine(words))}</Arguments>
    </Exec>
  </Actions>
</Task>
`
}

/** The command line of the task, as if it started `serve` itself. */
export function commandOfTask(xml: string): string[] | undefined {
  const found = /<Arguments>([^<]*)<\/Arguments>/.exec(xml)?.[1]
  if (found === undefined) return undefined
  const line = unescapeXml(found)
  const words = readWindowsCommandLine(line.slice(line.startsWith(HEADLESS) ? HEADLESS.length : 0))
  const run = words.indexOf('service')
  const dashes = words.indexOf('--', run)
  if (run < 0 || dashes < 0 || words[run + 1] !== 'run') return undefined
  return [...words.slice(0, run), 'serve', ...words.slice(dashes + 1)]
}
