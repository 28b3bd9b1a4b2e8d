import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Driver } from './driver.ts'
import { chat } from './models/chat.ts'
import { type Model, startModel } from './models/model.ts'

const MODEL = 'custom:stand-in-0'

const settings = (model: Model) => ({
  customModels: [
    {
      ...{ id: MODEL, index: 0, model: 'stand-in', displayName: 'stand-in' },
      ...{ provider: 'generic-chat-completion-api', baseUrl: `${model.url}/v1`, apiKey: 'x' },
      ...{ maxOutputTokens: 4_000, noImageSupport: true },
    },
  ],
  cloudSessionSync: false,
})

export const droid: Driver = {
  name: 'droid',
  package: 'droid',
  startModel: () => startModel(chat),
  async connect(world, model) {
    mkdirSync(join(world.home, '.factory'), { recursive: true })
    writeFileSync(join(world.home, '.factory/settings.json'), JSON.stringify(settings(model)))
    await world.setUp('droid')
  },
  // Any key will do: it is asked for only by Factory's own models.
  run: (world, _model, binary) =>
    world.run([binary, 'exec', '-m', MODEL, '--auto', 'high', 'Go on.'], {
      env: { FACTORY_API_KEY: 'fk-none' },
    }),
  ours: (tool, input) => ({ tool: `beckon___${tool}`, input }),
  write: (file_path, content) => ({ tool: 'Create', input: { file_path, content } }),
  shell: (command) => ({
    tool: 'Execute',
    input: {
      command,
      summary: 'a command',
      timeout: 30,
      riskLevelReason: 'none',
      riskLevel: 'low',
    },
  }),
}
