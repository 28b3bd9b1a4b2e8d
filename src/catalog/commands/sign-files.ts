import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { WrongUsage } from '../../platform/config/wrong-usage.ts'
import { Failure } from '../../platform/failure.ts'
import { EXIT } from '../../platform/terminal/command.ts'
import { note, say } from '../../platform/terminal/terminal.ts'
import { loadFolder } from '../authoring/load-folder.ts'
import { problemLine } from '../authoring/problem-line.ts'
import { kidOf, type PrivateJwk } from '../signing/keys.ts'
import { signReview } from '../signing/review.ts'
import { catalogFolder } from './folder.ts'

type How = {
  key: string
  all: boolean
  dir: string | undefined
  data: string | undefined
  json: boolean
}

/** Signs reviews of a folder in which nothing is wrong; those that are named, or every unsigned one. */
export async function signFiles(given: readonly string[], how: How): Promise<number> {
  if (how.all === given.length > 0) throw new WrongUsage('Name the reviews to sign, or say --all.')
  const { kid, jwk } = await readPrivateKey(how.key)
  const [first] = given
  const folder =
    how.dir === undefined && first !== undefined
      ? resolve(dirname(first), '../..')
      : catalogFolder(how.data, how.dir)
  const { source, problems } = await loadFolder(folder)
  if (!source) {
    for (const problem of problems) note(problemLine(problem))
    note(`Nothing was signed: ${folder} is not in order.`)
    return EXIT.failed
  }
  const byPath = new Map(
    source.reviews.map((one) => [join(folder, 'reviews', one.tool, `${one.id}.json`), one]),
  )
  const wanted = how.all
    ? [...byPath].filter(([, one]) => !one.signature).map(([path]) => path)
    : given.map((path) => resolve(path))
  for (const path of wanted) {
    if (!byPath.has(path)) throw new Failure('not_found', `${path} is no review of ${folder}.`)
  }
  const signed: string[] = []
  for (const path of wanted) {
    const review = byPath.get(path)
    if (!review) continue
    const { id, tool, signature: _, ...body } = review
    const signature = await signReview(review, jwk, kid)
    writeWhole(path, `${JSON.stringify({ ...body, signature }, null, 2)}\n`)
    signed.push(`reviews/${tool}/${basename(path)}`)
  }
  if (how.json) say(JSON.stringify({ folder, kid, signed }))
  else for (const path of signed) say(`${path}: signed with ${kid}`)
  if (signed.length === 0) note('Nothing was signed: every review has a signature already.')
  const isKnown = source.keys?.some((one) => one.kid === kid)
  if (!isKnown) note(`${kid} is not in keys.yaml; its reviews will be shown as of an unknown key.`)
  return EXIT.done
}

async function readPrivateKey(file: string): Promise<{ kid: string; jwk: PrivateJwk }> {
  try {
    const { kty, crv, x, d } = JSON.parse(readFileSync(file, 'utf8'))
    const jwk = { kty, crv, x, d }
    const isKey = kty === 'OKP' && crv === 'Ed25519' && typeof x === 'string'
    if (isKey && typeof d === 'string') return { kid: await kidOf(jwk), jwk }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code) throw new Failure('not_found', `The key ${file} cannot be read (${code}).`)
  }
  throw new Failure(
    'invalid_input',
    `${file} is no key; beckon catalog sign --new-key FILE makes one.`,
  )
}

/** A reader never sees half of it. */
function writeWhole(path: string, text: string): void {
  const draft = `${path}.signing~`
  writeFileSync(draft, text)
  renameSync(draft, path)
}
