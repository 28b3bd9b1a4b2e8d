import fc from 'fast-check'
import { fileCheck } from '../../../../src/catalog/authoring/check-file.ts'
import { parseJson } from '../../../../src/catalog/authoring/load-folder.ts'
import { readToolText } from '../../../../src/catalog/authoring/read-tool-text.ts'
import { exampleTexts } from '../../../../src/catalog/commands/init.ts'
import { METHODOLOGY_TEXT } from '../../../../src/catalog/grading/default-methodology.ts'
import { setItem } from '../../../../src/catalog/importers/edit-list.ts'
import { setFields } from '../../../../src/catalog/importers/edit-yaml.ts'
import {
  AuthoredChange,
  AuthoredTool,
  AuthoredVendor,
} from '../../../../src/catalog/records/authored.ts'
import { Methodology } from '../../../../src/catalog/records/methodology.ts'
import type { FileProblem } from '../../../../src/catalog/records/problem.ts'
import { isDay } from '../../../../src/catalog/records/words.ts'
import { parseYaml } from '../../../../src/platform/yaml/parse-yaml.ts'
import { asJsonText, mutatedText, nearly, ODD_VALUE } from '../mutate.ts'
import { type Became, must, parser, type Target } from '../target.ts'

const TEXTS = exampleTexts()
const ofFolder = (folder: string) =>
  [...TEXTS].filter(([path]) => path.startsWith(folder)).map(([, text]) => text)
export const YAML_PIECES = [
  ...[
    ': ',
    '- ',
    '\n',
    '\n  ',
    '#',
    '"',
    "'",
    '|',
    '>',
    '>-',
    '&a ',
    '*a',
    '<<: ',
    '!!binary ',
    '---\n',
  ],
  ...[
    '...\n',
    '{',
    '}',
    '[',
    ']',
    '? ',
    '\t',
    '~',
    'null',
    'true',
    '0x1F',
    '.inf',
    '2026-02-30',
    '%YAML 1.1\n',
  ],
]
export const CHECKS = {
  tool: fileCheck(AuthoredTool),
  vendor: fileCheck(AuthoredVendor),
  change: fileCheck(AuthoredChange),
  methodology: fileCheck(Methodology),
}

/** Problems name the file, a line of it, and what was expected. */
function fitProblems(problems: readonly FileProblem[], text: string): Became {
  const lines = text.split('\n').length
  must(problems.length > 0, 'refused without a problem')
  for (const { file, line, expected } of problems) {
    must(file !== '' && expected !== '', `says too little: ${JSON.stringify(problems)}`)
    must(line >= 1 && line <= lines + 1, `names line ${line} of ${lines}`)
  }
  return 'refused'
}

function record(name: keyof typeof CHECKS, texts: readonly string[]): Target {
  return parser(
    `catalog: YAML of a ${name}`,
    ['src/platform/yaml/parse-yaml.ts#parseYaml'],
    mutatedText(texts, YAML_PIECES),
    (text) => {
      const parsed = parseYaml('x.yaml', text)
      if (Array.isArray(parsed)) return fitProblems(parsed, text)
      const value = CHECKS[name](parsed)
      if (value === parsed.value) {
        parsed.lines()
        return 'taken'
      }
      return fitProblems(value as FileProblem[], text)
    },
  )
}

export const CATALOG_FILE_TARGETS: readonly Target[] = [
  record(
    'tool',
    ofFolder('tools/')
      .filter((text) => text.includes('vendor:'))
      .slice(0, 12),
  ),
  record('vendor', ofFolder('vendors/').slice(0, 6)),
  record('change', ofFolder('changes/').slice(0, 6)),
  record('methodology', [METHODOLOGY_TEXT]),
  parser(
    'catalog: JSON with lines',
    ['src/catalog/authoring/load-folder.ts#parseJson'],
    asJsonText(nearly({ id: 'r', tool: 'x', rating: 4, body: 'Good.\n\tYes' })),
    (text) => {
      const parsed = parseJson('x.json', text)
      return Array.isArray(parsed) ? fitProblems(parsed, text) : 'taken'
    },
  ),
  parser(
    'catalog: text of a tool',
    [
      'src/catalog/authoring/read-tool-text.ts#readToolText',
      'src/catalog/authoring/check-file.ts#unsafeIn',
    ],
    mutatedText(
      ['# X\n\n## Verdict\n\nGood.\n\n## Notes\n\n- a\n- b\n\n## Agent notes\n\nc\n'],
      ['## ', '# ', '- ', '\n', '\n\n', 'Verdict', 'Notes', '\u202e', '\r\n'],
    ),
    (text) => {
      const read = readToolText('x.md', text)
      return Array.isArray(read) ? fitProblems(read, text) : 'taken'
    },
  ),
  parser(
    'catalog: a field set in YAML',
    ['src/catalog/importers/edit-yaml.ts#setFields', 'src/catalog/importers/edit-list.ts#setItem'],
    fc.tuple(
      mutatedText(ofFolder('tools/').slice(0, 6), YAML_PIECES),
      ODD_VALUE,
      fc.constantFrom('summary', 'tags', 'new'),
    ),
    ([text, value, field]) => {
      const before = parseYaml('', text)
      // Only what is in order is edited, and only with what JSON can say.
      if (
        Array.isArray(before) ||
        before.value === null ||
        typeof before.value !== 'object' ||
        Array.isArray(before.value)
      )
        return 'refused'
      if (/[[{]([^\]}]*[[{]){9}|__proto__/.test(JSON.stringify(value))) return 'refused'
      const after = parseYaml('', setFields(text, [{ field, value }]))
      must(!Array.isArray(after), `cannot be read after ${field}: ${JSON.stringify(after)}`)
      const listed = parseYaml(
        '',
        setItem(text, { field: 'sources', item: { url: 'https://a.example', read: '2026-11-21' } }),
      )
      must(!Array.isArray(listed), `cannot be read after an item: ${JSON.stringify(listed)}`)
      return 'taken'
    },
  ),
  parser(
    'catalog: days',
    ['src/catalog/records/words.ts#isDay'],
    mutatedText(['2026-02-28', '2024-02-29'], ['0', '1', '9', '-', '+']),
    (text) => {
      const is = isDay(text)
      if (is) must(new Date(`${text}T00:00:00Z`).toISOString().startsWith(text), `no day: ${text}`)
      return is ? 'taken' : 'refused'
    },
  ),
]
