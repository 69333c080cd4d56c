import { useMutation } from '@tanstack/react-query'

import { tell } from '../../../api.ts'
import type { AppointmentAsk } from './appointment-ask.ts'

export type Asking = ReturnType<typeof useAppointment>

/** Asks the planner for an appointment; what it said last stays until it is asked anew. */
export function useAppointment() {
  const { mutateAsync, data, error, isPending } = useMutation({
    mutationFn: async (ask: AppointmentAsk) => ({ ask, plan: await tell('appointmentsPlan', ask) }),
  })
  return {
    plan: (ask: AppointmentAsk) => void mutateAsync(ask).catch(() => undefined),
    busy: isPending,
    error,
    answer: data,
  }
}
