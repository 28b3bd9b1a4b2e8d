/** Returns true for test traffic, which programs answer: such an answer decides nothing here. */
export function isTestTraffic({
  env,
  answerSource,
}: {
  env?: string | undefined
  answerSource?: string | undefined
}): boolean {
  return env === 'test' || answerSource === 'sandbox'
}
