/** The words by which a file of ours is known again. */
export const FILE_MARK = 'Written by `beckon setup'

/** Whether a whole file is ours. */
export function isOurFile(text: string): boolean {
  return text.includes(FILE_MARK)
}
