import { isPlainToSee } from '../../questions/model/message-parts.ts'
import type { Question } from '../../questions/model/question.ts'
import { takesYes } from '../../votes/model/requirement.ts'
import { buttonText, type Choice, type SlackPlace } from './place.ts'
import { plainText } from './text.ts'

// Limits of Slack's Block Kit: Button element, Confirmation dialog object.
export const BUTTON_MAX = 75

/**
 * The buttons under a question: its answers, the form, and the page. A message that does not show
 * all that a choice rests on has "Look" alone; where a rule takes a yes on the page alone, "No" stays.
 */
export function answerButtons(question: Question, place: SlackPlace, page: string | undefined) {
  const offered = mayAnswerInSlack(question)
  const elements = offered
    ? [
        ...choicesOf(question)
          .filter(({ choice }) => isOffered(question, choice))
          .map(choiceButton),
        ...(isOffered(question, 'form') ? formButton(question) : []),
      ]
    : []
  function choiceButton({ label, choice, style }: AnswerButton) {
    return {
      type: 'button',
      action_id: `answer_${choice}`,
      text: plainText(label, BUTTON_MAX),
      value: buttonText(place, choice),
      ...(style ? { style } : {}),
    }
  }
  function formButton({ type, detail }: Question) {
    const label = type === 'input' ? 'Answer…' : FORM_LABELS[detail.multiSelect ? 'several' : 'one']
    const button = {
      type: 'button',
      action_id: 'form',
      text: plainText(label, BUTTON_MAX),
      value: buttonText(place, 'form'),
    }
    return [type === 'input' ? { ...button, style: 'primary' } : button]
  }
  const look = { type: 'button', action_id: 'open', text: plainText('Look', BUTTON_MAX), url: page }
  const all = page ? [...elements, look] : elements
  return all.length > 0 ? [{ type: 'actions', elements: all }] : []
}

/** Returns true if this may be pressed in Slack: anything may but what a rule takes on the page alone. */
export function isOffered({ type, requirement }: Question, choice: Choice): boolean {
  if (!requirement || takesYes(requirement, 'chat')) return true
  return type === 'confirm' && choice === 'no'
}

/**
 * Returns true if a question may be answered in Slack: the message shows all of it, or the answer
 * is typed.
 */
export function mayAnswerInSlack(question: Question): boolean {
  // A form is answered as a whole, on its page.
  if (question.detail.form) return false
  return question.type === 'input' || isPlainToSee(question)
}

const FORM_LABELS = { one: 'Answer with a note…', several: 'Choose…' }

type AnswerButton = { label: string; choice: Choice; style?: 'primary' }

function choicesOf({ type, choices, detail }: Question): AnswerButton[] {
  if (type === 'confirm') {
    return [
      { label: 'Yes', choice: 'yes', style: 'primary' },
      { label: 'No', choice: 'no' },
    ]
  }
  if (type === 'input' || detail.multiSelect) return []
  return choices.map(({ label }, choice) => ({ label, choice }))
}
