import { readdirSync, readFileSync } from 'node:fs'

/**
 * The files of `examples/catalog` by their paths. Called as a macro: it runs while the executable
 * is built, so that the texts are in it and no list of them has to be kept.
 */
export function catalogTexts(): Record<string, string> {
  const folder = `${import.meta.dir}/catalog`
  const paths = readdirSync(folder, { recursive: true })
    .map((path) => String(path).replaceAll('\\', '/'))
    .filter((path) => /\.(yaml|md)$/.test(path))
    .sort()
  return Object.fromEntries(paths.map((path) => [path, readFileSync(`${folder}/${path}`, 'utf8')]))
}
