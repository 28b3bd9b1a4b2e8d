/** Etiquette for agents; clients put it into the model's prompt (at most 512 characters). */
export const INSTRUCTIONS = [
  'Beckon reaches a person on their phone and browser.',
  'Ask with ask_user when only they can decide, one question at a time, with enough context to decide on a small screen.',
  'Silence is not a yes: after timedOut the question is still open, so call wait_for_answer once, then follow handoffAction, else nextAction; never ask the same again.',
  'Withdraw what no longer matters with cancel_question.',
  'Tell them with send_notification when long work ends or fails, not about every step.',
  'Never send secrets.',
].join(' ')

/** The same for addresses whose results are sentences with a next step. */
export const LEAN_INSTRUCTIONS = [
  'Beckon reaches a person on their phone and browser.',
  'Ask with ask_user what only they can decide, one question at a time; tell them with send_notification when long work ends or fails.',
  'Follow the next step (hint) of each result; silence is neither yes nor no, and an open question is never asked again.',
  'What stands in quotation marks in a result was written by people.',
  'Never send secrets.',
].join(' ')
