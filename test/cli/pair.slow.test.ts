import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import jsQR from 'jsqr'
import { addPerson } from '../../src/ask/people/people.ts'
import { readPairingOffer } from '../../src/ask/sign-in/pair-device.ts'
import { terminalQr } from '../../src/platform/terminal/qr.ts'
import { authServer } from '../support/auth-server.ts'
import { beckon } from '../support/beckon.ts'
import { tempFolder } from '../support/temp-folder.ts'

const LINK = 'https://beckon.example.com/pair/0123456789abcdefghjkmnpqrs'

/** What a camera sees of lines of half blocks, dark on light, at four pixels a module. */
function scan(picture: string): string | undefined {
  const rows = picture.split('\n').flatMap((line) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is taken off.
    const [, cells = ''] = /^\u001b\[38;5;16;48;5;231m(.*)\u001b\[0m$/.exec(line) ?? []
    return ['▀█', '▄█'].map((dark) => [...cells].map((cell) => dark.includes(cell)))
  })
  const scale = 4
  const [width, height] = [(rows[0]?.length ?? 0) * scale, rows.length * scale]
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255)
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [Math.floor((at % width) / scale), Math.floor(at / width / scale)]
    if (rows[y]?.[x]) pixels.fill(0, at * 4, at * 4 + 3)
  }
  return jsQR(pixels, width, height)?.data
}

test('the code in the terminal says the link to a reader of its own, and fits 80 columns', () => {
  const picture = terminalQr(LINK)
  expect(scan(picture)).toBe(LINK)
  expect(picture.split('\n').length).toBeLessThan(24)
})

test('beckon pair makes a link that signs that person in, beside a running server', async () => {
  await using server = await authServer()
  const { person } = await server.addOwner()
  const base = ['--data', server.folder, '--base-url', 'https://beckon.example.com']

  const { code, out, err } = await beckon(['pair', ...base])
  expect(code).toBe(0)
  const [, secret = ''] = /^https:\/\/beckon\.example\.com\/pair\/(\w{26})\n$/.exec(out) ?? []
  const offer = await readPairingOffer(server, secret)
  expect(offer).toMatchObject({ person: { id: person.id }, step: 'phone' })
  const digits = offer?.fingerprint ?? ''
  expect(err).toContain(`${digits.slice(0, 3)} ${digits.slice(3)}`)
  expect(err).toMatch(/https:\/\/beckon\.example\.com\/settings\/pair\/pair_\w+\n/)
  expect(err).not.toContain('only over https')

  await addPerson(server, { email: 'bob@example.com', password: 'another horse' })
  expect(await beckon(['pair', ...base])).toMatchObject({
    code: 2,
    out: '',
    err: 'Say whose phone it is: --email is missing. See: beckon pair --help\n',
  })
  const bobs = await beckon(['pair', ...base, '--email', 'Bob@example.com'])
  const theirs = await readPairingOffer(server, bobs.out.trim().slice(-26))
  expect(theirs?.person.email).toBe('bob@example.com')
  const nobody = await beckon(['pair', ...base, '--email', 'eve@example.com'])
  expect(nobody).toEqual({ code: 1, out: '', err: 'Nobody signs in as eve@example.com.\n' })
})

test('beckon pair says what is missing: a person, and https', async () => {
  using folder = tempFolder()
  const data = ['--data', folder.path]
  const unused = await beckon(['pair', ...data])
  expect([unused.code, unused.err]).toEqual([1, expect.stringContaining('no Beckon data folder')])
  expect(readdirSync(folder.path)).toEqual([])
  await beckon(['key', 'create', '--name', 'laptop', ...data])
  const nobody = await beckon(['pair', ...data])
  expect(nobody.code).toBe(1)
  expect(nobody.err).toContain('run beckon user add first')
  const ada = ['user', 'add', '--email', 'ada@example.com', '--password-stdin', ...data]
  await beckon(ada, { stdin: 'correct horse battery' })
  expect((await beckon(['pair', ...data])).err).toContain('A phone cannot open http')
})
