/** @jsxImportSource preact */

import { Icon } from '../../../platform/web/icon.tsx'
import { grantedWords, mayAskForGrant, whyNoGrant } from '../../grants/model/grant.ts'
import { examplesOfWords } from '../../grants/model/words-examples.ts'
import { ExampleLists } from '../../pages/examples.tsx'
import { MarkedCommand } from '../../pages/marked.tsx'
import { href } from '../../pages/paths.ts'
import { exactRule } from '../../policy/model/rule-decision.ts'
import type { Question } from '../../questions/model/question.ts'
import { patternWords } from '../../wire/reading/word-pattern.ts'

/** "Yes, and …": the same call allowed for longer; where that is not offered, why. */
export function LongerYes({ question }: { question: Question }) {
  if (!mayAskForGrant(question)) return null
  const why = whyNoGrant(question)
  return (
    <details class="longer">
      <summary>
        <Icon name="clock" />
        {why === undefined ? 'Yes, and the next time too…' : 'Why only this once?'}
      </summary>
      {why === undefined ? <Choices question={question} /> : <p class="soft">{why}</p>}
    </details>
  )
}

function Choices({ question }: { question: Question }) {
  const { action, exact, toolName } = question.detail
  return (
    <div class="longer-what">
      <p>
        Exactly{' '}
        <code>
          <MarkedCommand text={action ?? toolName ?? ''} />
        </code>{' '}
        in <code>{exact?.cwd}</code>, in this session. For anything else you are asked, also for the
        same command described in other words: the description is part of the call.
      </p>
      <button type="submit" name="grant" value="15_minutes">
        Yes for 15 minutes
      </button>
      <button type="submit" name="grant" value="session">
        Yes for this session
      </button>
      <BeginsSo question={question} />
      {exactRule(question) && (
        <a class="button" href={href.ruleFrom(question.id)}>
          Always (make this a rule)…
        </a>
      )}
      <p class="soft">
        You can take it back under Settings, Allowed for now. A yes for this session ends with the
        session, after 12 hours at the latest. Before a rule is saved, an owner sees what it allows.
      </p>
    </div>
  )
}

/** A yes for all calls of the session that begin with the same words. */
function BeginsSo({ question }: { question: Question }) {
  const pattern = grantedWords(question)
  if (!pattern) return null
  const words = patternWords(pattern)
  return (
    <>
      <p>
        Or every call of{' '}
        <code>
          <MarkedCommand text={words} />
        </code>{' '}
        in this folder and session that is read to its end and looks harmless.
      </p>
      <ExampleLists examples={examplesOfWords(question)} shell />
      <button type="submit" name="grant" value="session_words">
        <span>
          Yes for <code>{words}</code> in this session
        </span>
      </button>
    </>
  )
}
