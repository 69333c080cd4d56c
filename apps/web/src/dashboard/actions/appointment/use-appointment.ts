import { useMutation } from '@tanstack/react-query'

import { tell } from '../../../api.ts'
import type { AppointmentForm } from './appointment-ask.ts'

export type Asking = ReturnType<typeof useAppointment>

/** Asks the planner for an appointment; what it said last stays until it is asked again. */
export function useAppointment() {
  const { mutateAsync, data, error, isPending } = useMutation({
    mutationFn: async (ask: AppointmentForm) => ({ ask, plan: await tell('appointmentsPlan', ask) }),
  })
  return {
    plan: (ask: AppointmentForm) => void mutateAsync(ask).catch(() => undefined),
    busy: isPending,
    error,
    answer: data,
  }
}
