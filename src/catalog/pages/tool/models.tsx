/** @jsxImportSource preact */
import { cleanLine } from '../../../platform/text.ts'
import { pageHref } from '../../page-paths.ts'
import { flagWords, MODELS_SHOWN } from '../../records/models.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { isDay } from '../../records/words.ts'
import { Columns, Day, SheetSection, SourceLink } from '../parts/section.tsx'
import { number } from '../words.ts'

type Model = NonNullable<ToolDetail['live']['models']>[string]

/** The capabilities of each model with their source, for the first hundred. */
export function Models({ tool }: { tool: ToolDetail }) {
  const all = Object.entries(tool.live.models ?? {})
  if (all.length === 0) return null
  const visible = all.slice(0, MODELS_SHOWN)
  return (
    <SheetSection id="models" title="Models">
      <table class="plain">
        <Columns names={['Model', 'Can', 'Read at']} />
        <tbody>
          {visible.map(([id, model]) => (
            <tr>
              <th scope="row" dir="auto">
                <code>{cleanLine(id)}</code>
                {sizeOf(model) && <small>{sizeOf(model)}</small>}
              </th>
              <td dir="auto">{abilityOf(model)}</td>
              <td>
                <Read url={model.source} at={model.checkedAt} />
                <Read url={model.writtenSource} at={model.writtenOn} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {all.length > visible.length && (
        <p class="soft">
          {number(all.length - visible.length)} more stand in{' '}
          <a href={`/api/v1${pageHref.tool(tool.slug)}.json`}>the record</a>.
        </p>
      )}
    </SheetSection>
  )
}

function Read({ url, at }: { url: unknown; at: unknown }) {
  if (typeof url !== 'string') return null
  const day = typeof at === 'string' ? at.slice(0, 10) : ''
  return (
    <>
      <SourceLink to={url} />{' '}
      {isDay(day) && (
        <small>
          <Day day={day} />
        </small>
      )}{' '}
    </>
  )
}

function sizeOf({ contextTokens, outputTokens }: Model): string {
  const parts = [
    typeof contextTokens === 'number' ? `${number(contextTokens)} tokens of context` : '',
    typeof outputTokens === 'number' ? `${number(outputTokens)} of output` : '',
  ]
  return parts.filter(Boolean).join(', ')
}

function abilityOf(model: Model): string {
  const cannot = flagWords(model, false)
  const parts = [
    flagWords(model, true).join(', '),
    cannot.length > 0 ? `not: ${cannot.join(', ')}` : '',
    textOf('takes', model.input),
    textOf('gives', model.output),
    textOf('knowledge until', model.knowledge),
  ]
  return parts.filter(Boolean).join('; ')
}

function textOf(label: string, value: unknown): string {
  const text = typeof value === 'string' ? cleanLine(value) : ''
  return text === '' ? '' : `${label} ${text}`
}
