import type { Driver } from './driver.ts'
import { chat } from './models/chat.ts'
import { startModel } from './models/model.ts'

export const cline: Driver = {
  name: 'cline',
  package: 'cline',
  startModel: () => startModel(chat),
  async connect(world, model, binary) {
    const provider = ['-p', 'openai-compatible', '-k', 'x', '-m', 'stand-in']
    await world.run([binary, 'auth', ...provider, '-b', `${model.url}/v1`])
    await world.setUp('cline')
  },
  // One word would be read as a command.
  run: (world, _model, binary) => world.run([binary, '--json', 'Go on.']),
  ours: (tool, input) => ({ tool: `beckon__${tool}`, input }),
  write: (path, content) => ({ tool: 'editor', input: { path, new_text: content } }),
  shell: (command) => ({ tool: 'run_commands', input: { commands: [command] } }),
}
