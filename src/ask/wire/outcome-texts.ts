/** The kind of an outcome: a yes or no to something, another answer, or a scope. */
export type OutcomeKind = 'approval' | 'question' | 'scope'

/**
 * Returns the kind of a question or its result. A confirm counts as an approval whatever its words
 * are: only a yes lets its agent do what it asks about.
 */
export function outcomeKind(of: { type?: string | undefined; isScope: boolean }): OutcomeKind {
  if (of.isScope) return 'scope'
  return of.type === 'confirm' || of.type === undefined ? 'approval' : 'question'
}

/**
 * The consequence of every end without an answer: no answer is neither yes nor no. It continues a
 * sentence.
 */
export const NEITHER: Readonly<Record<OutcomeKind, string>> = {
  approval: 'neither yes nor no: do not do it',
  question: 'neither yes nor no: do not guess an answer',
  scope: 'neither yes nor no: no scope was agreed',
}
