import { useEffect, useState } from 'react'

/** The time in milliseconds, again every ten seconds: enough for "14 min ago". */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
