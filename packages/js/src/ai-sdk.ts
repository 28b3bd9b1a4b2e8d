import { type AdapterOptions, askAbout, type Declined, verdictOf } from './verdict.ts'

type Part = {
  type: string
  toolCallId?: string
  toolName?: string
  input?: unknown
  approvalId?: string
  isAutomatic?: boolean
}

/** A message of the AI SDK, as far as it is read. */
type Message = { role: string; content: string | readonly object[] }

type Answer = {
  type: 'tool-approval-response'
  approvalId: string
  approved: boolean
  reason?: string
}

/**
 * Asks about every `tool-approval-request` in the messages that has no response yet, and returns the
 * message to add to them. Another process that has the messages goes on with the same questions.
 */
export async function answerApprovals(
  messages: readonly Message[],
  options: AdapterOptions = {},
): Promise<{ role: 'tool'; content: Answer[] }> {
  const parts = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : (content as readonly Part[]),
  )
  const answered = new Set(
    parts.flatMap(({ type, approvalId }) =>
      type === 'tool-approval-response' && approvalId ? [approvalId] : [],
    ),
  )
  const open = parts.filter(
    ({ type, approvalId, isAutomatic }) =>
      type === 'tool-approval-request' && !isAutomatic && !answered.has(approvalId ?? ''),
  )
  const { subject = 'ai-sdk' } = options
  const requests = open.map(async ({ approvalId = '', toolCallId }) => {
    const calls = parts.filter((one) => one.type === 'tool-call' && one.toolCallId === toolCallId)
    const [call] = calls
    // Of two calls of one id nobody knows which is meant.
    const about =
      !call || calls.length > 1
        ? NO_CALL
        : askAbout(call.toolName ?? '', call.input, approvalId, { ...options, subject })
    return { approvalId, about: await about }
  })
  const content = (await Promise.all(requests)).map(
    async ({ approvalId, about }): Promise<Answer> => {
      const verdict = await verdictOf(about)
      const answer = { type: 'tool-approval-response', approvalId } as const
      return verdict.approved
        ? { ...answer, approved: true }
        : { ...answer, approved: false, reason: verdict.reason }
    },
  )
  return { role: 'tool', content: await Promise.all(content) }
}

const NO_CALL: Declined = { approved: false, reason: 'No such call.' }

/**
 * For `toolApproval`: asks while the step waits, before the tool runs. `only` names the tools that
 * are asked about; else all are.
 */
export function toolApproval({ only, ...options }: AdapterOptions & { only?: string[] } = {}) {
  return async ({ toolCall }: { toolCall: { toolName: string; input: unknown } }) => {
    const { toolName, input } = toolCall
    if (only && !only.includes(toolName)) return { type: 'not-applicable' } as const
    const verdict = await verdictOf(await askAbout(toolName, input, undefined, options))
    return verdict.approved
      ? ({ type: 'approved' } as const)
      : ({ type: 'denied', reason: verdict.reason } as const)
  }
}
