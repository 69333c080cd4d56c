import { DropdownMenu } from 'radix-ui'
import { useNavigate } from 'react-router'

import { useAuth } from '../../session/auth-context.ts'
import { Button } from '../../ui/Button.tsx'
import { PersonIcon } from '../../ui/icons.tsx'
import { showToast } from '../../ui/Toasts.tsx'

/** Who is signed in, the way to their settings, and out. */
export function AccountMenu() {
  const { user, signOut } = useAuth()
  const navigate = useNavigate()
  const leave = async (): Promise<void> => {
    const problem = await signOut('local')
    if (problem !== undefined) showToast({ title: 'Error', description: problem, tone: 'plain' })
  }
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button look="quiet" aria-label={`Account: ${user?.email ?? 'signed in'}`} className="size-8 px-0">
          <PersonIcon />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          aria-label="Account"
          align="end"
          sideOffset={6}
          collisionPadding={12}
          className="floats z-50 w-64 rounded-control border border-line bg-raised p-1"
        >
          <DropdownMenu.Label className="px-2.5 py-2 text-12 text-ink-soft">
            Signed in as <span className="block truncate text-13 font-medium text-ink">{user?.email}</span>
          </DropdownMenu.Label>
          <DropdownMenu.Separator className="mx-1 my-1 h-px bg-line" />
          <DropdownMenu.Item className={ITEM} onSelect={() => void navigate('/settings/account')}>
            Account and settings
          </DropdownMenu.Item>
          <DropdownMenu.Item className={ITEM} onSelect={() => void leave()}>
            Sign out
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

const ITEM =
  'cursor-pointer rounded-[4px] px-2.5 py-1.5 text-13 outline-none data-highlighted:bg-sunken data-highlighted:shadow-[inset_2px_0_0_var(--accent)]'
