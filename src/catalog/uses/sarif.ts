import { VERSION } from '../../platform/program.ts'
import { PROBLEMS, type Problem } from './find-problems.ts'

/** The problems as SARIF 2.1.0, which code hosts show beside the lines of a pull request. */
export function sarifOf(problems: readonly Problem[]) {
  const rules = Object.entries(PROBLEMS).map(([id, text]) => ({ id, shortDescription: { text } }))
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'beckon catalog check', version: VERSION, rules } },
        results: problems.map(({ code, severity, message, source, file, line }) => ({
          ruleId: code,
          level: severity,
          message: { text: source ? `${message} ${source}` : message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: file.split('/').map(encodeURIComponent).join('/') },
                region: { startLine: line },
              },
            },
          ],
        })),
      },
    ],
  }
}
