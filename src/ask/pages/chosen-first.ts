/**
 * The same in their order, those that are chosen first: in a list of two hundred nobody would see
 * them.
 */
export function chosenFirst<T extends { id: string }>(
  all: readonly T[],
  chosen: ReadonlySet<string>,
): T[] {
  const isChosen = ({ id }: T) => chosen.has(id)
  return [...all.filter(isChosen), ...all.filter((one) => !isChosen(one))]
}
