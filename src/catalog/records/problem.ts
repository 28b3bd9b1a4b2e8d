/** One problem in a catalog's folder, for the author of the file. */
export type FileProblem = {
  /** Path in the folder, with slashes. */
  file: string
  /** From 1; 0 for the file as a whole. */
  line: number
  /** The field, such as `unitPrices[0].usd`; empty for the whole file. */
  field: string
  expected: string
  found: string
}
