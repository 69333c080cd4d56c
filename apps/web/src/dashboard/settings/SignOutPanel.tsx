import { useAuth } from '../../session/auth-context.ts'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Problem } from '../form/Problem.tsx'
import { useSending } from '../client/use-sending.ts'

/** Out of this device, out of the others, or out of all. */
export function SignOutPanel({ ended }: { readonly ended: () => void }) {
  const { signOut } = useAuth()
  const { busy, problem, run } = useSending()
  const leave = (scope: 'local' | 'others' | 'global'): Promise<void> =>
    run(async () => {
      const refused = await signOut(scope)
      if (refused !== undefined) return { problem: refused }
      ended()
      return scope === 'others' ? { done: 'All other devices were signed out.' } : undefined
    })
  return (
    <Panel title="Sign out">
      <div className="flex flex-wrap gap-2">
        <Button className="min-h-8" disabled={busy} onClick={() => void leave('local')}>
          This device
        </Button>
        <Button className="min-h-8" disabled={busy} onClick={() => void leave('others')}>
          Every other device
        </Button>
        <Button className="min-h-8" disabled={busy} onClick={() => void leave('global')}>
          Everywhere
        </Button>
      </div>
      <Problem words={problem} className="mt-3" />
    </Panel>
  )
}
