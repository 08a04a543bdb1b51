/** Times of a run say nothing, those of the input do: the former become words. */

/** No time in the inputs is later; the recording was made in this month. */
const RECORDED_FROM = Date.parse("2026-11-01T00:00:00Z");

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const STEM = /(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-\d\d-\d\d(?:-\d{1,3})?/g;
const STAMP = /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-[0-9a-z]+)?/g;

export function withoutTimes(text: string): string {
  return text
    .replace(TIME, (time) => (isOfTheRun(time) ? "<time>" : time))
    .replace(STEM, (stem, day, hour, minute, second) => (isOfTheRun(`${day}T${hour}:${minute}:${second}Z`) ? "<stem>" : stem))
    .replace(STAMP, "<stamp>");
}

function isOfTheRun(time: string): boolean {
  return Date.parse(time) >= RECORDED_FROM;
}

/** Before that day the runs of the inputs would lie in the future, which means something else. */
export function clockIsLateEnough(): boolean {
  return Date.now() >= RECORDED_FROM;
}
