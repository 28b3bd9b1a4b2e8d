/** @jsxImportSource preact */

import { Icon } from '../../../platform/web/icon.tsx'
import { paths } from '../../pages/paths.ts'
import type { QuestionId } from '../../wire/ids.ts'
import { PROGRAM_KINDS, type ProgramKind } from '../../wire/reading/own-programs.ts'

type KindText = { label: string; what: string }

/** The two kinds as an owner chooses between them. */
const KIND_TEXTS: Record<ProgramKind, KindText> = {
  words: {
    label: 'It starts no other program',
    what: 'What it does stands in its words, and it runs nothing that they name. Not for a program that runs code or commands it is given.',
  },
  project: {
    label: 'It is a tool of the project',
    what: 'It runs code of the project, as a build or a test does. Calls with a setting that could name another program are still shown as not known.',
  },
}

type Props = {
  /** The programs of the question that nobody knows. */
  names: readonly string[]
  /** The kinds with which its command would still not be read to its end. */
  tooLittle: readonly ProgramKind[]
  question: QuestionId
}

/** On the page of a question that is open because of a program: an owner may say what it does. */
export function AddPrograms({ names, tooLittle, question }: Props) {
  return names.map((name) => (
    <details class="add-program">
      <summary>
        <Icon name="plus" />
        <span>
          You know <code>{name}</code>? Say what it does…
        </span>
      </summary>
      <form method="post" action={paths.programs}>
        <input type="hidden" name="question" value={question} />
        <input type="hidden" name="name" value={name} />
        <KindButtons tooLittle={tooLittle} />
        <p class="soft">
          It holds for everybody in this workspace, for this name without a folder, until you remove
          it under <a href={`${paths.policy}#programs`}>Policy, Programs</a>. Then a message may
          have a Yes for it and a rule may allow it; what looks dangerous is still asked twice.
        </p>
      </form>
    </details>
  ))
}

/** One button for each kind: a tap saves it. */
export function KindButtons({ tooLittle = [] }: Partial<Pick<Props, 'tooLittle'>>) {
  return (
    <fieldset class="choices">
      {PROGRAM_KINDS.map((kind) => (
        <button type="submit" name="kind" value={kind} class="choice">
          <span class="choice-text">
            <b>{KIND_TEXTS[kind].label}</b>
            <small>
              {KIND_TEXTS[kind].what}
              {tooLittle.includes(kind) && ' This one has such a setting.'}
            </small>
          </span>
        </button>
      ))}
    </fieldset>
  )
}
