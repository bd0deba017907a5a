/** Whether a wait is over; `wait` in milliseconds, the others by one clock. A clock that was set back prolongs no wait. */
export function hasPassed(wait: number, since: number, now: number): boolean {
  return Math.abs(now - since) >= wait;
}
