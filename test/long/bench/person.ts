import { join } from 'node:path'
import { signInAt } from '../../support/sign-in.ts'
import type { Beckon } from './beckon.ts'
import { ROOT } from './process.ts'

/** Somebody who is signed in and answers as our pages do: over REST. */
export type Answerer = {
  answer(questionId: string): Promise<void>
  /** The header that says who it is. */
  cookie: string
}

const EMAIL = 'bench@example.com'
const PASSWORD = 'correct horse battery'

/** Signs in somebody who is there already, or the one person of the measurements, who is added. */
export async function signIn(beckon: Beckon, existing?: string): Promise<Answerer> {
  if (existing === undefined) addPerson(beckon)
  const email = existing ?? EMAIL
  const cookie = await signInAt(beckon.url, { email, password: PASSWORD })
  const headers = { 'content-type': 'application/json', origin: beckon.url, cookie }
  return {
    cookie,
    async answer(id) {
      const response = await fetch(`${beckon.url}/api/v1/questions/${id}/answer`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ value: 'yes' }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`an answer was answered ${response.status}: ${text}`)
    },
  }
}

function addPerson(beckon: Beckon): void {
  const main = join(ROOT, 'src', 'main.ts')
  const more = ['user', 'add', '--email', EMAIL, '--password-stdin', '--data', beckon.folder]
  const added = Bun.spawnSync([process.execPath, main, ...more], {
    cwd: ROOT,
    env: { ...process.env, ...beckon.env },
    stdin: Buffer.from(`${PASSWORD}\n`),
  })
  if (!added.success) throw new Error(`the person was not added: ${added.stderr}`)
}
