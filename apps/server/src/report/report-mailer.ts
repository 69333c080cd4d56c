import { errorText } from '@septet/domain/words'
import { MINUTE_MS, instant, type Instant, type Log, type SettingStore, type Caller } from '@septet/domain'
import { nextTime, noteOutcome, readSchedules, type ReportSchedule } from '../operations/report/report-schedules.ts'
import type { Report } from '../operations/report/report.ts'
import { LoopRecord, type LoopState } from '../repeat.ts'
import { needsLines, reportFile, type DrawPdf, type MadeFile } from './report-file.ts'
import { htmlEscape, Refusal } from '@septet/contract'
import { reportPeriod } from '@septet/contract/report-period'
import { spendSentence } from './pdf/spend.ts'
import { sayFigure } from './pdf/words.ts'

export type ReportMailerNeeds = {
  readonly settings: SettingStore
  readonly pause: (milliseconds: number) => Promise<unknown>
  /** Makes a report as that caller is answered it. */
  readonly report: (input: Readonly<Record<string, unknown>>, caller: Caller) => Promise<Report>
  readonly drawPdf: DrawPdf
  /** Sends one letter with its files; gives `sent`, `kept here: …` or `not sent: …`. */
  readonly send: (
    letter: ReportLetter & { readonly to: string; readonly files: readonly MadeFile[] },
  ) => Promise<string>
  readonly siteUrl: () => string
  readonly log: Log
  readonly now: () => Instant
}

/**
 * Mails reports when they are due. One that came due while Septet was away is mailed once, late. What is being mailed is
 * written down first: after a crash it is not mailed again.
 */
export class ReportMailer {
  readonly #needs: ReportMailerNeeds
  #isStopping = false
  readonly #record = new LoopRecord('reports', MINUTE_MS)
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(needs: ReportMailerNeeds) {
    this.#needs = needs
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), MINUTE_MS)
    this.#timer.unref()
    void this.look()
  }

  /** How its loop goes; none before it has begun. */
  loops = (): readonly LoopState[] => (this.#timer === undefined ? [] : [this.#record.state()])

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#isStopping = true
    await this.#running
  }

  /** Mails what is due now, one report after another; never throws. */
  look(): Promise<void> {
    const { log } = this.#needs
    this.#running = this.#running
      .then(() => this.#record.run(() => this.#mailDue()))
      .catch((error: unknown) => log.error('reports could not be mailed', { because: String(error) }))
    return this.#running
  }

  async #mailDue(): Promise<void> {
    const { settings, now } = this.#needs
    for (const schedule of await readSchedules(settings)) {
      // oxlint-disable-next-line no-await-in-loop -- one report at a time: each takes a while of one processor
      if (isDue(schedule, now())) await this.#mail(schedule)
    }
  }

  async #mail(schedule: ReportSchedule): Promise<void> {
    const { settings, log, now } = this.#needs
    const at = new Date(now()).toISOString()
    await noteOutcome(settings, schedule.id, { at, outcome: 'being mailed' })
    const outcome = await this.#send(schedule).catch((error: unknown) => `not sent: ${errorText(error).slice(0, 300)}`)
    if (outcome.includes('not sent')) log.warn('a report was not mailed', { schedule: schedule.id, outcome })
    await noteOutcome(settings, schedule.id, { at, outcome })
  }

  async #send(schedule: ReportSchedule): Promise<string> {
    const { report, drawPdf, send, siteUrl } = this.#needs
    const { cluster, range, namespaces } = schedule
    const made = await this.#onceReady(() =>
      report({ cluster, range, namespaces, lines: schedule.files.some(needsLines) ? 'hour' : 'none' }, SCHEDULED),
    )
    const files = await Promise.all(schedule.files.map((file) => reportFile(file, made, drawPdf)))
    const letter = reportLetter(made, schedule, siteUrl())
    const outcomes: string[] = []
    for (const to of schedule.recipients) {
      // oxlint-disable-next-line no-await-in-loop -- each reader gets a letter of their own, and sees no other's address
      outcomes.push(await send({ ...letter, to, files }))
    }
    return [...new Set(outcomes)].join('; ')
  }

  async #onceReady(make: () => Promise<Report>, looksLeft = MOST_LOOKS): Promise<Report> {
    try {
      return await make()
    } catch (error) {
      const isLate = error instanceof Refusal && error.code === 'not-ready'
      if (!isLate || looksLeft <= 1 || this.#isStopping) throw error
      await this.#needs.pause(LOOK_AGAIN_MS)
      return this.#onceReady(make, looksLeft - 1)
    }
  }
}

/** Nobody sits before a letter: figures that are still worked out are looked for so often, with pauses. */
const MOST_LOOKS = 20
const LOOK_AGAIN_MS = 3000

/** Only admins set schedules, so a schedule sees what they see. */
const SCHEDULED: Caller = {
  kind: 'token',
  id: 'report schedule',
  party: undefined,
  name: 'report schedule',
  role: 'admin',
  namespaces: undefined,
  clusters: undefined,
  account: undefined,
  ip: '',
}

function isDue(schedule: ReportSchedule, now: Instant): boolean {
  const after = instant(Date.parse(schedule.last?.at ?? schedule.since))
  const due = nextTime(schedule, after)
  return due !== undefined && due <= now
}

/** What stands in the letter that a report comes with. */
type ReportLetter = { readonly subject: string; readonly text: string; readonly html: string }

/** The first page in a few lines, where to see more, and who to ask to stop. */
function reportLetter(
  report: Report,
  schedule: Pick<ReportSchedule, 'id' | 'range' | 'cluster'>,
  site: string,
): ReportLetter {
  const { source, summary, did, recommendations } = report
  const query = new URLSearchParams({ cluster: source.id, range: schedule.range })
  const address = `${site}/dashboard?${String(query)}`
  const { savings } = summary
  const first = recommendations.recommendations[0]?.title
  const subject = `GPU report: ${source.name}, ${reportPeriod(report)}`
  const lines = [
    `${subject}.`,
    '',
    ...(source.kind === 'sample' ? ['Sample data: fixed figures, not a cluster.'] : [spendSentence(report)]),
    ...(first === undefined ? [] : [`Do first: ${first}.`]),
    '',
    `Can come off the bill: ${savings.bill.value === null ? 'no estimate yet' : `${sayFigure(savings.bill)}, estimated`}`,
    `Saved, verified: ${savings.verified.value === null ? 'none yet' : sayFigure(savings.verified)}`,
    `GPU utilization: ${sayFigure(summary.utilization.busy)}`,
    `Workloads: ${summary.workloads.running} running, ${summary.workloads.queued} queued`,
    `Status: ${summary.status.headline}`,
    ...(report.age === undefined ? [] : [report.age]),
    ...summary.notes,
    ...(did === null ? [] : [`What Septet did: ${did.says}`]),
    '',
    `See it live: ${address}`,
    '',
    `The schedule "${schedule.id}" sent this. An admin can change or stop it under Settings, Scheduled reports.`,
  ]
  return {
    subject: subject.replaceAll(/[\r\n]+/gu, ' '),
    text: lines.join('\n'),
    html: lines.map((line) => `<p>${htmlEscape(line)}</p>`).join('\n'),
  }
}
