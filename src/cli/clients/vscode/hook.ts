import type { HookClient } from '../client.ts'
import { copilotHook } from '../copilot/hook.ts'
import { sniffClient } from '../sniff.ts'
import { parseVsCode } from './shape.ts'

/** Copilot in VS Code; Copilot CLI reads the same files of hooks and may be the one that calls. */
export const vsCodeHook: HookClient = {
  ...copilotHook,
  name: 'vscode',
  title: 'VS Code',
  relays: false,
  parse: (input, env, event) =>
    sniffClient(input) === 'copilot'
      ? copilotHook.parse(input, env, event)
      : parseVsCode(input, env, event),
}
