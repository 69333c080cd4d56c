import type { ServerEvent } from '@septet/contract'
import { describe, expect, test } from 'vitest'

import { SentEventLog } from './event-log.ts'

const event = (number: number): ServerEvent => ({
  kind: 'analysis',
  cluster: `c${number}`,
  asOf: '2026-01-01T00:00:00.000Z',
})
const filled = (count: number, capacity = 10) => {
  const log = new SentEventLog('e', () => 0, capacity)
  for (let number = 1; number <= count; number += 1) log.publish(event(number))
  return log
}
const clusters = (events: ReturnType<SentEventLog['since']>) =>
  events?.map((logged) => ('cluster' in logged.event ? logged.event.cluster : ''))

describe('resuming an event stream', () => {
  test('gives exactly what was missed', () => {
    expect(clusters(filled(5).since('e-3'))).toEqual(['c4', 'c5'])
  })
  test('gives nothing when nothing was missed', () => {
    expect(filled(5).since('e-5')).toEqual([])
  })
  test('says so when events are no longer kept', () => {
    const log = filled(25)
    expect(log.since('e-14')).toBeUndefined()
    expect(clusters(log.since('e-15'))?.length).toBe(10)
  })
  test('an id of an earlier process, of the future, or of nonsense is not trusted', () => {
    const log = filled(5)
    for (const id of ['other-3', 'e-6', 'e-', 'x', 'e-1.5', 'e--1']) expect(log.since(id)).toBeUndefined()
  })
  test('a follower hears each event once, and none after it stopped', () => {
    const log = filled(0)
    const heard: string[] = []
    const stop = log.follow(({ id }) => heard.push(id))
    log.publish(event(1))
    stop()
    log.publish(event(2))
    expect(heard).toEqual(['e-1'])
    expect(log.followers).toBe(0)
  })
})
