import { VERSION } from '../../platform/config/version.ts'
import { readJsonObject } from '../../platform/json-object.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import { type Check, failed, passed, warned } from './check.ts'
import { probe } from './probe.ts'
import type { Sight } from './reflection.ts'

const NAME = 'Server'
const NOT_STARTED =
  'Start it with beckon serve; if it listens elsewhere, say so with --port or BECKON_PORT.'
const ELSEWHERE =
  'A server runs with this data folder, but listens elsewhere: say where with --port or BECKON_PORT. A second one cannot use the folder.'

/** Whether the server of this data folder answers at `origin`; `served` when one has the folder. */
export function serverCheck(origin: string, sight: Sight, served: boolean): Check {
  switch (sight.kind) {
    case 'ours':
      return versionCheck(origin, sight.reflection.version)
    case 'beckon':
      return failed(
        'server',
        NAME,
        `A Beckon server answers at ${origin}, but not the one of this data folder.`,
        'Name the data folder of that server with --data, or its port with --port.',
      )
    case 'unproved':
      return warned(
        'server',
        NAME,
        `A Beckon server answers at ${origin}; whether it is that of this folder cannot be told.`,
        'Cure the storage first.',
      )
    case 'nobody':
      return failed(
        'server',
        NAME,
        `Nothing answers at ${origin}: ${sight.why}.`,
        served ? ELSEWHERE : NOT_STARTED,
      )
    default:
      return failed(
        'server',
        NAME,
        `Another program answers at ${origin}.`,
        'Stop that program, or give Beckon another port with --port or BECKON_PORT.',
      )
  }
}

function versionCheck(origin: string, running: unknown): Check {
  const version = cutText(cleanLine(String(running)), 40)
  if (version === VERSION) return passed('server', NAME, `Beckon ${VERSION} answers at ${origin}.`)
  const said = `Version ${version} answers at ${origin}; this program is ${VERSION}.`
  return warned('server', NAME, said, 'Restart the server, so that both are the same.')
}

/** Whether the server can serve: its database answers and takes writes. */
export async function readyCheck(origin: string): Promise<Check> {
  const ready = await probe(`${origin}/readyz`)
  if (ready.answered && readJsonObject(ready.text)?.status === 'ready') {
    return passed('server', 'Readiness', 'The server reads and writes its database.')
  }
  const status = ready.answered ? `it answers ${ready.status}${reasonIn(ready.text)}` : ready.why
  const cure =
    'The log of the server says why; a full disk needs space, and a restart opens the database anew.'
  return failed('server', 'Readiness', `The server is not ready: ${status}.`, cure)
}

/** What the server says of it. */
function reasonIn(text: string): string {
  const { detail } = readJsonObject(text) ?? {}
  return typeof detail === 'string' ? ` (${cutText(cleanLine(detail), 200)})` : ''
}
