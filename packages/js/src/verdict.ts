import { type GateOptions, gate, type Tool } from './protect.ts'

/** What the adapters of frameworks are told. */
export type AdapterOptions = Omit<GateOptions, keyof Tool> & {
  /** What a person is told about tools, by their names. */
  tools?: Record<string, Tool>
}

export type Verdict = { approved: true } | { approved: false; reason: string }

/**
 * Whether a call that a framework holds back may be made. `id` names the call: with it and a
 * `subject`, a process that was restarted goes on with the same question. Never throws.
 */
export async function verdictOn(
  tool: string,
  args: unknown,
  id: string | undefined,
  { tools = {}, subject, ...options }: AdapterOptions,
): Promise<Verdict> {
  const about = Object.hasOwn(tools, tool) ? tools[tool] : {}
  const name = subject !== undefined && id !== undefined ? { subject: `${subject}:${id}` } : {}
  const decision = await gate(tool, args, { ...options, ...about, ...name })
  if (decision.allowed) return { approved: true }
  const { outcome } = decision
  if (outcome.status === 'declined') {
    const said = outcome.note === undefined ? '' : ` They say: ${outcome.note}`
    return { approved: false, reason: `A person declined this call.${said}` }
  }
  const more = 'reason' in outcome ? outcome.reason : 'hint' in outcome ? outcome.hint : undefined
  const why = more === undefined ? '' : ` ${more}`
  return { approved: false, reason: `Nobody approved this call (${outcome.status}).${why}` }
}
