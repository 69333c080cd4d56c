import { notReady } from '@septet/contract'
import { instant } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { putSchedule, readSchedules } from '../operations/report/report-schedules.ts'
import { settingsInMemory } from '../settings-in-memory.fixture.ts'
import { reportPdf } from './pdf/report-pdf.ts'
import { ReportMailer, type ReportMailerNeeds } from './report-mailer.ts'
import { SAMPLE_REPORT } from './sample-report.fixture.ts'

type Sent = Parameters<ReportMailerNeeds['send']>[0]

function open(send: (letter: Sent) => Promise<string> = () => Promise.resolve('sent')) {
  const settings = settingsInMemory()
  const clock = { now: Date.parse('2026-11-21T12:00:00Z') }
  const sent: Sent[] = []
  const needs: ReportMailerNeeds = {
    settings,
    report: () => Promise.resolve(SAMPLE_REPORT),
    drawPdf: reportPdf,
    send: (letter) => {
      sent.push(letter)
      return send(letter)
    },
    siteUrl: () => 'https://septet.example.com',
    pause: () => Promise.resolve(),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    now: () => instant(clock.now),
  }
  const set = () =>
    putSchedule(
      settings,
      {
        id: 'weekly',
        range: 'last-week',
        files: ['pdf', 'focus'],
        recipients: ['one@example.com', 'two@example.com'],
        rhythm: { every: 'week', weekday: 1 },
        time: '08:00',
        zone: 'UTC',
      },
      clock.now,
    )
  return { settings, clock, sent, set, needs, mailer: new ReportMailer(needs) }
}

describe('a mailed report', () => {
  test('waits for figures that are still worked out, and says so when they do not come', async () => {
    const { clock, sent, set, needs, settings } = open()
    await set()
    clock.now = Date.parse('2026-11-23T08:00:30Z')
    const late = notReady('Septet is still analyzing.', 'Try again.')
    let looks = 0
    await new ReportMailer({
      ...needs,
      report: () => (++looks < 3 ? Promise.reject(late) : Promise.resolve(SAMPLE_REPORT)),
    }).look()
    expect([sent.length, looks]).toEqual([2, 3])
    clock.now = Date.parse('2026-11-30T08:00:30Z')
    await new ReportMailer({ ...needs, report: () => Promise.reject(late) }).look()
    expect((await readSchedules(settings))[0]?.last?.outcome).toBe('not sent: Septet is still analyzing.')
    expect(sent).toHaveLength(2)
  })

  test('says how old its figures are, in the letter', async () => {
    const { clock, sent, set, needs } = open()
    await set()
    clock.now = Date.parse('2026-11-23T08:00:30Z')
    const age = 'The cluster was last read an hour before this range ends.'
    await new ReportMailer({ ...needs, report: async () => ({ ...SAMPLE_REPORT, age }) }).look()
    expect(sent[0]?.text).toContain(age)
  })

  test('names what was not observed, in the letter', async () => {
    const { clock, sent, set, needs } = open()
    await set()
    clock.now = Date.parse('2026-11-23T08:00:30Z')
    const note = '12.5 GPU-h were not observed.'
    const summary = { ...SAMPLE_REPORT.summary, notes: [note] }
    await new ReportMailer({ ...needs, report: async () => ({ ...SAMPLE_REPORT, summary }) }).look()
    expect(sent[0]?.text.split('\n')).toContain(note)
  })

  test('goes to each reader alone, with its files, when it is due and not before', async () => {
    const { clock, sent, set, mailer, settings } = open()
    await set()
    await mailer.look()
    expect(sent).toEqual([])
    clock.now = Date.parse('2026-11-23T08:00:30Z')
    await mailer.look()
    expect(sent.map(({ to }) => to)).toEqual(['one@example.com', 'two@example.com'])
    expect(sent[0]?.files.map(({ name }) => name)).toEqual(['septet-sample-report.pdf', 'septet-sample-focus.csv'])
    expect(sent[0]?.subject).toBe('GPU report: Sample data, Sample data')
    expect(sent[0]?.text).toContain('GPU utilization: 87.3%')
    expect(sent[0]?.text).toContain('https://septet.example.com/dashboard?cluster=sample&range=last-week')
    expect((await readSchedules(settings))[0]?.last).toEqual({ at: '2026-11-23T08:00:30.000Z', outcome: 'sent' })
    await mailer.look()
    expect(sent).toHaveLength(2)
  })

  test('is mailed once, late, where Septet was away for weeks', async () => {
    const { clock, sent, set, mailer } = open()
    await set()
    clock.now = Date.parse('2026-12-20T00:00:00Z')
    await mailer.look()
    await mailer.look()
    expect(sent).toHaveLength(2)
  })

  test('is not mailed again after an end in the middle of it', async () => {
    const { clock, sent, set, mailer, needs } = open(() => new Promise(() => undefined))
    await set()
    clock.now = Date.parse('2026-11-23T08:00:30Z')
    void mailer.look()
    await expect.poll(() => sent.length).toBe(1)
    await new ReportMailer(needs).look()
    expect(sent).toHaveLength(1)
  })

  test('that fails says why, and the next ones are mailed all the same', async () => {
    const { clock, set, settings, needs } = open()
    await set()
    clock.now = Date.parse('2026-11-23T08:00:30Z')
    await new ReportMailer({ ...needs, report: () => Promise.reject(new Error('There is no cluster "x".')) }).look()
    expect((await readSchedules(settings))[0]?.last?.outcome).toBe('not sent: There is no cluster "x".')
  })
})
