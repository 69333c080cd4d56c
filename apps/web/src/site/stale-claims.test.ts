import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { ROUTES, type Route } from '@septet/contract/routes'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'

import { LoadedIslands } from './Island.tsx'
import { ISLANDS } from './islands.ts'
import { NOT_FOUND, PAGES } from './pages.tsx'

const ROOT = join(import.meta.dirname, '../../../..')
const OPERATIONS = Object.values<Route>(ROUTES)
const answers = (subject: string): boolean => OPERATIONS.some(({ name }) => name.startsWith(`${subject}.`))
const holds = (path: string): boolean => existsSync(join(ROOT, path))

/** What the site may call missing, and whether this version has it: told from its operations and its code, not by hand. */
const FEATURES: readonly { readonly name: string; readonly words: RegExp; readonly isHere: boolean }[] = [
  { name: 'alerts', words: /\balerts?\b/iu, isHere: answers('alerts') },
  { name: 'scheduled reports', words: /scheduled reports|reports by mail/iu, isHere: answers('reportSchedules') },
  { name: 'budgets', words: /\bbudgets? for (?:teams|money)/iu, isHere: answers('budgets') },
  { name: 'what-if scenarios', words: /what-if|scenarios?\b/iu, isHere: answers('scenarios') },
  { name: 'verified savings', words: /savings verified|verified savings/iu, isHere: answers('savings') },
  {
    name: 'applying plans',
    words: /changes? (?:no|a) cluster|applying an approved plan/iu,
    isHere: OPERATIONS.some(({ effect }) => effect === 'act'),
  },
  { name: 'MCP', words: /\bMCP\b/u, isHere: holds('apps/server/src/faces/mcp') },
  { name: 'co-pilot', words: /co-pilot/iu, isHere: answers('copilot') },
  { name: 'OpenCost', words: /OpenCost/u, isHere: holds('packages/connectors/src/opencost') },
]

/** How the site puts off: what says so of a feature must be on the list, and not be there. */
const PUTS_OFF = /\b(?:later|yet|coming|soon|next version|roadmap|changes no cluster|this version can(?:not)?)\b/iu

/** Sentences with such a word that put nothing of the product off. */
const NOT_OF_FEATURES = [/placement-aware version was merged later/u]

const islands = new Map(
  await Promise.all(Object.entries(ISLANDS).map(async ([name, load]) => [name, await load()] as const)),
)

/** The site's own sentences. Documents and notes are checked where they are written. */
const SENTENCES = [...PAGES, NOT_FOUND]
  .filter(({ path }) => !/^\/(?:docs|blog)\b/u.test(path))
  .flatMap(({ path, element }) =>
    renderToStaticMarkup(createElement(LoadedIslands, { value: islands }, element()))
      .split(/<\/?(?:p|li|td|th|h\d|div|dd|dt|section|ul|tr)\b[^>]*>/u)
      .map((text) => text.replaceAll(/<[^>]+>/gu, '').trim())
      .flatMap((text) => text.split(/(?<=[.;!?])\s/u))
      .map((sentence) => ({ path, sentence })),
  )

/** What is wrong with a text that puts something off; undefined where that is so. */
function staleness(text: string): string | undefined {
  const named = FEATURES.filter(({ words }) => words.test(text))
  const here = named.filter(({ isHere }) => isHere).map(({ name }) => name)
  if (named.length === 0) return `names no feature of the list: ${text}`
  return here.length === 0 ? undefined : `${here.join(', ')} is here: ${text}`
}

describe('what the site puts off', () => {
  test('is not in this version', () => {
    const putOff = SENTENCES.filter(
      ({ sentence }) => PUTS_OFF.test(sentence) && !NOT_OF_FEATURES.some((words) => words.test(sentence)),
    )
    expect(SENTENCES.length).toBeGreaterThan(100)
    expect(
      putOff.flatMap(({ path, sentence }) =>
        staleness(sentence) === undefined ? [] : `${path} ${staleness(sentence)}`,
      ),
    ).toEqual([])
  })

  test('would be found: alerts and scheduled reports are here', () => {
    expect(staleness('Recording rules ship for Prometheus; alerts come later.')).toContain('alerts is here')
    expect(staleness('no scheduled reports yet')).toContain('scheduled reports is here')
  })
})
