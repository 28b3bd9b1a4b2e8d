import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { answerApprovals, toolApproval } from '../../../../packages/js/src/ai-sdk.ts'
import { adapterCases } from './cases.ts'
import { person } from './person.ts'

const SCRIPT = join(import.meta.dir, 'ai-sdk-run.ts')
adapterCases(SCRIPT)
adapterCases(SCRIPT, ['inline'], { resumes: false })

const request = { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1' }
const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'remove', input: { id: 7 } }

test('a request without a call, or with two, is declined and asks nobody', async () => {
  await using who = await person()
  for (const content of [[request], [request, call, { ...call, input: { id: 8 } }]]) {
    const { content: answers } = await answerApprovals([{ role: 'assistant', content }], who)
    expect(answers).toMatchObject([{ approvalId: 'a1', approved: false }])
  }
  expect(await who.open()).toEqual([])
})

test('what has a response, or was decided by itself, is not asked about', async () => {
  const done = { type: 'tool-approval-response', approvalId: 'a1', approved: true }
  const automatic = { ...request, approvalId: 'a2', isAutomatic: true }
  const messages = [
    { role: 'assistant', content: [call, request, automatic] },
    { role: 'tool', content: [done] },
  ]
  expect(await answerApprovals(messages)).toEqual({ role: 'tool', content: [] })
})

test('tools that are not named run without a question', async () => {
  const approve = toolApproval({ only: ['remove'] })
  const verdict = await approve({ toolCall: { toolName: 'read', input: {} } })
  expect(verdict).toEqual({ type: 'not-applicable' })
})
