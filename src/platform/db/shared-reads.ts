import type { Database } from 'bun:sqlite'

/**
 * Lets the reads of one turn of the event loop share one read transaction, because to begin and end
 * one takes ten times as long as a short read. `begin` is called before each read. `end` is called
 * before each commit of this process: then reads afterwards see what was written, and no old read
 * keeps the write-ahead log from starting over.
 */
export function shareReads(reader: Database) {
  const beginning = reader.prepare('begin')
  const ending = reader.prepare('commit')
  let isOpen = false

  function end() {
    if (!isOpen) return
    isOpen = false
    // An error may have ended it already.
    if (reader.inTransaction) ending.run()
  }

  return {
    begin() {
      if (isOpen) return
      beginning.run()
      isOpen = true
      setImmediate(end)
    },
    end,
    /** Ends what is open; no read may follow. */
    finalize() {
      end()
      beginning.finalize()
      ending.finalize()
    },
  }
}
