import type { Frame } from './frame.ts'
import type { TestExpression, WordNode } from './parse.ts'
import type { Word } from './reading.ts'
import type { ShellState } from './state.ts'
import { expandWord } from './words.ts'

// Their operands are read as arithmetic, in which `a[$(…)]` runs a command.
const ARITHMETIC = /^-(eq|ne|lt|le|gt|ge)$/

/** Reads `[[ … ]]`: the commands in its words, and what its words could run. */
export function checkTest(expression: TestExpression, state: ShellState, frame: Frame): void {
  switch (expression.type) {
    case 'TestUnary':
      if (/^-[vR]$/.test(expression.operator)) checkName(expression.operand, frame)
      expandWord(expression.operand, state, frame)
      return
    case 'TestBinary':
      for (const side of [expression.left, expression.right]) {
        const words = expandWord(side, state, frame)
        if (!ARITHMETIC.test(expression.operator)) continue
        const isNumber = words.every(
          ({ sure, text }) => sure === 'number' || (sure === 'text' && /^-?\d+$/.test(text)),
        )
        const isFree = /^"?\$\{?[A-Za-z_]\w*\}?"?$/.test(side.text) && !isSet(side.text, state)
        if (!isNumber && !isFree) frame.gap('expansion', frame.spanOf(side.pos, side.end))
      }
      return
    case 'TestLogical':
      for (const operand of expression.operands) checkTest(operand, state, frame)
      return
    case 'TestNot': {
      checkTest(expression.operand, state, frame)
      return
    }
    case 'TestGroup': {
      checkTest(expression.expression, state, frame)
      return
    }
  }
}

function isSet(text: string, state: ShellState): boolean {
  return state.vars.has(text.replace(/[^\w]/g, ''))
}

function checkName(word: WordNode, frame: Frame): void {
  if (!/^\w+$/.test(word.text)) frame.gap('expansion', frame.spanOf(word.pos, word.end))
}

/** `[ -v a[$(x)] ]` runs `x`: what is tested to be set is a plain name. */
export function checkTestWords(words: readonly Word[], frame: Frame): void {
  for (const [at, word] of words.entries()) {
    const mayTest = word.sure === 'text' ? /^-[vR]$/.test(word.text) : !word.prefix
    const next = words[at + 1]
    const isName = next?.sure === 'text' && !next.text.includes('[')
    const isLast = next === undefined || next.text === ']'
    if (word.many && word.sure === 'part') frame.gap('word', word.at, '[')
    else if (mayTest && word.sure !== 'number' && !isName && !isLast) {
      frame.gap('expansion', next?.at ?? word.at)
    }
  }
}
