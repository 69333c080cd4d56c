import type { Store } from '@septet/domain'

import { readVersion } from '../../version.ts'
import type { AccessService } from '../access/access-service.ts'
import type { AnswersOf } from '../answering/answering.ts'
import { makeReport, type ReportNeeds } from './report.ts'
import { listSchedules, putSchedule, removeSchedule } from './report-schedules.ts'

type Needs = {
  /** Asked late: a report is made of the other answers. */
  readonly answers: () => ReportNeeds['answers']
  readonly store: Pick<Store, 'settings'>
  readonly service: Pick<AccessService, 'keepsMails'>
  readonly now: () => number
}

/** Reports, and who gets them by mail. */
export const reportAnswers = ({
  answers,
  store: { settings },
  service: { keepsMails },
  now,
}: Needs): AnswersOf<'report'> => ({
  reportGet: (input, { caller }) => makeReport({ answers: answers(), version: readVersion(), now }, input, caller),
  reportSchedulesList: () => listSchedules(settings, { now: now(), keepsMails }),
  reportSchedulesPut: (input) => putSchedule(settings, input, now()),
  reportSchedulesRemove: ({ id }) => removeSchedule(settings, id),
})
