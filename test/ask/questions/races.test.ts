import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { cancelQuestion } from '../../../src/ask/answering/cancel-question.ts'
import { stopAgent } from '../../../src/ask/answering/stop-agent.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { readQuestion } from '../../../src/ask/inbox/read-questions.ts'
import { endQuestion } from '../../../src/ask/questions/end-question.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { flowWorld } from '../../support/flow-world.ts'
import { howOften } from '../../support/share.ts'

type Contender = 'yes' | 'no' | 'cancel' | 'stop' | 'expire'
const CONTENDERS: Contender[] = ['yes', 'no', 'cancel', 'stop', 'expire']

// spec: QS-STATES
test('of answers, cancel, stop and expiry in any order at once, exactly one wins', async () => {
  await using world = await flowWorld()
  const { deps, clock, call } = world
  const { workspaceId } = call().caller

  async function race(order: Contender[], late: boolean) {
    const { correlationId } = await askUser(deps, { question: 'Go?', wait: false }, call())
    const questionId = correlationId as QuestionId
    if (late) await clock.advance(10 * 60_000)
    const run: Record<Contender, () => Promise<boolean>> = {
      yes: async () => (await answerQuestion(deps, { workspaceId, questionId, value: 'yes' })).won,
      no: async () => (await answerQuestion(deps, { workspaceId, questionId, value: 'no' })).won,
      cancel: async () => (await cancelQuestion(deps, { correlationId }, call())).cancelled,
      stop: async () => (await stopAgent(deps, { workspaceId, questionId })).won,
      expire: async () =>
        (await endQuestion(deps, 'expire', { workspaceId, id: questionId })) !== undefined,
    }
    const won = await Promise.all(order.map((contender) => run[contender]()))
    const winners = order.filter((_, i) => won[i])
    const stored = await readQuestion(deps, { workspaceId }, questionId)
    return { winners, stored }
  }

  const endings = {
    yes: 'answered',
    no: 'answered',
    cancel: 'cancelled',
    stop: 'stopped',
    expire: 'expired',
  }
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray([...CONTENDERS, ...CONTENDERS], { minLength: 2 }),
      fc.boolean(),
      async (order, late) => {
        const { winners, stored } = await race(order, late)
        const [winner] = winners
        if (late) {
          // Whoever is too late ends it as expired, before the expiry that comes later.
          expect(winners.filter((one) => one !== 'expire')).toEqual([])
          expect(winners.length).toBeLessThanOrEqual(1)
          expect(stored?.status).toBe('expired')
          return
        }
        const possible = order.some((contender) => contender !== 'expire')
        expect(winners).toHaveLength(possible ? 1 : 0)
        expect(stored?.status).toBe((winner ? endings[winner] : 'pending') as 'pending')
        if (winner === 'yes' || winner === 'no') expect(stored?.value).toBe(winner)
      },
    ),
    { numRuns: howOften(20, 60) },
  )
})
