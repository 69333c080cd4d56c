import { describe, expect, test } from 'vitest'

import { turnsOf } from './use-conversation.ts'
import { pageLink } from './use-page-link.ts'
import type { ShownAnswer, Turn } from './copilot-context.ts'

const href = (page: string, cluster: string | null = 'demo'): string => {
  const { pathname, search } = pageLink(page, cluster)
  return search === '' ? pathname : `${pathname}?${search}`
}

describe('a page that an answer names', () => {
  test.each([
    ['/dashboard/cost?by=team', '/cost?by=team&cluster=demo'],
    ['/dashboard', '/?cluster=demo'],
    ['/dashboard/', '/?cluster=demo'],
    ['/dashboard/fleet#map', '/fleet?cluster=demo'],
    ['/cost', '/cost?cluster=demo'],
    // It says itself which cluster it is of.
    ['/dashboard/fleet?cluster=prod', '/fleet?cluster=prod'],
    ['/dashboards/cost', '/dashboards/cost?cluster=demo'],
  ])('%s leads to %s', (page, link) => expect(href(page)).toBe(link))

  test('names no cluster where none is chosen', () => expect(href('/dashboard/cost', null)).toBe('/cost'))

  test.each(['//evil.example/x', 'https://evil.example/x', '/dashboard//evil.example', 'javascript:alert(1)', ''])(
    'never leads out of the dashboard: %s',
    (page) => {
      const { pathname } = pageLink(page, null)
      expect(new URL(pathname, 'https://septet.example/dashboard').origin).toBe('https://septet.example')
    },
  )
})

const answer = (id: string): ShownAnswer =>
  ({ id, question: `Question ${id}`, sentences: [] }) as unknown as ShownAnswer
const turn = (id: string, answered?: ShownAnswer): Turn => ({
  id,
  question: `Question ${id}`,
  answer: answered,
  failure: undefined,
  said: [],
})

describe('what was asked', () => {
  test('comes oldest first, what the server keeps before what was asked on this page', () => {
    const turns = turnsOf([answer('b'), answer('a')], [turn('c')])
    expect(turns.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(turns[0]).toMatchObject({ question: 'Question a', failure: undefined })
  })

  test('is shown once where the server has kept it meanwhile', () =>
    expect(turnsOf([answer('b'), answer('a')], [turn('here', answer('b'))]).map(({ id }) => id)).toEqual(['a', 'here']))
})
