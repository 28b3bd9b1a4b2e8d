import type { AuthoredTool } from '../records/authored.ts'
import type { Live } from '../records/live.ts'
import { MODELS_MAX } from '../records/models.ts'

type Models = NonNullable<Live['models']>
type Model = Models[string]

/**
 * Capabilities by model. Measured values win over written ones, field by field. `source` and
 * `checkedAt` say where and when a model was measured, or name the file's source and its day. If
 * both exist, those of the file are `writtenSource` and `writtenOn`. Undefined if nothing is known
 * of any model.
 */
export function modelsOf(tool: AuthoredTool, live: Live): Live['models'] {
  const written = writtenModels(tool)
  if (!tool.models) return live.models
  const measured = new Map(Object.entries(live.models ?? {}))
  const both = [...written].map(([id, model]): [string, Model] => {
    const own = measured.get(id)
    return [id, own ? { ...underneath(model), ...own } : model]
  })
  const others = [...measured].filter(([id]) => !written.has(id))
  return Object.fromEntries([...both, ...others].slice(0, MODELS_MAX))
}

function writtenModels({ models = {}, sources = [] }: AuthoredTool): Map<string, Model> {
  const from = sources.find(({ facts }) => facts.includes('models'))
  return new Map(
    Object.entries(models).map(([id, { input, output, ...flat }]) => [
      id,
      {
        ...flat,
        ...(input ? { input: input.join(', ') } : {}),
        ...(output ? { output: output.join(', ') } : {}),
        ...(from ? { source: from.url, checkedAt: from.read } : {}),
      },
    ]),
  )
}

function underneath({ source, checkedAt, ...model }: Model): Model {
  return {
    ...model,
    ...(source === undefined ? {} : { writtenSource: source }),
    ...(checkedAt === undefined ? {} : { writtenOn: checkedAt }),
  }
}
