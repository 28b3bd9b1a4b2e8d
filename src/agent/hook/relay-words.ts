/** What the model reads after a no. */
export function declined(note: string | undefined): string {
  return `The person declined this from their phone.${quoted(note)} Do not retry it and do not work around it; go on with what they want, or ask.`
}

export function planDeclined(note: string | undefined): string {
  return `The person does not agree with this plan.${quoted(note)} Change the plan, or ask what is wrong with it.`
}

export function ruledOut(reason: string | undefined): string {
  const why = reason ? ` ${reason}` : ''
  return `A rule of the workspace declines this.${why} Do not retry it and do not work around it; ask the person.`
}

export const STOPPED =
  'The person wants you to stop. End your turn, and say what is done and what is not.'

function quoted(note: string | undefined): string {
  return note ? ` They say: ${JSON.stringify(note)}.` : ''
}
