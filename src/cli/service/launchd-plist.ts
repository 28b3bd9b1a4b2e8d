import {
  OPEN_FILES,
  RESTART_SECONDS,
  type ServiceFacts,
  STOP_SECONDS,
  serviceWords,
} from './manager.ts'
import { escapeXml, unescapeXml } from './xml.ts'

/** The name of the service in launchd. */
export const LABEL = 'beckon.serve'

/** The property list of launchd (launchd.plist(5)). */
export function renderPlist(facts: ServiceFacts): string {
  const { logFile = '' } = facts.place
  const words = serviceWords(facts).map((word) => `    ${text(word)}`)
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
  <key>ThrottleInterval</key>
  <integer>${RESTART_SECONDS}</integer>
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
export function commandOfPlist(plist: string): string[] | undefined {
  const array = /<key>ProgramArguments<\/key>\s*<array>([\s\S]*?)<\/array>/.exec(plist)?.[1]
  const found = [...(array ?? '').matchAll(/<string>([^<]*)<\/string>/g)]
  return found.length === 0 ? undefined : found.map(([, one = '']) => unescapeXml(one))
}

function text(value: string): string {
  return `<string>${escapeXml(value)}</string>`
}
