import { parseArgs } from 'node:util'
import { STORMS } from './all-storms.ts'
import { tooFewFiles, tooFewPorts } from './limits.ts'
import { type Amounts, FULL, SMALL } from './plan.ts'
import { runLoad } from './run.ts'
import { SLOW_SORTS } from './slow.ts'
import { FULL_STOP, runStop, SMALL_STOP } from './stop.ts'
import { FULL_STORMS, runStorms, SMALL_STORMS } from './storms.ts'
import { caveatsOf, seriesOf, stormTable, tableOf } from './table.ts'

const HELP = `bun run load [--small] [--AMOUNT N]… [--minutes M] [--binary PATH] [--json]
bun run load storms [--small] [--binary PATH] [--json]
bun run load stop [--small] [--held N] [--pages N] [--binary PATH] [--json]

Starts the server on an empty folder and puts load on it from another process: calls that wait,
pages that follow, bursts of asks, answers, notifications, Web Push. Compares at the end what was
acknowledged with what is there. Ends with 1 when something happened that no document speaks of.

storms: slow clients, thousands of connections in a moment, clients that vanish in the middle of a
wait and come back; somebody who behaves is served meanwhile, and nothing of them is left.
stop: SIGTERM in the middle of everything; calls are sent home, and the next start has them all.

--held N          calls that wait at once (${FULL.held})
--subscribers N   devices with Web Push (${FULL.subscribers})
--pages N         pages that follow what happens (${FULL.pages})
--burst N         asks of a burst (${FULL.burst})
--burst-every S   seconds from one burst to the next (${FULL.burstEvery})
--answers N       answers a second (${FULL.answers})
--everyone S      seconds between two notifications to all devices (${FULL.everyone})
--minutes M       for how long (${FULL.seconds / 60})
--small           all of it in a few seconds, as the tests do
--binary PATH     the executable, instead of the sources
--json            one JSON document instead of the table
`

const WRONG_MAX = 20
const say = (line: string) => console.error(line)
// A hundred thousand ids help nobody.
const NOT_SHOWN = { asked: undefined, answered: undefined, heard: undefined, cancelled: undefined }

process.exitCode = await main().catch(refused)

/** What was typed wrong is a sentence; anything else is a fault of this program. */
function refused(error: Error & { code?: string }): number {
  const mistyped = error instanceof RangeError || error.code?.startsWith('ERR_PARSE_ARGS')
  if (!mistyped) throw error
  say(`${error.message}\n\n${HELP}`)
  return 2
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...{ help: { type: 'boolean' }, small: { type: 'boolean' }, json: { type: 'boolean' } },
      ...{ held: { type: 'string' }, subscribers: { type: 'string' }, pages: { type: 'string' } },
      ...{ burst: { type: 'string' }, 'burst-every': { type: 'string' } },
      ...{ answers: { type: 'string' }, everyone: { type: 'string' }, minutes: { type: 'string' } },
      binary: { type: 'string' },
    },
  })
  if (values.help) {
    console.log(HELP)
    return 0
  }
  const [what = 'load', ...more] = positionals
  if (more.length > 0 || !['load', 'storms', 'stop'].includes(what)) {
    console.error(HELP)
    return 2
  }
  if (what === 'storms') return await storms(values)
  const amounts = amountsOf(values.small ? SMALL : FULL, values)
  if (what === 'stop') return await stop(values, amounts)
  const connections = amounts.held + amounts.pages
  const tooFew = tooFewFiles(connections) ?? tooFewPorts(connections)
  if (tooFew) {
    console.error(tooFew)
    return 2
  }
  const report = await runLoad(amounts, {
    program: values.binary ? [values.binary] : undefined,
    say,
  })
  const caveats = caveatsOf(report)
  if (values.json) {
    console.log(JSON.stringify({ ...report, told: { ...report.traffic, ...NOT_SHOWN }, caveats }))
  } else {
    const parts = [
      tableOf(report),
      seriesOf(report),
      ...caveats,
      ...report.wrong.slice(0, WRONG_MAX),
    ]
    console.log(parts.join('\n\n'))
  }
  return report.wrong.length > 0 || report.exitCode !== 0 ? 1 : 0
}

type Options = { small?: boolean; json?: boolean; binary?: string }

async function storms({ small, json, binary }: Options): Promise<number> {
  const sizes = small ? SMALL_STORMS : FULL_STORMS
  const tooFew = tooFewFiles(Math.max(sizes.held, sizes.connects, sizes.slow * SLOW_SORTS))
  if (tooFew) {
    console.error(tooFew)
    return 2
  }
  const rows = await runStorms(STORMS, sizes, { program: binary ? [binary] : undefined, say })
  console.log(json ? JSON.stringify(rows) : stormTable(rows))
  const wrong = rows.flatMap((row) => row.wrong)
  if (!json) for (const line of wrong.slice(0, WRONG_MAX)) console.log(line)
  return wrong.length > 0 ? 1 : 0
}

async function stop({ small, json, binary }: Options, { held, pages }: Amounts): Promise<number> {
  const usual = small ? SMALL_STOP : FULL_STOP
  const sizes = { ...usual, held: Math.round(held), pages: Math.round(pages) }
  const tooFew = tooFewFiles(held + pages + usual.slow * SLOW_SORTS)
  if (tooFew) {
    console.error(tooFew)
    return 2
  }
  const report = await runStop(sizes, { program: binary ? [binary] : undefined, say })
  const { sentHome, homeSeconds, seconds, memory, exitCode, foundAgain, answered, wrong } = report
  const line = [
    `${sentHome} of ${held} calls were sent home within ${homeSeconds.toFixed(1)} s`,
    `the server ended after ${seconds.toFixed(1)} s with ${exitCode}`,
    `the next one found ${foundAgain} again, of which ${answered} were answered`,
    `memory ${Math.round(memory.empty)} MiB before, ${Math.round(memory.full)} MiB with all of them`,
    `${wrong.length} wrong`,
  ].join('; ')
  console.log(json ? JSON.stringify(report) : [line, ...wrong.slice(0, WRONG_MAX)].join('\n'))
  return wrong.length > 0 ? 1 : 0
}

function amountsOf(usual: Amounts, flags: Record<string, string | boolean | undefined>): Amounts {
  const number = (name: string, otherwise: number) => {
    const flag = flags[name]
    if (flag === undefined) return otherwise
    const value = Number(flag)
    if (!(value > 0)) throw new RangeError(`--${name} must be a number above 0, not ${flag}`)
    return value
  }
  return {
    held: number('held', usual.held),
    subscribers: number('subscribers', usual.subscribers),
    pages: number('pages', usual.pages),
    burst: number('burst', usual.burst),
    burstEvery: number('burst-every', usual.burstEvery),
    answers: number('answers', usual.answers),
    everyone: number('everyone', usual.everyone),
    seconds: number('minutes', usual.seconds / 60) * 60,
  }
}
