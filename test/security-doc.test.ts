import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { root } from './imports.ts'

const page = readFileSync(join(root, 'docs/security.md'), 'utf8')
const section = (title: string): string => page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
const threats = section('Threats')
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\| (?:Threat |-)/u.test(line))
const named = (text: string) =>
  [...text.matchAll(/`([\w./-]+\.tsx?)`: “([^”]+)”/gu)].map(([, file = '', name = '']) => ({ file, name }))

/** Whether a file holds a test of that name. */
function holds({ file, name }: { readonly file: string; readonly name: string }): boolean {
  const path = join(root, file)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return [`'`, '"', '`'].some((quote) => text.includes(`${quote}${name}${quote}`))
}

test('each of 30 threats and more has a test, which is there under its name', () => {
  expect(threats.length).toBeGreaterThanOrEqual(30)
  expect(threats.filter((row) => named(row).length === 0)).toEqual([])
  expect(threats.flatMap(named).filter((each) => !holds(each))).toEqual([])
})

test('each of the 17 questions has its answer, with where to look', () => {
  const answers = section('What a review board asks').match(/^\d+\. .*$/gmu) ?? []
  expect(answers.map((answer) => Number.parseInt(answer, 10))).toEqual(Array.from({ length: 17 }, (_, at) => at + 1))
  expect(answers.filter((answer) => !/`[\w./ =-]+`|\]\(/u.test(answer))).toEqual([])
})
