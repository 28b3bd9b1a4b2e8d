import type { HookContext } from './context.ts'
import { SILENT, type Verdict } from './tool-call.ts'

/** What the hook has to say to one event; each job is loaded only for its own. */
export async function decide(context: HookContext): Promise<Verdict> {
  switch (context.call.event) {
    default:
      return SILENT
  }
}
