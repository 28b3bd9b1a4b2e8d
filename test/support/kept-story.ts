import { callbackReceiver } from './callback-receiver.ts'
import { pushServer } from './push-server.ts'
import { signInAt } from './sign-in.ts'

export const EMAIL = 'ada@example.com'
export const PASSWORD = 'correct horse battery'
/** The last thing that every story does; what is newer than that has not happened. */
export const RETRY_KEY = 'deploy-42'

/** What the clients of an old server were told, and what they go on with after the upgrade. */
export type StoryRecord = {
  /** When the story ended, in milliseconds. */
  at: number
  token: string
  endpoint: string
  /** Tools in the catalog; 0 for a version that had none. */
  tools: number
  answered: { id: string; question: string; value: string; note: string }[]
  cancelled: string
  open: { id: string; question: string }
  scope: { session: string; paths: string[] }
  notification: string
  rule: string
}

type Body = Record<string, unknown>
type Reply = Body & { correlationId: string }
/** Sends JSON and gives back the JSON of a good reply; anything else throws. */
export type Send = (path: string, body?: object, method?: string) => Promise<Body>

/**
 * A morning with one agent and one person, in words that every version understands: questions
 * answered, withdrawn and open, a callback, a notification, a phone, a scope, a rule.
 */
export async function liveThroughAMorning(
  url: string,
  token: string,
  between: () => Promise<unknown>,
) {
  await using receiver = await callbackReceiver()
  await using push = await pushServer()
  const agent = senderTo(url, { authorization: `Bearer ${token}` })
  const person = await signedIn(url)
  const phone = push.subscribe('phone')
  const device = { transport: 'webpush', kind: 'phone', label: "Ada's phone" }
  await person('/subscribers', { ...device, ...phone })
  await person('/policy', { graceMs: 1_500 }, 'PATCH')
  const rule = { match: { toolName: 'Bash' }, set: { waitMs: 2_000 } }
  const ruled = await person('/rules', rule)

  const answered: StoryRecord['answered'] = []
  const shapes = [
    { question: 'Deploy build 41?', value: 'yes', note: 'after lunch' },
    { question: 'Which region?', value: 'eu-west', type: 'select', options: ['eu-west', 'us'] },
    { question: 'Name the release — “wörter” 🦊', value: 'Füchsin', type: 'input' },
  ]
  for (const { value, note = '', ...question } of shapes) {
    const callbackUrl = receiver.url(`/${answered.length}`, { status: 200 })
    const { correlationId: id } = await ask(agent, { ...question, callbackUrl })
    await person(`/questions/${id}/answer`, { value, ...(note ? { note } : {}) })
    answered.push({ id, question: question.question, value, note })
  }
  while (receiver.received.length < shapes.length) await Bun.sleep(20)
  const { correlationId: cancelled } = await ask(agent, { question: 'Never mind?' })
  await agent(`/questions/${cancelled}/cancel`, {})
  const notification = 'Build 41 is green'
  await agent('/notifications', { title: notification, body: 'All 812 tests passed.' })
  const scope = await agreeOnScope(agent, person)
  await between()
  const question = 'Deploy build 42?'
  const open = await ask(agent, { question, requestId: RETRY_KEY, context: 'Friday, 17:50' })
  await push.until(1)
  return {
    ...{ token, endpoint: phone.endpoint, answered, cancelled, scope, notification },
    open: { id: open.correlationId, question },
    rule: String(ruled.id),
  }
}

/** Ada, signed in with her password. */
export async function signedIn(url: string): Promise<Send> {
  const cookie = await signInAt(url, { email: EMAIL, password: PASSWORD })
  return senderTo(url, { origin: url, cookie })
}

export function senderTo(url: string, headers: Record<string, string>): Send {
  return async (path, body, method = body ? 'POST' : 'GET') => {
    const init = body ? { body: JSON.stringify(body) } : {}
    const response = await fetch(`${url}/api/v1${path}`, {
      ...{ method, headers: { ...headers, 'content-type': 'application/json' } },
      ...init,
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? {} : JSON.parse(text)
  }
}

export async function ask(agent: Send, question: object): Promise<Reply> {
  return (await agent('/questions', { ...question, wait: false })) as Reply
}

async function agreeOnScope(agent: Send, person: Send): Promise<StoryRecord['scope']> {
  const scope = { session: 'morning-1', paths: ['src', 'test'] }
  const proposal = { doneWhen: 'Tests pass', sessionId: scope.session, allowedPaths: scope.paths }
  const agreed = agent('/scopes', { ...proposal, timeoutMs: 20_000 })
  for (;;) {
    const { questions } = (await person('/inbox')) as { questions: Reply[] }
    const id = questions[0]?.correlationId
    if (id) await person(`/questions/${id}/answer`, { value: 'yes' })
    if (id) break
    await Bun.sleep(20)
  }
  await agreed
  return scope
}
