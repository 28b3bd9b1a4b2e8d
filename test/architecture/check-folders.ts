import { join } from 'node:path'
import { entryOf, importsBetween, mutualPairs, readImports, rings } from './folder-imports.ts'
import { FOLDER_ORDER } from './folder-order.ts'

/** A `model/` folder holds the words, rules, tables and stores of a feature. */
const isModel = (path: string) => /^src\/ask\/[^/]+\/model\//.test(path)
const isUseCase = (path: string) => /^src\/ask\/(?!wire\/)/.test(path) && !isModel(path)

/**
 * Prints the rings and mutual pairs of folders. Fails for imports against the order of the folders
 * and for a folder without a place in it. The first argument is the root of the repository.
 */
const root = Bun.argv[2] ?? join(import.meta.dir, '../..')
const all = await readImports(root)
const problems = all
  .filter(([file, imported]) => isModel(file) && isUseCase(imported))
  .map(
    ([file, imported]) =>
      `${file} imports ${imported}: a model imports no use case. Pass in what it calls, or move the word into a model.`,
  )
for (const [parent, { order, against }] of Object.entries(FOLDER_ORDER)) {
  const place = (entry: string) => order.indexOf(entry)
  for (const entry of new Set(all.flat().flatMap((path) => entryOf(parent, path) ?? []))) {
    if (place(entry) < 0) {
      problems.push(`${parent}/${entry} has no place in test/architecture/folder-order.ts.`)
    }
  }
  const imports = importsBetween(all, parent)
  const upwards = Map.groupBy(
    imports.filter(({ from, to }) => place(to) > place(from)),
    ({ from, to }) => `${from} > ${to}`,
  )
  for (const pair of new Set([...upwards.keys(), ...Object.keys(against)])) {
    const [count, bound] = [upwards.get(pair)?.length ?? 0, against[pair] ?? 0]
    if (count > bound) {
      const lines = upwards.get(pair)?.map(({ file, imported }) => `  ${file} imports ${imported}`)
      problems.push(`${parent}: ${pair} is against the order, ${bound} of these may be:`)
      problems.push(...(lines ?? []))
    } else if (count < bound) {
      problems.push(`${parent}: ${pair} has ${count} imports now; lower the bound of ${bound}.`)
    }
  }
  const found = rings(imports).map((ring) => ring.join(', '))
  const pairs = mutualPairs(imports).length
  console.log(`${parent}: ${found.length} rings, ${pairs} pairs of folders that import each other`)
  for (const ring of found) console.log(`  ring: ${ring}`)
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
