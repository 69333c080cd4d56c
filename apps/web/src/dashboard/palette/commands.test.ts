import { describe, expect, test } from 'vitest'

import { commandsFor, matching } from './commands.ts'
import type { Cluster } from '../client/sources.ts'

function palette() {
  const done: string[] = []
  const commands = commandsFor({
    sections: [
      { name: 'Summary', path: '/' },
      { name: 'Fleet', path: '/fleet' },
    ],
    settings: [{ name: 'Members', path: 'members' }],
    clusters: [{ id: 'demo', name: 'Demo cluster', kind: 'demo' } as Cluster],
    paused: false,
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
    for (const { group, run } of commands) if (group === 'Go to') run()
    expect(done).toEqual(['/', '/fleet', '/settings/members'])
  })

  test('finds by every word, and puts what begins with the first before the rest', () => {
    const { commands } = palette()
    expect(matching(commands, 'hour').map(({ name }) => name)).toEqual(['Last hour', 'Last 6 hours', 'Last 24 hours'])
    expect(matching(commands, 'settings mem').map(({ id }) => id)).toEqual(['go /settings/members'])
    expect(matching(commands, 'dark').map(({ id }) => id)).toEqual(['theme dark'])
    expect(matching(commands, 'no such thing')).toEqual([])
    expect(matching(commands, '')).toEqual(commands)
  })

  test('does what it says', () => {
    const { commands, done } = palette()
    for (const typed of ['demo', 'last 7', 'pause', 'stop act', 'light']) matching(commands, typed)[0]?.run()
    expect(done).toEqual(['cluster demo', 'range 7d', 'paused true', 'stop', 'light'])
  })
})
