import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { ACTION_CLASSES, RECOMMENDATION_KINDS, REPLAYED_CLASSES } from '@septet/domain/action-classes'
import { describe, expect, test } from 'vitest'

import { filesBelow, isForTests, root } from './imports.ts'

/** What a class of action takes, its tests and the rights in deploy/ aside. */
const MOST_FILES = 8

const TABLE = 'packages/domain/src/plan/words/action-class.ts'
const RULES = 'packages/domain/src/plan/recommend/recommend.ts'
const SCORES = 'packages/domain/src/replay/shadow/replays.ts'

/** Where steps, wishes, goals, sizes and columns of the same names are told from one another: these are not the class. */
const OF_OTHERS = [
  /^packages\/domain\/src\/(analyze|fleet)\//u,
  /^packages\/domain\/src\/plan\/(words\/(action|wish)\.ts|steps|guardrail|documents|place|policy|fleet-plan|appointment)/u,
  /^packages\/domain\/src\/(act\/(decide|verify)|replay\/scenario)\//u,
  /^packages\/(plan-files\/src|storage\/src\/(schema|usage))/u,
  /^(apps\/cli\/src\/plan|apps\/server\/src\/operations\/plans|apps\/web\/src\/dashboard\/actions\/appointment|packages\/tools\/src\/plan)\//u,
  /^packages\/contract\/src\/schemas\/plans\.ts$/u,
]
/** `action.kind === 'share'`, `Extract<Action, { kind: 'share' }>`, `Pick<GpuPart, 'share'>`, `id: 'share'` of a column, a refusal's code. */
const OTHERWISE =
  /\b(action|wish|unit|size|gpu|goal)\.kind\s*[!=]==\s*'[\w-]+'|\b(Extract|ActionOf|Pick)<[^>]*>|\bid: '[\w-]+'|\brefuse\('[\w-]+'/gu
const COMMENT = /^\s*(\/\*\*|\*|\/\/).*$/gmu

const sources = ['packages', 'apps']
  .flatMap(filesBelow)
  .filter((file) => /^[\w/-]+\/src\//u.test(file) && !isForTests(file) && !OF_OTHERS.some((other) => other.test(file)))
  .map((file) => ({ file, text: spoken(readFileSync(join(root, file), 'utf8')) }))

function spoken(text: string): string {
  return text.replaceAll(COMMENT, '').replaceAll(OTHERWISE, '')
}

/** In quotes, as the key of a row, or by the file of its rule. */
const names = (name: string, text: string): boolean =>
  new RegExp(`['"\`]${name}['"\`]|^  ${name}: \\{|'\\./${name}\\.ts'|\\bkind ${name}\\b`, 'mu').test(text)

const filesOf = (name: string): readonly string[] =>
  sources.flatMap(({ file, text }) => (names(name, text) ? file : []))

describe('a class of action', () => {
  test.each(ACTION_CLASSES)('%s is named in at most eight files', (name) => {
    const files = filesOf(name)
    expect(files).toContain(TABLE)
    // Shown whole, so that a failure names them.
    expect(files).toEqual(files.slice(0, MOST_FILES))
  })

  test('is found wherever it is named, and a step of that name is not it', () => {
    const named = [
      `if (kind === 'share') return`,
      `const WORDS = {\n  share: {\n`,
      `import { share } from './share.ts'`,
      `before('share', object)`,
    ]
    expect(named.filter((text) => !names('share', spoken(text)))).toEqual([])
    const others = [`if (action.kind === 'share') return`, `type Share = Extract<Action, { kind: 'share' }>`]
    expect(others.filter((text) => names('share', spoken(text)))).toEqual([])
  })

  test('has its rule and, where its past is told, its score in one table each', () => {
    for (const name of RECOMMENDATION_KINDS) expect(filesOf(name)).toContain(RULES)
    for (const name of REPLAYED_CLASSES) expect(filesOf(name)).toContain(SCORES)
  })
})

test('the recipe names what a class takes: each file is there, and the class that was moved first is in no other', () => {
  const recipe = /^- \*\*An action class\*\*.*$/mu.exec(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'))?.[0] ?? ''
  const named = [...recipe.matchAll(/`((?:packages|apps|test|deploy)\/[\w./-]*)`/gu)].map(([, path = '']) => path)
  expect(named).toEqual(expect.arrayContaining([TABLE, RULES, SCORES]))
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
  const besides = filesOf('reclaim-idle').filter((file) => !named.some((path) => file.startsWith(path)))
  // A prompt asks for idle work by name, as it may for any kind; no class has to stand there.
  expect(besides).toEqual(['packages/tools/src/mcp/prompts.ts'])
})
