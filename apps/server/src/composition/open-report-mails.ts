import { setTimeout as delay } from 'node:timers/promises'

import { OPERATIONS } from '@septet/contract'
import { instant, type Log, type Store } from '@septet/domain'

import { openMailer, type AuthContext } from '@septet/auth'
import type { Answers } from '../operations/answering/answering.ts'
import type { DrawPdf } from '../report/report-file.ts'
import { ReportMailer } from '../report/report-mailer.ts'
import type { LoopState } from '../repeat.ts'

type Needs = {
  readonly answers: Pick<Answers, 'reportGet'>
  readonly store: Store
  readonly auth: Pick<AuthContext, 'config' | 'siteUrl'>
  readonly log: Log
  readonly drawPdf: DrawPdf
}

/** Of their own: reports must not use up the letters that people sign in with. */
const MAILS_PER_HOUR = 200

/** Mails reports when they are due. */
export function openReportMails({ answers, store, auth, log, drawPdf }: Needs): {
  start(): void
  loops(): readonly LoopState[]
  stop(): Promise<void>
} {
  const mailer = openMailer({ smtp: auth.config.smtp, mails: store.access.mails, log, now, hourly: MAILS_PER_HOUR })
  const reports = new ReportMailer({
    settings: store.settings,
    report: async (input, caller) => OPERATIONS.reportGet.output.parse(await answers.reportGet(input, caller)),
    drawPdf,
    send: (letter) => mailer.send({ kind: 'report', ...letter }),
    siteUrl: auth.siteUrl,
    log,
    now,
    pause: (milliseconds) => delay(milliseconds),
  })
  return {
    start: () => reports.start(),
    loops: reports.loops,
    async stop() {
      await reports.stop()
      await mailer.close()
    },
  }
}

const now = () => instant(Date.now())
