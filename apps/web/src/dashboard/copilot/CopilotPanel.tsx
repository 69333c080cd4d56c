import { Dialog } from 'radix-ui'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'

import { usePlace } from '../../session/place-context.ts'
import { Button } from '../../ui/Button.tsx'
import { SubmitButton } from '../../ui/SubmitButton.tsx'
import { CloseIcon } from '../../ui/dashboard-icons.tsx'
import { Conversation } from './Conversation.tsx'
import { useCopilot } from './copilot-context.ts'
import { useConversation } from './use-conversation.ts'

/** Below this there is no room beside a screen. */
const NARROW = '(max-width: 899.9px)'

const useIsNarrow = (): boolean => useSyncExternalStore(listen, () => matchMedia(NARROW).matches)

function listen(changed: () => void): () => void {
  const query = matchMedia(NARROW)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

/** The co-pilot, at the right of every screen; a sheet over it where the window is narrow. Escape closes it. */
export function CopilotPanel({ giveFocusBack }: { readonly giveFocusBack: () => void }) {
  const { setOpen } = useCopilot()
  const isNarrow = useIsNarrow()
  const box = useRef<HTMLTextAreaElement>(null)
  useRoomAtTheRight(!isNarrow)
  useClosedByLeaving(isNarrow)
  return (
    <Dialog.Root open modal={isNarrow} onOpenChange={setOpen}>
      {isNarrow && <Dialog.Overlay className="fixed inset-0 z-50 bg-[oklch(0%_0_0/35%)]" />}
      <Dialog.Content
        aria-describedby={undefined}
        onInteractOutside={(event) => !isNarrow && event.preventDefault()}
        onOpenAutoFocus={(event) => {
          event.preventDefault()
          box.current?.focus()
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          giveFocusBack()
        }}
        className={`flex flex-col bg-raised outline-none ${isNarrow ? SHEET : BESIDE}`}
      >
        <Content box={box} />
      </Dialog.Content>
    </Dialog.Root>
  )
}

/** Over the right of the screen, which stays as it is; beside it where there is room for both. */
const BESIDE =
  'floats fixed inset-y-0 right-0 z-40 w-(--copilot) border-l border-line min-[1600px]:sticky min-[1600px]:top-0 min-[1600px]:z-30 min-[1600px]:h-dvh min-[1600px]:shrink-0 min-[1600px]:shadow-none'
const SHEET = 'floats fixed inset-x-0 top-10 bottom-0 z-50 rounded-t-card border-t border-line'

function Content({ box }: { readonly box: RefObject<HTMLTextAreaElement | null> }) {
  const { demo } = usePlace()
  const conversation = useConversation()
  const { turns, clear, canClear, said } = conversation
  return (
    <>
      <div className="flex items-center justify-between gap-2 border-b border-line px-4 py-2.5">
        <Dialog.Title className="text-14 font-semibold">Co-pilot</Dialog.Title>
        <span className="flex items-center gap-1">
          {turns.length > 0 && (
            <Button
              look="quiet"
              disabled={!canClear}
              onClick={clear}
              title="Forget what was asked, here and on the server"
            >
              Clear
            </Button>
          )}
          <Dialog.Close asChild>
            <Button look="quiet" aria-label="Close the co-pilot" className="size-8 px-0">
              <CloseIcon />
            </Button>
          </Dialog.Close>
        </span>
      </div>
      <Conversation {...conversation} />
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
      <div className="border-t border-line px-4 py-3">
        <AskForm box={box} ask={conversation.ask} stop={conversation.stop} />
        <p className="mt-2 text-12 text-ink-quiet">
          It only reads, and sees what you may see.{demo ? ' The demo keeps no questions.' : ''}
        </p>
      </div>
    </>
  )
}

/** A sheet would hide the page that an answer led to. */
function useClosedByLeaving(isSheet: boolean): void {
  const { setOpen } = useCopilot()
  const { key } = useLocation()
  const [openedAt] = useState(key)
  useEffect(() => {
    if (isSheet && key !== openedAt) setOpen(false)
  }, [isSheet, key, openedAt, setOpen])
}

/** What floats at the right of the window stands beside the panel and not over it: SidePanel asks for this width. */
function useRoomAtTheRight(isTaken: boolean): void {
  useLayoutEffect(() => {
    if (!isTaken) return undefined
    const { style } = document.documentElement
    style.setProperty('--copilot', '26rem')
    return () => void style.removeProperty('--copilot')
  }, [isTaken])
}

type Props = {
  readonly box: RefObject<HTMLTextAreaElement | null>
  /** Undefined while an answer is on its way. */
  readonly ask: ((question: string) => void) | undefined
  /** Ends that; undefined while nothing is on its way. */
  readonly stop: (() => void) | undefined
}

/** The question box. Enter asks; Shift and Enter begin a new line. */
function AskForm({ box, ask, stop }: Props) {
  const [typed, setTyped] = useState('')
  const send = (): void => {
    if (ask === undefined || typed.trim() === '') return
    ask(typed)
    setTyped('')
  }
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        ref={box}
        aria-label="Your question"
        placeholder="Which workloads are waiting, and why?"
        required
        rows={2}
        maxLength={2000}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          send()
        }}
        className="min-h-16 min-w-0 flex-1 resize-none rounded-control border border-(--free) bg-surface px-3 py-2 text-16 placeholder:text-ink-quiet hover:border-ink-quiet sm:text-14"
      />
      {stop === undefined ? (
        <SubmitButton busy={ask === undefined}>Ask</SubmitButton>
      ) : (
        <Button
          className="min-h-10 px-4"
          onClick={() => {
            stop()
            // This button goes, and the next question is typed there.
            box.current?.focus()
          }}
        >
          Stop
        </Button>
      )}
    </form>
  )
}
