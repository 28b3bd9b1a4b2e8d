import { ask } from './client.ts'
import { askAbout, type EditingOptions, verdictOf } from './verdict.ts'

type Action = { name: string; args: unknown }

/** A request of `humanInTheLoopMiddleware`. */
type Request = {
  actionRequests: readonly Action[]
  reviewConfigs?: ReadonlyArray<{ actionName: string; allowedDecisions: readonly string[] }>
}

/** An interrupt of LangGraph. */
type Interrupt = { id?: string; value?: unknown }

type Decision =
  | { type: 'approve' }
  | { type: 'edit'; editedAction: { name: string; args: Record<string, unknown> } }
  | { type: 'reject'; message: string }

/**
 * Asks about every call that an agent with `humanInTheLoopMiddleware` waits for, and returns what to
 * resume it with: `new Command({ resume })`. Another process that has the checkpoints goes on with
 * the same questions. Where the middleware allows `edit`, a person may change the arguments that `edit`
 * of the tool names. Who says no may put something in place of the call: their own text as its
 * result, or, where `edit` is allowed, other arguments, which are asked about like a call
 * of their own. Throws `TypeError` for an interrupt of anything else.
 */
export async function decideInterrupts(
  interrupts: readonly Interrupt[] = [],
  options: EditingOptions & { instead?: boolean } = {},
): Promise<Record<string, { decisions: Decision[] }>> {
  const { instead = false, subject = 'langchain', ...more } = options
  const requests = interrupts.map(async ({ id, value }) => {
    const { actionRequests, reviewConfigs = [] } = (value ?? {}) as Partial<Request>
    if (!id || !Array.isArray(actionRequests)) {
      throw new TypeError('This interrupt is none of humanInTheLoopMiddleware.')
    }
    const decisions = (actionRequests as readonly Action[]).map((action, i) => {
      const config = reviewConfigs.find(({ actionName }) => actionName === action.name)
      const canEdit = config?.allowedDecisions.includes('edit') ?? false
      const call = { ...action, id: `${id}:${i}`, canEdit }
      return decide(call, { ...more, subject }, instead)
    })
    return { id, made: await Promise.all(decisions) }
  })
  // No permit is used up before all is decided.
  const decided = (await Promise.all(requests)).map(async ({ id, made: deciding }) => {
    const decisions = await Promise.all(deciding.map((one) => one()))
    return [id, { decisions }] as const
  })
  return Object.fromEntries(await Promise.all(decided))
}

type Call = Action & { id: string; canEdit: boolean }
type NamedAdapter = EditingOptions & { subject: string }
/** Makes the decision of the person, and uses up the permit that it needs. */
type Decided = () => Promise<Decision>

async function decide(call: Call, options: NamedAdapter, instead: boolean): Promise<Decided> {
  const { name, args, id, canEdit } = call
  const request = await askAbout(name, args, id, options, canEdit)
  if (!request.approved && request.byPerson && instead) {
    return await putInstead(call, options, request.reason)
  }
  return async () => {
    const verdict = await verdictOf(request)
    if (!verdict.approved) return reject(verdict.reason)
    return verdict.args
      ? { type: 'edit', editedAction: { name, args: verdict.args } }
      : { type: 'approve' }
  }
}

function reject(message: string): Decision {
  return { type: 'reject', message }
}

const NOTHING = 'Nothing, it is declined'
const RESULT = 'My own text as its result'
const EDIT = 'Other arguments'

/**
 * Asks a person who said no for something in place of the call; whatever is unclear is the no
 * alone.
 */
async function putInstead(call: Call, options: NamedAdapter, reason: string): Promise<Decided> {
  const { tools: _, subject, ...about } = options
  const no = async () => reject(reason)
  const subquestion = (what: string) => ({ ...about, subject: `${subject}:${call.id}:${what}` })
  try {
    const choices = [NOTHING, RESULT, ...(call.canEdit ? [EDIT] : [])]
    const what = await ask.choose(`In place of ${call.name}?`, choices, subquestion('instead'))
    if (what.status !== 'answered' || what.value === NOTHING) return no
    if (what.value === RESULT) {
      const outcome = await ask.text(`The result of ${call.name}?`, subquestion('result'))
      return outcome.status === 'answered' ? async () => reject(outcome.value) : no
    }
    const placeholder = JSON.stringify(call.args).slice(0, PLACEHOLDER_MAX)
    const typed = await ask.text(`The arguments of ${call.name}, as JSON?`, {
      ...subquestion('arguments'),
      placeholder,
    })
    return typed.status === 'answered' ? await edited(call, typed.value, options) : no
  } catch {
    return no
  }
}

const PLACEHOLDER_MAX = 100

/** Other arguments are another call: they are shown and approved, with a permit of their own. */
async function edited({ name, id }: Call, text: string, options: NamedAdapter): Promise<Decided> {
  const args = objectIn(text)
  if (!args) return async () => reject('The arguments that a person typed are no JSON object.')
  const request = await askAbout(name, args, `${id}:edited`, options)
  return async () => {
    const verdict = await verdictOf(request)
    return verdict.approved
      ? { type: 'edit', editedAction: { name, args } }
      : reject(verdict.reason)
  }
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(text)
    const isObject = typeof read === 'object' && read !== null && !Array.isArray(read)
    return isObject ? (read as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
