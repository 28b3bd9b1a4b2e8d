let ending: Promise<void> | undefined

/** Resolves when this turn of the event loop is over, for everyone who asked during it at once. */
export function endOfTurn(): Promise<void> {
  ending ??= new Promise((resolve) => {
    setImmediate(() => {
      ending = undefined
      resolve()
    })
  })
  return ending
}
