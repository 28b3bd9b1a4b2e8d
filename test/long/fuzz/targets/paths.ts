import fc from 'fast-check'
import { candidatesOf } from '../../../../src/agent/paths/candidates.ts'
import { readPathText } from '../../../../src/agent/paths/path-text.ts'
import { remoteKey } from '../../../../src/agent/paths/repository.ts'
import { readGlobs } from '../../../../src/ask/scopes/model/read-globs.ts'
import {
  type EditedPaths,
  editScope,
  readProposedContract,
} from '../../../../src/ask/scopes/model/read-scope.ts'
import { expandBraces } from '../../../../src/ask/wire/matcher/braces.ts'
import { compileGlob } from '../../../../src/ask/wire/matcher/glob.ts'
import { judge, type Touch } from '../../../../src/ask/wire/matcher/judge.ts'
import { protect } from '../../../../src/ask/wire/matcher/protected-paths.ts'
import { meansPath } from '../../../ask/scopes/oracle.ts'
import { mutatedText, nearly } from '../mutate.ts'
import { must, parser, type Target, takes } from '../target.ts'

const GLOBS = ['src/**', '**/*.test.ts', '/etc/{a,b}', 'a/[!b]?/*', 'docs/', '.env*', 'C:/x/**']
const PIECES = ['*', '**', '?', '[', ']', '[!', '{', '}', ',', '/', '\\', '..', '.', '-', '^', 'é']
// As long as a proposal may have them, and some more: the work is glob times path.
const glob = mutatedText(GLOBS, PIECES).map((text) => text.slice(0, 2_000))
const small = fc
  .array(fc.constantFrom(...'ab./*?[]!-'), { maxLength: 10 })
  .map((chars) => chars.join(''))
const name = fc.array(fc.constantFrom(...'ab./[]'), { maxLength: 9 }).map((all) => all.join(''))
const texts = fc.array(glob, { maxLength: 6 })

const CONTRACT = { allowedPaths: ['src/**'], offLimitsPaths: ['infra/**'], doneWhen: 'Green.' }
const PATHS = [
  ...['src/a.ts', '/etc/hosts', '~/x', 'file:///a%20b', 'C:\\people\\x', '\\\\server\\share\\f'],
  ...['../up', './a//b/', '"quoted"', '/proc/self/fd/1', 'NUL.txt', 'a.txt:stream', '\ufeffa'],
]

export const PATH_TARGETS: readonly Target[] = [
  parser(
    'globs: what they mean, beside an oracle',
    ['src/ask/wire/matcher/glob.ts#compileGlob', 'src/ask/wire/matcher/segment.ts#compileSegment'],
    fc.tuple(small, name),
    ([pattern, path]) => {
      const isMatch = compileGlob(pattern)(path)
      must(isMatch === meansPath(pattern, path), `${pattern} and ${path}: ${isMatch}`)
      return 'taken'
    },
    300,
  ),
  parser(
    'globs: any text',
    ['src/ask/wire/matcher/glob.ts#readPath'],
    fc.tuple(glob, glob, fc.boolean()),
    ([pattern, path, fold]) => {
      compileGlob(pattern, { fold })(path)
      return 'taken'
    },
  ),
  parser(
    'globs: a list as it is gated',
    ['src/ask/scopes/model/read-globs.ts#readGlobs', 'src/ask/wire/matcher/braces.ts#expandBraces'],
    texts,
    (globs) => {
      const { paths, refused } = readGlobs(globs)
      const again = readGlobs(paths)
      must(again.refused.length === 0, `refuses its own: ${JSON.stringify(again.refused)}`)
      must(
        again.paths.join('\0') === paths.join('\0'),
        `is not what it was: ${paths} ${again.paths}`,
      )
      for (const one of globs)
        must((expandBraces(one, 50)?.length ?? 0) <= 50, 'more than asked for')
      return refused.length > 0 ? 'refused' : 'taken'
    },
  ),
  parser(
    'scopes: a proposal',
    [
      'src/ask/scopes/model/read-scope.ts#readProposedContract',
      'src/ask/scopes/model/read-scope.ts#readPaths',
    ],
    nearly(CONTRACT).filter(isContract),
    (input) => takes(() => readProposedContract(input as never)),
  ),
  parser(
    'scopes: edited paths',
    ['src/ask/scopes/model/read-scope.ts#editScope'],
    nearly({ allowedPaths: ['src/**', 'b'] }, { offLimitsPaths: [] }),
    (input) => takes(() => editScope(CONTRACT, input as EditedPaths)),
  ),
  parser(
    'scopes: any boundary and any names',
    ['src/ask/wire/matcher/judge.ts#judge', 'src/ask/wire/matcher/judge.ts#readCandidate'],
    fc.tuple(texts, texts, texts, texts, fc.constantFrom<Touch>('read', 'write', 'delete', 'tree')),
    ([allowedPaths, offLimitsPaths, widened, names, touch]) => {
      const boundary = protect({ allowedPaths, offLimitsPaths, widened })
      const judgement = judge(boundary, names, touch, { fold: true, roots: ['/r'] })
      if (judgement.is !== 'within')
        must(names.includes(judgement.path), `judges another: ${judgement.path}`)
      return judgement.is === 'within' ? 'taken' : 'refused'
    },
  ),
  parser(
    'paths: what a tool means',
    [
      'src/agent/paths/path-text.ts#readPathText',
      'src/agent/paths/candidates.ts#candidatesOf',
      'src/agent/paths/path-text.ts#windowsPath',
      'src/agent/paths/candidates.ts#walkAsKernel',
    ],
    fc.tuple(mutatedText(PATHS), fc.boolean()),
    ([path, windows]) => {
      readPathText(path, { home: '/home/u', windows })
      const { paths, refused } = candidatesOf(path, {
        cwd: '/nowhere/at/all',
        roots: ['/nowhere/at'],
        windows,
      })
      for (const one of paths) must(!one.split('/').includes('..'), `climbs: ${one}`)
      return refused === undefined ? 'taken' : 'refused'
    },
  ),
  parser(
    'paths: where a repository is kept',
    ['src/agent/paths/repository.ts#remoteKey'],
    mutatedText([
      'https://github.com/a/b.git',
      'git@github.com:a/b.git',
      'ssh://git@h:22/a/b',
      '/srv/a.git',
    ]),
    (url) => (remoteKey(url) === undefined ? 'refused' : 'taken'),
  ),
]

function isContract(value: unknown): boolean {
  const {
    allowedPaths = [],
    offLimitsPaths = [],
    promises = [],
    doneWhen,
  } = (value ?? {}) as Record<string, unknown>
  // The schema at the door lets nothing else in.
  const areTexts = (list: unknown) =>
    Array.isArray(list) && list.every((one) => typeof one === 'string' && one.length < 2_000)
  return [allowedPaths, offLimitsPaths, promises].every(areTexts) && typeof doneWhen === 'string'
}
