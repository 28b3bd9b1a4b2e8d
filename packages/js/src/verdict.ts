import { digestOf } from './canonical.ts'
import { type GateOptions, gate, reportOutcome, type Tool, usePermit } from './protect.ts'
import { rememberStartedCall } from './reporting.ts'

/** Options of the adapters of frameworks. */
export type AdapterOptions = Omit<GateOptions, keyof Tool | 'edit'> & {
  /** Descriptions of tools for the person, by their names. */
  tools?: Record<string, Tool>
}

/** Options of the adapters of frameworks that make a call with the arguments that a person changed. */
export type EditingOptions = Omit<AdapterOptions, 'tools'> & {
  /** Descriptions of tools for the person, by their names, and the arguments that they may change. */
  tools?: Record<string, Pick<GateOptions, keyof Tool | 'edit'>>
}

export type Declined = {
  approved: false
  reason: string
  /** A person said no; else nobody said anything, or it could not be asked. */
  byPerson?: true
}
/** A yes, with the arguments that run if the person changed any. */
export type Verdict = { approved: true; args?: Record<string, unknown> } | Declined

/** A call that a person approved. `use` uses the yes up: only then may the call be made. */
type Approved = { approved: true; use(): Promise<Verdict> }

/**
 * Resolves to the verdict on a call that a framework holds back. `id` names the call: with it and a
 * `subject`, a process that was restarted goes on with the same question. `canEdit`: the framework makes
 * the call with the arguments of the verdict. Never throws.
 */
export async function askAbout(
  tool: string,
  args: unknown,
  id: string | undefined,
  { tools = {}, subject, ...options }: EditingOptions,
  canEdit = false,
): Promise<Approved | Declined> {
  const { edit, ...words } = (Object.hasOwn(tools, tool) && tools[tool]) || {}
  const about = canEdit && edit ? { ...words, edit } : words
  const name = subject !== undefined && id !== undefined ? { subject: `${subject}:${id}` } : {}
  const decision = await gate(tool, args, { ...options, ...about, ...name })
  if (decision.allowed) {
    const use = async () => {
      const { server = {}, signal } = options
      const permit = await usePermit(server, decision, signal)
      if (typeof permit !== 'string') return nobody(permit)
      const edited = canEdit ? decision.args : undefined
      const runs = await digestOf({ tool, arguments: edited ?? args }).catch(() => '')
      // The framework makes the call with its own arguments, which a person saw as they were then.
      if (!edited && runs !== decision.actionHash) {
        void reportOutcome(server, permit, 'not_run', CHANGED)
        return { approved: false, reason: CHANGED } as const
      }
      rememberStartedCall(runs, { server, permit })
      return { approved: true, ...(edited ? { args: edited } : {}) } as const
    }
    return { approved: true, use }
  }
  const { outcome } = decision
  if (outcome.status !== 'declined') return nobody(outcome)
  const noteText = outcome.note === undefined ? '' : ` They say: ${outcome.note}`
  return { approved: false, reason: `A person declined this call.${noteText}`, byPerson: true }
}

/**
 * Uses the permit of an approved call up, just before the framework is told to make it, so that a
 * state which is restored twice makes it once. When a framework waits for several calls, this
 * comes after all are decided: what stopped before has used nothing up.
 */
export async function verdictOf(request: Approved | Declined): Promise<Verdict> {
  return request.approved ? await request.use() : request
}

const CHANGED = 'The arguments were changed after they were shown. Make the call again.'

function nobody(outcome: { status: string; reason?: string; hint?: string }): Declined {
  const why = outcome.reason ?? outcome.hint
  const more = why === undefined ? '' : ` ${why}`
  return {
    approved: false,
    reason: `Nobody approved this call (${outcome.status}), neither yes nor no: do not do it.${more}`,
  }
}
