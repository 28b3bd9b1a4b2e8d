import ceiling from './ceiling.json' with { type: 'json' }
import { measureDocs, SENTENCE_WORDS_MAX } from './measure-docs.ts'

const CEILING = `${import.meta.dir}/ceiling.json`
const SHOWN = 10

/**
 * `bun run check`: the pages have no more words, and no more long sentences, than the ceiling says;
 * `--lower` (in `bun run fix`) brings the ceiling down to what they have. It is never raised.
 */
const { words, long } = await measureDocs()
console.log(
  `docs: ${words} of ${ceiling.words} words, ${long.length} of ${ceiling.longSentences} sentences over ${SENTENCE_WORDS_MAX} words`,
)
if (words > ceiling.words) {
  console.error('The docs have grown: say something shorter, or remove what is said twice.')
  process.exitCode = 1
}
if (long.length > ceiling.longSentences) {
  for (const { page, line, words: count, text } of long.slice(0, SHOWN)) {
    console.error(`${page}:${line} has a sentence of ${count} words: ${text}`)
  }
  process.exitCode = 1
}
if (process.argv.includes('--lower') && !process.exitCode) {
  await Bun.write(CEILING, `{ "words": ${words}, "longSentences": ${long.length} }\n`)
}
