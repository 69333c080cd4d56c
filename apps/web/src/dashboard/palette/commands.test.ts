import { describe, expect, test } from 'vitest'

import { commandsFor, matching, questionsFor } from './commands.ts'
import { VIEWS } from './views.ts'
import type { Cluster } from '../client/sources.ts'

function palette() {
  const done: string[] = []
  const commands = commandsFor({
    sections: [
      { name: 'Summary', path: '/' },
      { name: 'Fleet', path: '/fleet' },
    ],
    views: VIEWS,
    settings: [
      { name: 'Members', path: 'members' },
      { name: 'Prices', path: 'prices' },
    ],
    clusters: [{ id: 'demo', name: 'Demo cluster', kind: 'demo' } as Cluster],
    paused: false,
    open: ({ path, search = {} }) => done.push(`${path}?${String(new URLSearchParams(search))}`),
    go: (path) => done.push(path),
    chooseCluster: (id) => done.push(`cluster ${id}`),
    chooseAllClusters: () => done.push('all clusters'),
    chooseRange: (range) => done.push(`range ${range}`),
    setPaused: (paused) => done.push(`paused ${paused}`),
    stopActing: () => done.push('stop'),
    setTheme: (theme) => done.push(theme),
  })
  return { commands, done }
}

describe('the palette', () => {
  test('goes to every screen and every page of the settings', () => {
    const { commands, done } = palette()
    for (const { id, group, run } of commands) if (group === 'Go to' && !id.startsWith('view ')) run()
    expect(done).toEqual(['/', '/fleet', '/settings/members', '/settings/prices'])
  })

  test('finds by every word, and puts what begins with the first before the rest', () => {
    const { commands } = palette()
    expect(matching(commands, 'hour').map(({ name }) => name)).toEqual(['Last hour', 'Last 6 hours', 'Last 24 hours'])
    expect(matching(commands, 'settings mem').map(({ id }) => id)).toEqual(['go /settings/members'])
    expect(matching(commands, 'dark').map(({ id }) => id)).toEqual(['theme dark'])
    expect(matching(commands, 'no such thing')).toEqual([])
    expect(matching(commands, '')).toEqual(commands)
  })

  test.each([
    ['what if', '/actions/what-if?'],
    ['gpus by a time', '/actions/what-if?ask=gpus'],
    ['reserve', '/actions/what-if?ask=gpus'],
    ['savings', '/actions/savings?'],
    ['will it start', '/workloads?start=yes'],
    ['budget', '/cost?view=budgets'],
    ['price book', '/cost?view=prices'],
    ['export report', '/?report=open'],
    ['invite', '/settings/members'],
  ])('finds “%s” at once', (typed, path) => {
    const { commands, done } = palette()
    matching(commands, typed)[0]?.run()
    expect(done).toEqual([path])
  })

  test.each([
    ['', []],
    ['cost idle', ['How much of the cost is idle?', 'cost idle']],
    ['Where is a MIG partition free?', ['Where is a MIG partition free?']],
    ['why is it slow', ['why is it slow']],
  ])('offers to ask “%s” in words that have an answer, and as it is', (typed, questions) =>
    expect(questionsFor(typed)).toEqual(questions),
  )

  test('does what it says', () => {
    const { commands, done } = palette()
    for (const typed of ['demo', 'last 7', 'pause', 'stop act', 'light']) matching(commands, typed)[0]?.run()
    expect(done).toEqual(['cluster demo', 'range 7d', 'paused true', 'stop', 'light'])
  })
})
