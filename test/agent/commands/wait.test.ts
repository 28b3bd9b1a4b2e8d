import { expect, test } from 'bun:test'
import { type ApiClient, NoService } from '../../../src/agent/api-client.ts'
import { pollUntilEnd, readTimeout } from '../../../src/agent/commands/wait.ts'

const PENDING = { correlationId: 'q_1', status: 'pending', answered: false }
const ANSWERED = { correlationId: 'q_1', status: 'answered', answered: true, value: 'yes' }

/** A server that says these things one after the other. */
function saying(...replies: (object | Error)[]) {
  const paths: string[] = []
  const client: ApiClient = {
    async call<T>(_: string, path: string) {
      paths.push(path)
      const reply = replies.shift()
      if (reply instanceof Error) throw reply
      return reply as T
    },
  }
  return { client, paths }
}

const never = new AbortController().signal

test('a long wait is made of calls of at most 55 seconds', async () => {
  const { client, paths } = saying(PENDING, ANSWERED)
  const result = await pollUntilEnd(client, 'q_1', 120_000, never)
  expect(result).toMatchObject({ status: 'answered' })
  expect(paths).toEqual(Array(2).fill('/questions/q_1?timeoutMs=55000'))
})

test('a server that restarts meanwhile is waited for', async () => {
  const away = new NoService('It is away.', { passing: true })
  const { client, paths } = saying(away, ANSWERED)
  expect(await pollUntilEnd(client, 'q_1', 50_000, never)).toMatchObject({ value: 'yes' })
  expect(paths).toHaveLength(2)
})

test('a wait without a time of its own goes on when the server ends meanwhile', async () => {
  const lost = new NoService('It is gone.', { lost: true })
  const away = new NoService('It is away.', { passing: true })
  const { client, paths } = saying(lost, away, ANSWERED)
  expect(await pollUntilEnd(client, 'q_1', undefined, never)).toMatchObject({ value: 'yes' })
  expect(paths).toHaveLength(3)
})

test('a wait without a time of its own ends at once when no server was ever there', async () => {
  const { client, paths } = saying(new NoService('It is away.', { passing: true }), ANSWERED)
  await expect(pollUntilEnd(client, 'q_1', undefined, never)).rejects.toThrow('It is away.')
  expect(paths).toHaveLength(1)
})

test('waited for in vain, the sentence says that the question stays open and what goes on waiting', async () => {
  const away = new NoService('It is away; cure it.', { passing: true, what: 'It is away' })
  const { client, paths } = saying(...Array(9).fill(away))
  await expect(pollUntilEnd(client, 'q_1', 1_000, never)).rejects.toThrow(
    'It is away; the question stays open. Go on waiting for the answer with: beckon wait q_1',
  )
  expect(paths.length).toBeGreaterThan(2)
})

test('a refusal ends the wait at once', async () => {
  const { client, paths } = saying(new NoService('The token is wrong.'), ANSWERED)
  expect(pollUntilEnd(client, 'q_1', 50_000, never)).rejects.toThrow('The token is wrong.')
  expect(paths).toHaveLength(1)
})

test('a wait without a time of its own takes its length from the server’s policy', async () => {
  const { client, paths } = saying(PENDING)
  expect(await pollUntilEnd(client, 'q/1', undefined, never)).toMatchObject({ status: 'pending' })
  expect(paths).toEqual(['/questions/q%2F1'])
})

test('times are read with their unit', () => {
  expect(['50s', '2m', '1500ms', '1.5s', '10m'].map(readTimeout)).toEqual([
    50_000, 120_000, 1_500, 1_500, 600_000,
  ])
  for (const wrong of ['', '50', '0s', '11m', '-5s', '1h', 's', '1e3s', '5 s', '999ms']) {
    expect(() => readTimeout(wrong)).toThrow('--timeout must be a time from 1s to 10m')
  }
})
