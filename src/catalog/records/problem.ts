/** One thing that is wrong in the data folder, for the person who wrote the file. */
export type FileProblem = {
  /** From the data folder, with slashes. */
  file: string
  /** From 1; 0 when it is about the file as a whole. */
  line: number
  /** Where in the file, as `unitPrices[0].usd`; empty for the whole. */
  field: string
  expected: string
  found: string
}
