import { expect, test } from 'bun:test'
import { messageParts, offersYes } from '../../../src/ask/questions/model/message-parts.ts'
import { pageWorld } from '../../support/page-world.ts'
import { aQuestion } from '../../support/question.ts'

const shell = (action: string) => ({ toolName: 'Bash', toolTarget: action.slice(0, 80), action })

test('the page of a command that is not known says so above one tap', async () => {
  await using world = await pageWorld()
  const id = await world.ask({ detail: shell('litestream restore -o x') })
  const page = await (await world.get(`/d/${id}`)).text()
  expect(page).toContain('what litestream does is not known here')
  const answered = await world.post(`/d/${id}/answer`, { value: 'yes' })
  expect(answered.status).toBe(303)
})

test('the page of a command that was read to its end says nothing', async () => {
  await using world = await pageWorld()
  const id = await world.ask({ detail: shell('npm ci && npm test') })
  expect(await (await world.get(`/d/${id}`)).text()).not.toContain('Not everything that this does')
})

test.each([
  ['npm ci && npm test', true],
  ['Deploy the new version to production now', true],
  ['Tell the team about the new version', true],
  ['litestream restore -o x', false],
  ['kubectl exec db-0 -- dropdb prod', false],
  ['git push --force origin main', false],
  ['$RUN x', false],
  ['npm test\u200b', false],
])('a message about %j has a Yes: %p', (action, has) => {
  const question = aQuestion('a', { type: 'confirm', detail: shell(action) })
  expect(offersYes(question, messageParts(question))).toBe(has)
})
