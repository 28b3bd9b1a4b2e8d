import { flagWords, MODELS_SHOWN } from '../../records/models.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { mdAddress, mdCode, mdText } from './escape.ts'
import { joinedWords } from './lines.ts'

type Model = NonNullable<ToolDetail['live']['models']>[string]

/** The capabilities of each model, one line each, for the first hundred. */
export function modelLines({ live, jsonUrl }: ToolDetail): string[] {
  const all = Object.entries(live.models ?? {})
  const shown = all.slice(0, MODELS_SHOWN).map(([id, model]) => modelLine(id, model))
  const more = all.length - shown.length
  return more > 0 ? [...shown, `- ${more} more: ${mdAddress(jsonUrl)}`] : shown
}

function modelLine(id: string, model: Model): string {
  const can = joinedWords(flagWords(model, true))
  const cannot = joinedWords(flagWords(model, false))
  const facts = [
    can,
    cannot && `not: ${cannot}`,
    amount('context', model.contextTokens),
    amount('longest output', model.outputTokens),
    named('takes', model.input),
    named('gives', model.output),
    named('knowledge until', model.knowledge),
    named('owned by', model.ownedBy),
  ].filter(Boolean)
  const sources = [
    sourceOf(model.source, model.checkedAt),
    sourceOf(model.writtenSource, model.writtenOn),
  ].filter(Boolean)
  const read = sources.length > 0 ? ` (${sources.join(', ')})` : ''
  return `- ${mdCode(id)}${facts.length > 0 ? `: ${facts.join('; ')}` : ''}${read}`
}

function amount(label: string, value: unknown): string {
  return typeof value === 'number' ? `${label} ${value} tokens` : ''
}

function named(label: string, value: unknown): string {
  const text = typeof value === 'string' ? mdText(value) : ''
  return text === '' ? '' : `${label} ${text}`
}

function sourceOf(url: unknown, day: unknown): string {
  if (typeof url !== 'string') return ''
  return `${mdAddress(url)} ${typeof day === 'string' ? mdText(day.slice(0, 10)) : ''}`.trim()
}
