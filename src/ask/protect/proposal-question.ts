import { newId } from '../../platform/ids.ts'
import type { TokenId, WorkspaceId } from '../accounts/model/ids.ts'
import { PROPOSAL_MS } from '../policy/protect.ts'
import type { Question } from '../questions/model/question.ts'

const WORDS_MAX = 60

type Facts = {
  workspaceId: WorkspaceId
  at: number
  /** Who wants it. */
  by: string
  question: string
  context?: string | undefined
  lines: readonly string[]
} & Pick<Question, 'requirement'>

/** The question that decides a proposed change; without a requirement it only tells of one. */
export function proposalQuestion(facts: Facts): Question {
  const { workspaceId, at, by, question, context, lines, requirement } = facts
  const isOpen = requirement !== undefined
  const unknown = {
    ...{ machineId: undefined, sessionId: undefined, repoKey: undefined, key: undefined },
    ...{ held: undefined, callbackUrl: undefined, notificationId: undefined },
    ...{ abandonedAt: undefined, value: undefined, note: undefined, answerSource: undefined },
    ...{ answeredBy: undefined, answeredAs: undefined, answeredOn: undefined },
    ...{ endReason: undefined, endedByToken: undefined },
  }
  return {
    ...unknown,
    ...{ id: newId('q', at), workspaceId, tokenId: POLICY_TOKEN, origin: 'policy' },
    ...{ type: 'confirm', question, choices: [], targeting: {}, test: false },
    agentName: by,
    detail: {
      header: isOpen ? 'Proposed change' : 'Changed without agreement',
      actionBody: lines.join('\n'),
      ...(context && { context }),
    },
    ...{ deliveryMode: isOpen ? 'push_only' : 'notify_only', policyWaitMs: 0 },
    ...{ status: isOpen ? 'pending' : 'notified', endedAt: isOpen ? undefined : at },
    ...{ createdAt: at, waitEndsAt: at, expiresAt: isOpen ? at + PROPOSAL_MS : at },
    ...(requirement && { requirement }),
  }
}

/** No agent asks: the question is of the workspace itself. */
const POLICY_TOKEN: TokenId = 'key_policy'

const SIGNS: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '~': 'changed' }

/** What a change begins with, and how many more there are: `rule prod-apply changed, and 2 more`. */
export function shortWords(lines: readonly string[]): string {
  const [first = '~ nothing', ...others] = lines.filter((line) => !line.startsWith(' '))
  const [name = ''] = first.slice(2).split(': ')
  const words = name.length > WORDS_MAX ? `${name.slice(0, WORDS_MAX)}…` : name
  const what = `${words} ${SIGNS[first.charAt(0)] ?? ''}`.trim()
  return others.length > 0 ? `${what}, and ${others.length} more` : what
}
