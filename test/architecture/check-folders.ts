import { join } from 'node:path'
import { entryOf, importsBetween, mutualPairs, readImports, rings } from './folder-imports.ts'
import { FOLDER_ORDER, WITHOUT_RINGS } from './folder-order.ts'

/** A `model/` folder holds the words, rules, tables and stores of a feature. */
const isModel = (path: string) => /^src\/ask\/[^/]+\/model\//.test(path)
const isUseCase = (path: string) => /^src\/ask\/(?!wire\/)/.test(path) && !isModel(path)

/**
 * Prints the rings and mutual pairs of folders. Fails for imports against the order of the folders,
 * which is what a new ring begins with, for a folder without a place in it, and for a ring where no
 * order is set. The first argument is the root of the repository.
 */
const root = Bun.argv[2] ?? join(import.meta.dir, '../..')
const all = await readImports(root)
const problems = all
  .filter(([file, imported]) => isModel(file) && isUseCase(imported))
  .map(
    ([file, imported]) =>
      `${file} imports ${imported}: a model imports no use case. Pass in what it calls, or move the word into a model.`,
  )
for (const [parent, order] of Object.entries(FOLDER_ORDER)) {
  for (const entry of new Set(all.flat().flatMap((path) => entryOf(parent, path) ?? []))) {
    if (!order.includes(entry)) {
      problems.push(`${parent}/${entry} has no place in test/architecture/folder-order.ts.`)
    }
  }
  const imports = importsBetween(all, parent)
  for (const { file, imported, from, to } of imports) {
    if (order.indexOf(to) > order.indexOf(from)) {
      problems.push(
        `${file} imports ${imported}: ${to} comes after ${from} in ${parent}. Pass in what it calls, or move the piece to where it belongs.`,
      )
    }
  }
  printRings(parent)
}
for (const parent of WITHOUT_RINGS) {
  for (const ring of printRings(parent)) {
    problems.push(
      `${parent}: ${ring} import each other. Pass in what one calls, or move the piece.`,
    )
  }
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0

function printRings(parent: string): string[] {
  const imports = importsBetween(all, parent)
  const groups = rings(imports).map((ring) => ring.join(', '))
  const pairs = mutualPairs(imports).length
  console.log(`${parent}: ${groups.length} rings, ${pairs} pairs of folders that import each other`)
  for (const ring of groups) console.log(`  ring: ${ring}`)
  return groups
}
