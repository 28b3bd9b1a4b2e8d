import { basename, join } from 'node:path'

const SOURCES = join(import.meta.dir, '../..')

/**
 * Scripts for browsers, bundled and minified, by their names. `folder` is below `src`. Import it
 * `with { type: 'macro' }`: then the executable contains the finished texts, and a server that runs
 * from source bundles them when it loads the file (25 ms). A macro must not call `Bun.build`,
 * because the bundler waits for the macro; so another process does it. Throws if a script cannot be
 * bundled.
 */
export function bundleScripts<const Name extends string>(
  folder: string,
  names: readonly Name[],
): Record<Name, string> {
  const paths = names.map((name) => join(SOURCES, folder, name))
  const command = [process.execPath, import.meta.path, ...paths]
  const { exitCode, stdout, stderr } = Bun.spawnSync(command)
  if (exitCode !== 0) throw new Error(`The scripts of ${folder} were not bundled: ${stderr}`)
  return JSON.parse(stdout.toString())
}

/** The other process: bundles the files it is given, and prints their texts by name as JSON. */
if (import.meta.main) {
  const naming = '[name].[ext]'
  const entrypoints = process.argv.slice(2)
  const { outputs } = await Bun.build({ entrypoints, target: 'browser', minify: true, naming })
  const texts = outputs.map(async (file) => [basename(file.path), await file.text()] as const)
  process.stdout.write(JSON.stringify(Object.fromEntries(await Promise.all(texts))))
}
