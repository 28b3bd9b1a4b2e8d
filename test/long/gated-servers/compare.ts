import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type GateHouse, gateHouse } from '../../support/gate-house.ts'
import { type SurfaceStep, type SurfaceWalk, walkSurface } from '../../support/mcp-surface.ts'
import { PROGRAM } from '../../support/program.ts'
import type { NpmServer } from './servers.ts'

export type Era = SurfaceWalk['era']

/** What a server did without and with a gate, step by step. */
export type Comparison = {
  direct: SurfaceStep[]
  gated: SurfaceStep[]
  /** The steps that differ, as they were. */
  differing: string[]
  /** What a person was asked all the same, and allowed. */
  questions: string[]
}

/** Walks over a server twice: as it is, and behind a gate whose tools an owner has confirmed. */
export async function compareServer(
  server: NpmServer,
  { words, database, era }: { words: readonly string[]; database: string; era: Era },
): Promise<Comparison> {
  await using house = await gateHouse()
  const folder = join(house.home, 'work')
  const walk = (command: readonly string[], onTools?: SurfaceWalk['onTools']) => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    server.prepare?.(folder)
    return walkSurface({
      words: [...command, ...words, ...(server.args?.({ folder, database }) ?? [])],
      env: { ...house.env, ...server.env?.(folder) },
      ...{ cwd: folder, era, calls: server.calls(folder) },
      ...(onTools ? { onTools } : {}),
    })
  }
  const direct = await walk([])
  const gate = [...PROGRAM, 'gate', server.name, '--']
  using person = allowAll(house)
  const gated = await walk(gate, (names) => house.confirm(...names))
  return { direct, gated, differing: differing(direct, gated), questions: person.questions }
}

/** A person who allows what she is asked about. */
function allowAll(house: GateHouse): Disposable & { questions: string[] } {
  const questions: string[] = []
  const over = new AbortController()
  void (async () => {
    for (; !over.signal.aborted; await Bun.sleep(50)) {
      for (const question of await house.open()) {
        questions.push(question.detail.action ?? question.question)
        await house.answer(question, 'yes')
      }
    }
  })()
  return { questions, [Symbol.dispose]: () => over.abort() }
}

function differing(direct: readonly SurfaceStep[], gated: readonly SurfaceStep[]): string[] {
  const most = Math.max(direct.length, gated.length)
  return Array.from({ length: most }, (_, at) => [direct[at], gated[at]].map(withoutTimes)).flatMap(
    ([one, other], at) => (one === other ? [] : [`${direct[at]?.step}\n  ${one}\n  ${other}`]),
  )
}

const VARIES: readonly [RegExp, string | ((text: string) => string)][] = [
  [/"blob":"[^"]*"/g, (text) => withoutVaried(Buffer.from(text.slice(8, -1), 'base64').toString())],
  [/\d{1,2}:\d\d:\d\d [AP]M/g, '<time>'],
  [/\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d(\.|-)\d+Z/g, '<time>'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>'],
]

// The gate's own, to a client whose call it holds.
const OWN = /^\["notifications\/progress".*"Waiting for a person, /

function withoutTimes(step: SurfaceStep | undefined): string {
  const received = step?.received.filter((one) => !OWN.test(one))
  return withoutVaried(JSON.stringify({ ...step, received }))
}

function withoutVaried(text: string): string {
  return VARIES.reduce(
    (now, [pattern, word]) =>
      now.replaceAll(pattern, (part) => (typeof word === 'string' ? word : word(part))),
    text,
  )
}
