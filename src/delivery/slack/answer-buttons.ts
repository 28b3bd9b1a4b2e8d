import { looksDestructive } from '../../questions/destructive.ts'
import type { Question } from '../../questions/question.ts'
import { buttonText, type Choice, type Place } from './place.ts'
import { plain } from './text.ts'

// Limits of Slack's Block Kit: Button element, Confirmation dialog object.
export const BUTTON_MAX = 75
const DIALOG_TITLE_MAX = 100
const DIALOG_TEXT_MAX = 300

/** Room for the question in the dialog that asks again. */
const ASKED_AGAIN = 'This may be hard to undo. '

/**
 * The buttons under a question. What looks hard to undo is never answered by one tap: Slack asks
 * again first, with the harmless way out (design: Delivery).
 */
export function answerButtons(question: Question, place: Place, page: string | undefined) {
  const careful = looksDestructive(question)
  const again = careful ? { confirm: asksAgain(question) } : {}
  const elements = [...choicesOf(question, careful).map(choiceButton), ...formButton(question)]
  function choiceButton({ label, choice, style, harmless }: Offer) {
    return {
      ...{ type: 'button', action_id: `answer_${choice}`, text: plain(label, BUTTON_MAX) },
      value: buttonText(place, choice),
      ...(style ? { style } : {}),
      ...(harmless ? {} : again),
    }
  }
  function formButton({ type, detail }: Question) {
    const label = type === 'input' ? 'Answer…' : FORM_LABELS[detail.multiSelect ? 'several' : 'one']
    const button = {
      ...{ type: 'button', action_id: 'form', text: plain(label, BUTTON_MAX) },
      value: buttonText(place, 'form'),
    }
    return [type === 'input' ? { ...button, style: 'primary' } : button]
  }
  const open = { type: 'button', action_id: 'open', text: plain('Open', BUTTON_MAX), url: page }
  return { type: 'actions', elements: page ? [...elements, open] : elements }
}

const FORM_LABELS = { one: 'Answer with a note…', several: 'Choose…' }

type Offer = { label: string; choice: Choice; style?: 'primary'; harmless?: true }

function choicesOf({ type, choices, detail }: Question, careful: boolean): Offer[] {
  if (type === 'confirm') {
    const [yes, no]: [Offer, Offer] = [
      { label: 'Yes', choice: 'yes' },
      { label: 'No', choice: 'no', harmless: true },
    ]
    // The solid one is the one that a hurried thumb finds.
    return careful ? [{ ...no, style: 'primary' }, yes] : [{ ...yes, style: 'primary' }, no]
  }
  if (type === 'input' || detail.multiSelect) return []
  return choices.map(({ label }, choice) => ({ label, choice }))
}

function asksAgain({ question, detail }: Question) {
  return {
    title: plain('Are you sure?', DIALOG_TITLE_MAX),
    text: plain(`${ASKED_AGAIN}${detail.action ?? question}`, DIALOG_TEXT_MAX),
    confirm: plain('Yes, go ahead', 30),
    deny: plain('No, go back', 30),
    style: 'danger',
  }
}
