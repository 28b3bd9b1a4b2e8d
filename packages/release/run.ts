/** Runs a command to its end, in a folder; throws an `Error` with what it wrote when it fails. */
export async function run(command: readonly string[], folder: string): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd: folder,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if ((await child.exited) === 0) return out
  throw new Error(`${command.slice(0, 2).join(' ')} failed:\n${err}${out}`)
}
