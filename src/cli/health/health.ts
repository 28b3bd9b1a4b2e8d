import { localOrigin } from '../../ask/health/examine.ts'
import { aliveCheck, readyCheck } from '../../ask/health/server-checks.ts'
import { EXIT } from '../../platform/command.ts'
import { withServerAddress } from '../../platform/db/server-address.ts'
import { DATA_OPTION, readArguments } from '../../platform/terminal/arguments.ts'
import { note, say } from '../../platform/terminal/terminal.ts'
import { readConfig } from '../../settings.ts'

/**
 * `beckon health`: asks the server of this machine once, for health checks of containers. Opens no
 * data, and ends within 5 s. Resolves to 1 if the server does not answer as it should.
 */
export async function health(args: string[]): Promise<number> {
  const { json, ready, ...flags } = readArguments(args, {
    ...DATA_OPTION,
    host: { type: 'string' },
    port: { type: 'string' },
    ready: { type: 'boolean' },
    json: { type: 'boolean' },
  })
  const url = localOrigin(withServerAddress(readConfig(flags), flags))
  const { state, said: sentence, cure } = await (ready ? readyCheck(url) : aliveCheck(url))
  const isHealthy = state === 'ok'
  if (json) say(JSON.stringify({ healthy: isHealthy, url, said: sentence }))
  else if (isHealthy) say(sentence)
  else note(cure === undefined ? sentence : `${sentence} ${cure}`)
  return isHealthy ? EXIT.done : EXIT.failed
}
