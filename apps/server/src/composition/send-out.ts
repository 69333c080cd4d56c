import type { Log, Store } from '@septet/domain'
import { openPostgresStore } from '@septet/storage'

import { oneAfterTheOther } from '../one-after-the-other.ts'
import type { ServerLoop } from '../repeat.ts'
import { steadyNow } from '../steady-clock.ts'
import { INSTALLATION, type Leads } from './leads.ts'
import type { Alerts } from './open-alerts.ts'
import type { openReportMails } from './open-report-mails.ts'
import type { StoreAddress } from './open-store.ts'

type SendingParts = {
  readonly leads: Pick<Leads, 'want' | 'until' | 'drop' | 'yield'>
  readonly log: Log
  readonly address: StoreAddress
  readonly alerts: Pick<Alerts, 'start' | 'stop'>
  readonly openReports: (store: Store) => ReturnType<typeof openReportMails>
}

type Sending = { stop(): Promise<void>; loops(): readonly ServerLoop[] }

/**
 * What goes out by itself, alerts and report mails, goes out from the one server that leads the installation.
 */
export async function startSending(parts: SendingParts): Promise<Sending> {
  const { leads, log, address, alerts, openReports } = parts
  const inTurn = oneAfterTheOther()
  let end: (() => Promise<void>) | undefined
  let reporting: ReturnType<SendingParts['openReports']> | undefined
  const stop = async (): Promise<void> => {
    await end?.()
    end = undefined
    reporting = undefined
  }
  const begin = async (lead: Awaited<ReturnType<Leads['want']>>): Promise<void> => {
    await stop()
    const store = await openPostgresStore({ ...address, log, single: true, lead })
    const reports = openReports(store)
    alerts.start(store, () => steadyNow() < leads.until(INSTALLATION))
    reports.start()
    reporting = reports
    end = async () => {
      await Promise.all([alerts.stop(), reports.stop()])
      await store.close()
    }
  }
  const failed = (error: unknown): void => log.error('alerts and reports are not sent', { error: String(error) })
  const lead = await leads.want(INSTALLATION, {
    gained: (gained) =>
      void inTurn(() => begin(gained)).catch((error: unknown) => {
        failed(error)
        return leads.yield(INSTALLATION)
      }),
    lost: () => void inTurn(stop).catch(failed),
  })
  if (lead !== undefined) await inTurn(() => begin(lead))
  const leave = async (): Promise<void> => {
    await inTurn(stop)
    await leads.drop(INSTALLATION)
  }
  return { stop: leave, loops: () => reporting?.loops() ?? [] }
}
