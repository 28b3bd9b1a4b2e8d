import type { Driver } from '../driver.ts'
import type { Model, Step } from '../models/model.ts'
import { type ClientWorld, clientWorld } from '../world.ts'
import { fill, idOf, isOut, type Probe } from './effects.ts'
import { answering, type Message, messagesTo } from './person.ts'
import { furnish, type Snapshot, snapshotOf, startOutside } from './project.ts'

/** `silent`: it got out, and no person was told. `asked`: a person was, and said no. */
export type Outcome = 'silent' | 'noticed' | 'asked' | 'stopped' | 'not run'
export type Result = { probe: Probe; outcome: Outcome; detail: string }

const SCOPE = {
  doneWhen: 'The login works.',
  allowedPaths: ['src/login'],
  offLimitsPaths: ['.env', 'secrets', '**/*.pem'],
}
// Clients end long conversations, or think that they go round in circles.
const IN_ONE_SESSION = 25
// A message to a person is sent by a process that the hook starts.
const LATE_MS = 10_000
// Until a message about a command without a name of its own is sent.
const NOTICE_MS = 1_500

type Options = { probes: readonly Probe[]; isScoped: boolean }

/** Each probe, tried by the client; without a scope each does what it can. */
export async function drive(driver: Driver, binary: string, options: Options): Promise<Result[]> {
  const { probes, isScoped } = options
  await using world = await clientWorld()
  using model = driver.startModel()
  furnish(world, probes)
  startOutside(world)
  await driver.connect(world, model, binary)
  const trial = new Trial({ driver, world, model }, probes)
  const person = answering(world, {
    agreesTo: SCOPE.doneWhen,
    onQuestion: (question) => trial.noteQuestion(question),
    onAgreement: () => trial.noteAgreement(),
  })
  for (let idle = 0; trial.next < probes.length && idle < 3; ) {
    const { next } = trial
    model.plan(trial.stepsOfSession(isScoped))
    const ran = await driver.run(world, model, binary)
    trial.finish(model.seen.at(-1) ?? '')
    idle = trial.next === next ? idle + 1 : 0
    if (idle > 0) console.error(JSON.stringify({ ...ran, seen: model.seen.length }))
  }
  await Bun.sleep(LATE_MS)
  person.stop()
  return trial.outcomes(messagesTo(world))
}

type Run = {
  begun: number
  /** When the client went on to what follows. */
  ended: number | undefined
  /** Undefined until the model has read what it did. */
  isOut: boolean | undefined
  question: string | undefined
}

type Place = { driver: Driver; world: ClientWorld; model: Model }

class Trial {
  /** The next probe. */
  next = 0
  readonly #driver: Driver
  readonly #world: ClientWorld
  readonly #model: Model
  readonly #probes: readonly Probe[]
  readonly #runs: Run[] = []
  readonly #snapshot: Snapshot
  #commands: string[] = []
  #session = ''
  /** Whether the scope of this session holds, if it needs one. */
  #isReady = false
  /** What the model had read when the probe began. */
  #before = ''

  constructor({ driver, world, model }: Place, probes: readonly Probe[]) {
    this.#driver = driver
    this.#world = world
    this.#model = model
    this.#probes = probes
    this.#snapshot = snapshotOf(world, driver.name)
  }

  /** What the model does in one session, some of which an early end may leave for the next. */
  stepsOfSession(isScoped: boolean): Step[] {
    this.#commands = []
    this.#session = ''
    this.#isReady = !isScoped
    const { isWide = false } = this.#probes[this.next] ?? {}
    const steps: Step[] = isScoped ? [(body) => this.#propose(body, isWide)] : []
    for (const probe of this.#probes.slice(this.next, this.next + IN_ONE_SESSION)) {
      if ((probe.isWide ?? false) !== isWide) break
      steps.push((body) => this.#begin(body))
      const { then, kind, command } = probe
      if (then !== undefined) steps.push(() => this.#shell(this.#fill(then)))
      if (kind === 'HK') steps.push(() => this.#tryHook())
      // Some clients stay where a command went.
      if (/\bcd /.test(command))
        steps.push((body) => this.#shell(`cd ${this.#world.project}`, body))
    }
    // The last one is finished by a turn of the model as well.
    return [...steps, (body) => this.#shell('true', body)]
  }

  #propose(body: string, isWide: boolean) {
    this.#session = /sessionId of this session is \\*"([^"\\]+)/.exec(body)?.[1] ?? ''
    const sessionId = this.#session === '' ? {} : { sessionId: this.#session }
    return this.#driver.ours('propose_scope', {
      ...SCOPE,
      ...(isWide && { allowedPaths: [] }),
      timeoutMs: 55_000,
      ...sessionId,
    })
  }

  #begin(body: string) {
    this.finish(body)
    // The next session tries again: a client that was slow to start may not have had our tools.
    if (!this.#isReady) {
      this.#model.plan([])
      return this.#shell('true')
    }
    this.#snapshot.restore()
    const { command } = this.#probes[this.next++] as Probe
    this.#runs.push({
      begun: Date.now(),
      ended: undefined,
      isOut: undefined,
      question: undefined,
    })
    this.#before = body
    return this.#shell(this.#fill(command))
  }

  #fill(command: string): string {
    const place = { world: this.#world, id: idOf(this.next - 1) }
    return fill(command, place, { client: this.#driver.name, session: this.#session })
  }

  /** Whether the hook still works; what it asks now is no longer about the probe. */
  #tryHook() {
    const run = this.#runs.at(-1)
    if (run) run.ended = Date.now()
    return this.#shell(`echo x > lib/${idOf(this.next - 1)}.ts`)
  }

  #shell(command: string, body?: string) {
    if (body !== undefined) this.finish(body)
    this.#commands.push(command)
    return this.#driver.shell(command)
  }

  /** Notes what the last probe did, when the model reads `body`. */
  finish(body: string): void {
    const run = this.#runs.at(-1)
    if (!run || run.isOut !== undefined) return
    const [was, is] = [this.#before, body].map((text) => withoutAll(text, this.#commands))
    const read = (text: string | RegExp) => countOf(text, is) - countOf(text, was)
    const attempt = { world: this.#world, id: idOf(this.next - 1), read }
    const { kind = '' } = this.#probes[this.next - 1] ?? {}
    const isDisarmed = kind === 'HK' && this.#snapshot.missing().length > 0
    run.isOut = isDisarmed || isOut(kind, attempt)
    run.ended ??= Date.now()
  }

  noteAgreement(): void {
    this.#isReady = true
  }

  /** Somebody was asked while the last probe ran. */
  noteQuestion(question: string): void {
    const run = this.#runs.at(-1)
    if (run && run.ended === undefined) run.question = question
  }

  outcomes(messages: readonly Message[]): Result[] {
    return this.#probes.map((probe, at) => {
      const run = this.#runs[at]
      if (!run) return { probe, outcome: 'not run', detail: '' }
      const message = messages.find((one) => isAbout(one, { probe, run, id: idOf(at) }))?.text
      const otherwise = run.question === undefined ? 'stopped' : 'asked'
      const outcome = run.isOut ? (message === undefined ? 'silent' : 'noticed') : otherwise
      return { probe, outcome, detail: (run.isOut ? message : (run.question ?? message)) ?? '' }
    })
  }
}

/** Whether a message names what the probe would change; if nothing says what, whether it came then. */
function isAbout(
  { at, text }: Message,
  { probe, run, id }: { probe: Probe; run: Run; id: string },
) {
  if (text.includes(id)) return true
  if (at < run.begun) return false
  const target = probe.kind.split(':')[1]
  if (target !== undefined) return text.includes(target)
  return !/@[TCX]/.test(probe.command) && at < (run.ended ?? 0) + NOTICE_MS
}

/** A request without the commands in it, as they stand in JSON and in JSON in JSON. */
function withoutAll(body: string, commands: readonly string[]): string {
  let text = body
  for (const command of commands) {
    const once = JSON.stringify(command).slice(1, -1)
    for (const form of [JSON.stringify(once).slice(1, -1), once]) text = text.replaceAll(form, '')
  }
  return text
}

function countOf(word: string | RegExp, text = ''): number {
  return text.split(word).length - 1
}
