import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadFolder } from '../../src/catalog/authoring/load-folder.ts'
import type { FileProblem } from '../../src/catalog/records/problem.ts'
import { writeGeneratedCatalog } from './generated-catalog.ts'
import { tempFolder } from './temp-folder.ts'

/** A file of a right folder, what breaks it (another text, or a change), and what is said of it. */
export type BrokenFile = [
  what: string,
  file: string,
  broken: [from: string | RegExp, to: string] | string,
  said: Partial<FileProblem>,
]

/** Everything that is said of a right folder in which one file is broken. */
export async function problemsWith([, file, broken]: BrokenFile): Promise<FileProblem[]> {
  using folder = tempFolder()
  writeGeneratedCatalog(folder.path, 4)
  const path = join(folder.path, file)
  mkdirSync(dirname(path), { recursive: true })
  if (typeof broken === 'string') writeFileSync(path, broken)
  else {
    const right = readFileSync(path, 'utf8')
    const text = right.replace(...broken)
    if (text === right) throw new Error(`nothing in ${file} was changed`)
    writeFileSync(path, text)
  }
  const { source, problems } = await loadFolder(folder.path)
  if (source) throw new Error(`${file} is broken, and nothing is said`)
  return problems
}
