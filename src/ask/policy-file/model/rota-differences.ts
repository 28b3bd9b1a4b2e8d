import type { RotasInFile } from './rotas-in-file.ts'

/** What differs in rotas, by name and field. */
export function rotaDifferences(before: RotasInFile = {}, now: RotasInFile = {}) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])]
  return names.flatMap((name) => {
    const [old, next] = [before[name], now[name]]
    if (Bun.deepEquals(old, next)) return []
    const change = changeOf(old, next)
    return [{ part: 'rota' as const, name, change, fields: fieldsOf(old, next) }]
  })
}

function fieldsOf(before: RotasInFile[string] | undefined, now: RotasInFile[string] | undefined) {
  const of = (rota: RotasInFile[string] | undefined): Partial<Record<string, unknown>> =>
    typeof rota === 'object' ? rota : { calendar: rota }
  const [old, next] = [of(before), of(now)]
  return [...new Set([...Object.keys(old), ...Object.keys(next)])]
    .map((field) => ({ field, before: old[field], now: next[field] }))
    .filter((one) => !Bun.deepEquals(one.before, one.now))
}

function changeOf(before: unknown, now: unknown): 'added' | 'removed' | 'changed' {
  if (before === undefined) return 'added'
  return now === undefined ? 'removed' : 'changed'
}
