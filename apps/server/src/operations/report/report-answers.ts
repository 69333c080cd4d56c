import type { SettingStore } from '@septet/domain'

import { readVersion } from '../../version.ts'
import type { AccessService } from '../access/access-service.ts'
import type { Answering } from '../answering/answering.ts'
import { makeReport, type ReportNeeds } from './report.ts'
import { listSchedules, putSchedule, removeSchedule } from './report-schedules.ts'

type Needs = {
  /** Asked late: a report is made of the other answers. */
  readonly answers: () => ReportNeeds['answers']
  readonly settings: SettingStore
  readonly service: Pick<AccessService, 'keepsMails'>
  readonly now: () => number
}

/** Reports, and who gets them by mail. */
export const reportAnswers = (answer: Answering, { answers, settings, service, now }: Needs) => ({
  reportGet: answer.ofSeptet('reportGet', (input, { caller }) =>
    makeReport({ answers: answers(), version: readVersion(), now }, input, caller),
  ),
  reportSchedulesList: answer.ofSeptet('reportSchedulesList', () =>
    listSchedules(settings, { now: now(), keepsMails: service.keepsMails }),
  ),
  reportSchedulesPut: answer.ofSeptet('reportSchedulesPut', (input) => putSchedule(settings, input, now())),
  reportSchedulesRemove: answer.ofSeptet('reportSchedulesRemove', ({ id }) => removeSchedule(settings, id)),
})
