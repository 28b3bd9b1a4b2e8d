/** Whose password it is: what others know of them. */
export type Named = { name: string; email: string }

// The commonest words of published lists of leaked passwords. Digits and signs around them, and
// letters written as digits, are what guessing programs try first, so the words stand alone.
const COMMON = new Set(
  `password passwort motdepasse contrasena qwerty qwertyuiop qwertz qwertzuiop azerty asdfghjkl zxcvbnm
  qazwsx qazwsxedc abc abcd abcdef abcdefg abcdefgh letmein welcome willkommen bonjour admin administrator
  root user login guest test testing changeme default secret iloveyou loveyou sunshine princess dragon
  monkey football baseball basketball superman batman master shadow michael jennifer jordan hunter
  killer trustno freedom whatever computer internet pokemon starwars charlie mustang access flower
  samsung google apple linux server system beckon summer winter spring autumn january february march
  april june july august september october november december`.split(/\s+/),
)
const ROWS = ['0123456789012', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const LETTERS: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
}
// A shorter part of a name is in too many words.
const PART_MIN = 4

/** What makes a password easy to guess, as the end of "it must …"; undefined if nothing does. */
export function whyGuessed(password: string, { name, email }: Named): string | undefined {
  const plain = password.normalize('NFKC').toLowerCase()
  if (isCommon(plain)) {
    return 'must not be one of the commonest passwords; four unrelated words are a good one'
  }
  const parts = [...name.split(/\s+/), ...email.split('@').slice(0, 1)]
  const known = parts.map((part) => part.normalize('NFKC').toLowerCase())
  const holds = known.some((part) => part.length >= PART_MIN && plain.includes(part))
  return holds ? 'must not contain your name or e-mail address' : undefined
}

function isCommon(plain: string): boolean {
  const bare = plain.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const readings = [plain, bare, respelled(plain), respelled(plain.replace(/[\d\W_]{1,4}$/, ''))]
  return isRow(plain) || readings.some((one) => COMMON.has(one) || COMMON.has(unit(one)))
}

const respelled = (text: string) => [...text].map((letter) => LETTERS[letter] ?? letter).join('')

/** The shortest text that `text` repeats: `abab` is `ab` twice. */
function unit(text: string): string {
  const at = (text + text).indexOf(text, 1)
  return at > 0 ? text.slice(0, at) : text
}

/** Few characters again and again, or neighbours on a keyboard or in the alphabet. */
function isRow(plain: string): boolean {
  const one = unit(plain)
  if (new Set(plain).size < 4) return true
  const backwards = [...one].reverse().join('')
  return ROWS.some((row) => row.includes(one) || row.includes(backwards))
}
