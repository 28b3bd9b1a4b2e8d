import { type AdapterOptions, askAbout, type Declined, verdictOf } from './verdict.ts'

/** An interruption of the OpenAI Agents SDK, as far as it is read. */
type Interruption = {
  name?: string | undefined
  arguments?: string | undefined
  rawItem: object
}

/** The state of a run of the OpenAI Agents SDK. */
type State<I extends Interruption> = {
  getInterruptions(): I[]
  approve(item: I): void
  reject(item: I, options: { message: string }): void
}

/**
 * Asks about every call that a run waits for, and puts the decisions into its state; then run the
 * agent with it. With `subject`, a name of this run alone, a process that has the stored state goes
 * on with the same questions; without it they are asked anew.
 */
export async function decideInterruptions<I extends Interruption>(
  state: State<I>,
  options: AdapterOptions = {},
): Promise<void> {
  const requests = state.getInterruptions().map(async (item) => {
    const { callId } = item.rawItem as { callId?: string }
    const args = argumentsOf(item)
    const about =
      args === undefined ? UNREADABLE : askAbout(item.name ?? 'tool', args, callId, options)
    return { item, about: await about }
  })
  const decided = (await Promise.all(requests)).map(async ({ item, about }) => {
    return { item, verdict: await verdictOf(about) }
  })
  for (const { item, verdict } of await Promise.all(decided)) {
    if (verdict.approved) state.approve(item)
    else state.reject(item, { message: verdict.reason })
  }
}

const UNREADABLE: Declined = {
  approved: false,
  reason: 'The arguments of this call cannot be shown.',
}

/** Undefined for what is no JSON. Calls of a shell or an editor have an action or an operation. */
function argumentsOf({ arguments: text, rawItem }: Interruption): unknown {
  if (text === undefined) {
    const { action, operation } = rawItem as { action?: unknown; operation?: unknown }
    return action ?? operation
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
