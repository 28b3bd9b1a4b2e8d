import { expect, test } from 'bun:test'
import { readInvitation } from '../../src/ask/sign-in/set-up.ts'
import { openDataFolder } from '../../src/platform/db/data-folder.ts'
import { authServer } from '../support/auth-server.ts'
import { beckon } from '../support/beckon.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('people are added, listed and reset while a server is running', async () => {
  await using server = await authServer()
  const data = ['--data', server.folder]
  const ada = ['--email', 'ada@example.com']
  const request = new Request(server.url)
  const signIn = (password: string) =>
    server.authentication.signIn(request, { email: 'ada@example.com', password })

  const added = await beckon(
    ['user', 'add', ...ada, '--name', 'Ada', '--password-stdin', ...data],
    {
      stdin: 'correct horse\n',
    },
  )
  expect(added).toEqual({
    code: 0,
    out: '',
    err: `ada@example.com is added as owner in ${server.folder}.\nada@example.com signs in with the new password.\n`,
  })
  await signIn('correct horse')

  const bob = ['--email', 'bob@example.com', '--base-url', 'https://beckon.example.com']
  const invited = await beckon(['user', 'add', ...bob, ...data])
  expect(invited.code).toBe(0)
  expect(invited.out).toMatch(/^https:\/\/beckon\.example\.com\/setup\?key=[0-9a-z]{32}\n$/)
  const code = new URL(invited.out.trim()).searchParams.get('key') ?? ''
  expect(await readInvitation(server, code)).toMatchObject({ email: 'bob@example.com' })

  const listed = JSON.parse((await beckon(['user', 'list', '--json', ...data])).out)
  expect(listed).toMatchObject([
    { email: 'ada@example.com', name: 'Ada', role: 'owner', workspace: 'Home' },
    { email: 'bob@example.com', name: 'bob', role: 'member' },
  ])
  const table = await beckon(['user', 'list', ...data])
  expect(table.out).toMatch(/ada@example\.com +Ada +owner +Home/)

  const reset = await beckon(['user', 'reset', ...ada, '--password-stdin', ...data], {
    stdin: 'another horse',
  })
  expect(reset.code).toBe(0)
  await expect(signIn('correct horse')).rejects.toMatchObject({ code: 'unauthenticated' })
  await signIn('another horse')
})

const WRONG: Array<[args: string[], code: number, sentence: string]> = [
  [[], 2, 'Say which of these to do: add, list, reset. See: beckon user --help'],
  [['add'], 2, '--email is missing. See: beckon user --help'],
  [
    ['add', '--email', 'a@b.cc', '--role', 'king'],
    2,
    '--role must be owner, member or auditor. See: beckon user --help',
  ],
  [['add', '--email', 'nobody'], 2, 'email must be an e-mail address like ada@example.com.'],
  [['add', '--email', 'a@b.cc', '--password-stdin'], 2, 'password must have 8 to 128 characters.'],
  [['reset', '--email', 'a@b.cc'], 1, 'Nobody signs in as a@b.cc; nothing was changed.'],
  [['list', 'x'], 2, '"x" is one argument too many. See: beckon user --help'],
]

for (const [args, code, sentence] of WRONG) {
  test(`beckon user ${args.join(' ')} ends with ${code} and one sentence`, async () => {
    using folder = tempFolder()
    await openDataFolder(folder.path)[Symbol.asyncDispose]()
    const env = { BECKON_DATA: folder.path }
    expect(await beckon(['user', ...args], { env })).toEqual({
      code,
      out: '',
      err: `${sentence}\n`,
    })
  })
}

test('an address that is none is the only thing that is wrong', async () => {
  using folder = tempFolder()
  const { code, err } = await beckon(['user', 'add', '--email', 'x', '--data', folder.path])
  expect([code, err]).toEqual([2, 'email must be an e-mail address like ada@example.com.\n'])
})
