import { join } from 'node:path'
import type { startBeckon } from './beckon.ts'
import { ROOT } from './process.ts'

/** Somebody who is signed in and answers as our pages do: over REST. */
export type Answerer = {
  answer(questionId: string): Promise<void>
  /** The header that says who it is. */
  cookie: string
}

const EMAIL = 'bench@example.com'
const PASSWORD = 'a password for the bench'

export async function signIn(beckon: Awaited<ReturnType<typeof startBeckon>>): Promise<Answerer> {
  const main = join(ROOT, 'src', 'main.ts')
  const more = ['user', 'add', '--email', EMAIL, '--password-stdin', '--data', beckon.folder]
  const added = Bun.spawnSync([process.execPath, main, ...more], {
    cwd: ROOT,
    stdin: Buffer.from(`${PASSWORD}\n`),
  })
  if (!added.success) throw new Error(`the person was not added: ${added.stderr}`)

  const headers = { 'content-type': 'application/json', origin: beckon.url }
  const send = async (path: string, body: object, more: Record<string, string> = {}) => {
    const init = { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) }
    const response = await fetch(beckon.url + path, init)
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
    return response
  }
  const signedIn = await send('/api/auth/sign-in/email', { email: EMAIL, password: PASSWORD })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  return {
    cookie,
    async answer(id) {
      await send(`/api/v1/questions/${id}/answer`, { value: 'yes' }, { cookie })
    },
  }
}
