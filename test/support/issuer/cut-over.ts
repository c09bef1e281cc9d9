/**
 * When an acquirer's next business day begins, in any zone: half a day from now, so that a test which runs at the cut-over of
 * a real acquirer does not find its sales in two days.
 */
export const FAR_CUT_OVER = `${String((new Date().getUTCHours() + 12) % 24).padStart(2, '0')}:00`;
