import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A test by its file and the beginning of its title, or why there is none. */
type Cell = readonly [file: string, title: string] | { none: string }

const stdio = (file: string) => (title: string) =>
  [`agent/gate/${file}.slow.test.ts`, title] as const
const [faults, large, hangs] = [stdio('faults'), stdio('large'), stdio('hangs')]
const [away, decided] = [stdio('away'), stdio('decided')]
const http = (title: string) => ['ask/gates/http/faults.test.ts', title] as const
const failing = (title: string) => ['ask/gates/http/failures.slow.test.ts', title] as const
const race = (title: string) => ['ask/gate-calls/races.test.ts', title] as const

const OWN_SERVER = { none: 'the gate is a part of Beckon’s server' }

/** What may happen to a call at a gate, and the test of it on each way. */
const ROWS: Record<string, readonly [stdio: Cell, http: Cell]> = {
  'a person says yes': [
    decided('a call that a person allows runs once'),
    ['ask/gates/http/calls.test.ts', 'a call over HTTP is asked about, and runs once after a yes'],
  ],
  'a person says no': [
    decided('a call that a person declines does not run'),
    ['ask/gates/http/calls.test.ts', 'a no over HTTP is a result that says so'],
  ],
  'nobody answers in the hold, and the yes is late': [
    decided('at the end of the hold the question stays'),
    failing('at the end of the hold the question stays'),
  ],
  'the client cancels': [
    faults('a call that the client cancels is withdrawn'),
    http('a client that cancels, or vanishes'),
  ],
  'the client cancels a call that runs': [
    faults('a call that is running is cancelled by the server'),
    failing('a server that never answers'),
  ],
  'the client vanishes': [
    faults('when the client %s, what is held is withdrawn'),
    http('a client that cancels, or vanishes'),
  ],
  'yes and cancel cross': [
    race('a cancel while the yes is used up'),
    race('a cancel after the call was passed on'),
  ],
  'the client repeats a call at once': [
    faults('the same call twice is one question'),
    http('the same call twice is one question'),
  ],
  'the client repeats a call after a cut': [
    faults('an answer of the server to a call that was cancelled'),
    failing('at the end of the hold the question stays'),
  ],
  'two calls at once': [
    faults('two different calls at once'),
    large('500 calls at once each have one answer'),
  ],
  'many equal calls at once': [
    hangs('500 equal calls at once'),
    failing('500 equal calls at once'),
  ],
  '500 different calls at once': [
    large('500 calls at once each have one answer'),
    { none: 'the client sends each as a request of its own, within the limits of its token' },
  ],
  'Beckon’s server is away': [away('without Beckon’s server only what rules decide'), OWN_SERVER],
  'Beckon’s server is restarted in a hold': [
    away('a call that is held goes on when Beckon’s server is killed'),
    failing('Beckon’s server is restarted in a hold'),
  ],
  'Beckon’s server is restarted between calls': [
    away('a call that is held goes on when Beckon’s server is killed'),
    ['ask/gates/http/restart.slow.test.ts', 'after a restart what an owner confirmed'],
  ],
  'the token is not accepted': [
    away('a token that is not accepted'),
    http('the gate of another workspace does not exist'),
  ],
  'the token is revoked in a hold': [
    away('a token that is not accepted'),
    failing('a token that is revoked in a hold'),
  ],
  'no device': [
    away('without a device that can be reached'),
    { none: 'decided at the same place, checkGateCall' },
  ],
  'the server ends while a call is held': [
    faults('a server that ends while a call is held'),
    http('a server that is gone when the yes comes'),
  ],
  'the server ends during a call': [
    faults('a server that ends during a call'),
    http('a stream of the server that ends without an answer'),
  ],
  'the server ends again and again': [
    faults('a server that ends again and again'),
    { none: 'a gate over HTTP starts no server' },
  ],
  'the server hangs': [
    hangs('a server that lists nothing and answers a call never'),
    failing('a server that never answers'),
  ],
  'the server floods': [
    hangs('a server that floods its client'),
    failing('a server that floods a call with events'),
  ],
  'the server wants a sign-in': [
    { none: 'a command signs in by itself' },
    http('a server that wants a sign-in'),
  ],
  'the server asks its client while a call is held': [
    faults('what the server asks its client passes'),
    { none: 'the messages of the server pass as they come (transparent.test.ts)' },
  ],
  'the gate is killed': [faults('held'), OWN_SERVER],
  'a tool that is not in the list': [
    faults('a tool that is not in the list'),
    hangs('a server that lists nothing'),
  ],
  'a tool that changes between list and call': [
    faults('a tool that changes between list and call'),
    http('a tool that changed asks again'),
  ],
  'a batch': [
    large('calls of a batch are decided one by one'),
    http('what a gate cannot read does not reach its server'),
  ],
  'a message that can be read in two ways': [
    large('a call with a member twice'),
    http('what a gate cannot read does not reach its server'),
  ],
  'a protocol version that nobody knows': [
    hangs('a protocol version that nobody knows'),
    failing('a protocol version that nobody knows'),
  ],
  'a call that is to become a task': [
    hangs('a call that is to become a task'),
    { none: 'the body passes as it came (transparent.test.ts)' },
  ],
  'arguments of 10 MB and results of 16 MB': [
    large('arguments of 10 MB are shown in part'),
    http('arguments of 10 MB and results of 16 MB pass'),
  ],
}

const cells = Object.entries(ROWS).flatMap(([row, [one, other]]) => [
  [`${row}, over stdio`, one] as const,
  [`${row}, over HTTP`, other] as const,
])

test.each(cells)('there is a test of: %s', (_, cell) => {
  if ('none' in cell) return expect(cell.none).not.toBe('')
  const [file, title] = cell
  const text = readFileSync(join(import.meta.dir, '../..', file), 'utf8')
  expect(text.includes(`'${title}`) || text.includes(`\`${title}`)).toBe(true)
})
