/** Words a no for the model. */
export function declined(note: string | undefined): string {
  return `The person declined this from their phone.${personSays(note)} Do not retry it and do not work around it; go on with what they want, or ask.`
}

export function planDeclined(note: string | undefined): string {
  return `The person does not agree with this plan.${personSays(note)} Change the plan, or ask what is wrong with it.`
}

export function ruledOut(reason: string | undefined): string {
  const why = reason ? ` ${reason}` : ''
  return `A rule of the workspace declines this.${why} Do not retry it and do not work around it; ask the person.`
}

/** Words the decision of a rule after nobody answered; no person declined. */
export function unansweredByRule(reason: string): string {
  return `Nobody answered in time. ${reason} No person declined it. Do not retry it or work around it; go on with what does not need it, and say at the end that nobody answered.`
}

export const STOPPED =
  'The person wants you to stop. End your turn, and say what is done and what is not.'

function personSays(note: string | undefined): string {
  return note ? ` They say: ${JSON.stringify(note)}.` : ''
}
