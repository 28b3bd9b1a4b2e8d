import { expect, test } from 'bun:test'
import { wrongPassword } from '../../../src/ask/accounts/model/person-rules.ts'

const ADA = { name: 'Ada Lovelace', email: 'countess@example.com' }
const refused = (password: string) => wrongPassword(password, ADA)[0]?.must ?? 'fine'

test.each([
  'password',
  'Password1',
  'P@ssw0rd!',
  'passw0rd2024',
  'passwordpassword',
  '12345678',
  '87654321',
  '11111111',
  'abababab',
  'abcdefgh',
  'qwertyuiop',
  'Sunshine1!',
  '1qazwsx!',
  'Welcome2024!',
])('%s is among the first guesses', (password) => {
  expect(refused(password)).toContain('commonest')
})

test.each(['lovelace1843', 'x-LoveLace-x', 'countess-of-kent', 'my ＬＯＶＥＬＡＣＥ pw'])(
  '%s holds what is known of its person',
  (password) => {
    expect(refused(password)).toContain('your name or e-mail address')
  },
)

test.each([
  'correct horse',
  'another horse',
  'a new battery',
  'hunter22 tractor',
  'passwords are a nuisance',
  'k7Rq-02vd',
  '正しい馬の電池とホチキス',
])('%s is taken', (password) => {
  expect(refused(password)).toBe('fine')
})
