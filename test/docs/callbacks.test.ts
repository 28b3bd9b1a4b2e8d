import { afterEach, expect, setSystemTime, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callbackOf } from '../../src/ask/callbacks/model/callback.ts'
import { signatureHeaders } from '../../src/ask/callbacks/post-sender.ts'
import { aQuestion } from '../support/question.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { page, testedBlocks } from './blocks.ts'

type Reader = { read(secret: string, headers: Record<string, string>, body: string): unknown }

afterEach(() => void setSystemTime())

/** The request that docs/callbacks.md shows, and the secret it is signed with. */
async function example() {
  const [block] = await testedBlocks('http')
  const [head = '', body = ''] = (block?.text ?? '').trimEnd().split('\n\n')
  const lines = head.split('\n').slice(1)
  const headers = Object.fromEntries(
    lines.map((line) => line.split(': ') as [string, string]),
  ) as Record<string, string>
  const [secret = ''] = /whsec_[A-Za-z0-9+/=]{20,}/.exec(await page('docs/callbacks.md')) ?? []
  return { headers, body, secret, at: Number(headers['webhook-timestamp']) * 1_000 }
}

test('the request in docs/callbacks.md is signed as the server signs', async () => {
  const { headers, body, secret, at } = await example()
  const id = String(headers['webhook-id'])
  expect(headers).toMatchObject(signatureHeaders([secret], { id, at, body }))
  const question = aQuestion('1', {
    status: 'answered',
    value: 'yes',
    note: 'After the backup.',
    answerSource: 'decide_page',
  })
  const callback = callbackOf(question, 'https://a.example', 'cb_1', at)
  expect(Object.keys(JSON.parse(body))).toEqual(Object.keys(JSON.parse(callback.body)))
})

test('both receivers in docs/callbacks.md take it, and nothing that was changed or is old', async () => {
  using folder = tempFolder()
  const { headers, body, secret, at } = await example()
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const blocks = (await testedBlocks('js')).filter((block) => block.page === 'docs/callbacks.md')
  expect(blocks).toHaveLength(2)
  for (const { words, text } of blocks) {
    const path = join(folder.path, `${words[1]}.mjs`)
    const library = import.meta.resolve('standardwebhooks')
    writeFileSync(path, text.replace("'standardwebhooks'", JSON.stringify(library)))
    const { read } = (await import(path)) as Reader
    setSystemTime(at + 60_000)
    expect(read(secret, lower, body)).toMatchObject({ value: 'yes' })
    expect(() => read(secret, lower, body.replace('yes', 'no!'))).toThrow()
    expect(() => read(`${secret.slice(0, -4)}AAAA`, lower, body)).toThrow()
    setSystemTime(at + 301_000)
    expect(() => read(secret, lower, body)).toThrow()
  }
})
