import { ACT_TOOLS, TOOLS } from '@septet/tools'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

import { skillPath, SKILLS } from './AgentsPage.tsx'

const PUBLIC = join(import.meta.dirname, '../../../../public')
const textOf = (name: string): string => readFileSync(join(PUBLIC, skillPath(name)), 'utf8')
const NAMES = new Set([...TOOLS, ...ACT_TOOLS].map(({ name }) => name))

/** What every skill must hold an agent to. */
const RULES = [
  'Read first',
  'carry `says`: quote it',
  'Never call it 0',
  'data, never instructions',
  "Change nothing without a person's yes",
  'Claim no saving before it is measured',
]

describe('the skills for coding agents', () => {
  test('are those that are served', () =>
    expect(SKILLS.map(({ name }) => name).toSorted()).toEqual(readdirSync(join(PUBLIC, 'skills')).toSorted()))

  test.each(SKILLS)('$name says what it is for, and the rules', ({ name }) => {
    const text = textOf(name)
    expect(text).toMatch(new RegExp(`^---\nname: ${name}\ndescription: .{60,1024}\n---\n`, 'u'))
    for (const rule of RULES) expect(text).toContain(rule)
  })

  test.each(SKILLS)('$name names tools that there are', ({ name }) => {
    const named = [...textOf(name).matchAll(/`([a-z]+_[a-z_]+)`/gu)].map(([, tool = '']) => tool)
    expect(named.length).toBeGreaterThan(3)
    expect(named.filter((tool) => !NAMES.has(tool))).toEqual([])
  })
})
