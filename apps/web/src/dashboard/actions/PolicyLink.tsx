import { usePlace } from '../../session/place-context.ts'
import type { May } from '../acting/use-may.ts'
import { KeptLink } from './KeptLink.tsx'

/** Leads to what the cluster lets Septet do, for those who see whole clusters; the demo has no settings. */
export function PolicyLink({ may }: { readonly may: May }) {
  const { demo } = usePlace()
  return may.see === true && !demo ? <KeptLink to="/settings/acting">What Septet may do</KeptLink> : undefined
}
