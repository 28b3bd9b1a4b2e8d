// Plays OpenCode for its plugin, as a process of its own: `opencode-host.ts PLUGIN DIRECTORY`, with
// the steps as JSON on standard input. Prints what became of each, and what the plugin answered.

type Step =
  | { hook: 'tool.execute.before' | 'tool.execute.after'; input: object; output: object }
  | { event: object }
  /** Until that many answers came from the plugin, or the time is over. */
  | { answers: number; ms: number }

export type Hook = (input: object, output?: object) => Promise<void>

const [path = '', directory = ''] = process.argv.slice(2)
const { Beckon } = (await import(path)) as { Beckon: (host: object) => Promise<object> }
const answers: object[] = []
const client = {
  postSessionIdPermissionsPermissionId: async (answer: object) => void answers.push(answer),
  _client: {
    post: async ({ url, body }: { url: string; body: object }) => answers.push({ url, body }),
  },
}
const plugin = (await Beckon({ client, directory, worktree: '/' })) as Record<string, Hook>
const done: object[] = []
for (const step of (await Bun.stdin.json()) as Step[]) done.push(await take(step))
console.log(JSON.stringify({ done, answers }))
process.exit(0)

async function take(step: Step): Promise<object> {
  if ('answers' in step) {
    const until = Date.now() + step.ms
    while (answers.length < step.answers && Date.now() < until) await Bun.sleep(10)
    return { answers: answers.length }
  }
  if ('event' in step) {
    await plugin.event?.({ event: step.event })
    return {}
  }
  try {
    await plugin[step.hook]?.(step.input, step.output)
    return { output: step.output }
  } catch (error) {
    return { threw: (error as Error).message, output: step.output }
  }
}
