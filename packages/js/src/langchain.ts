import { type AdapterOptions, verdictOn } from './verdict.ts'

/** A request of `humanInTheLoopMiddleware`. */
type Request = { actionRequests: ReadonlyArray<{ name: string; args: unknown }> }

/** An interrupt of LangGraph. */
type Interrupt = { id?: string; value?: unknown }

type Decision = { type: 'approve' } | { type: 'reject'; message: string }

/**
 * Asks about every call that an agent with `humanInTheLoopMiddleware` waits for, and returns what to
 * resume it with: `new Command({ resume })`. Another process that has the checkpoints goes on with
 * the same questions. Throws `TypeError` for an interrupt of anything else.
 */
export async function decideInterrupts(
  interrupts: readonly Interrupt[] = [],
  options: AdapterOptions = {},
): Promise<Record<string, { decisions: Decision[] }>> {
  const decided = interrupts.map(async ({ id, value }) => {
    const { actionRequests } = (value ?? {}) as Partial<Request>
    if (!id || !Array.isArray(actionRequests)) {
      throw new TypeError('This interrupt is none of humanInTheLoopMiddleware.')
    }
    const { subject = 'langchain' } = options
    const decisions = (actionRequests as Request['actionRequests']).map(
      async ({ name, args }, i): Promise<Decision> => {
        const verdict = await verdictOn(name, args, `${id}:${i}`, { ...options, subject })
        return verdict.approved ? { type: 'approve' } : { type: 'reject', message: verdict.reason }
      },
    )
    return [id, { decisions: await Promise.all(decisions) }] as const
  })
  return Object.fromEntries(await Promise.all(decided))
}
