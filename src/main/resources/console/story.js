// One request: where it stands, and everything that happened to it on a time line.

import { by, facts, fill, make, status } from './dom.js';
import { clock, span, words } from './words.js';

const GOOD = ['COMMITTED', 'RESUMED', 'COMMAND_APPLIED', 'DECIDED'];
const BAD = ['FAILED', 'CALL_FAILED', 'CALL_LOST', 'COMPENSATING', 'CALLBACK_REFUSED', 'COMMAND_REFUSED', 'REJECTED'];
const WAITING = ['HELD', 'STILL_HELD', 'DUPLICATE', 'CALLBACK_LATE', 'HANDED_OVER'];

function tone(type) {
  if (GOOD.includes(type)) {
    return 'good';
  }
  if (BAD.includes(type)) {
    return 'bad';
  }
  return WAITING.includes(type) ? 'wait' : undefined;
}

/** Events stay in the order of their log; what came again is put where its time belongs. */
export function merged(events, again) {
  const line = [...events];
  for (const one of again) {
    const later = line.findIndex((event) => Date.parse(event.at) > Date.parse(one.at));
    line.splice(later < 0 ? line.length : later, 0, one);
  }
  return line;
}

function entries(trail) {
  const w = words();
  const place = (record, kind) => `${record[`${kind}_topic`]}-${record[`${kind}_partition`]}@${record[`${kind}_offset`]}`;
  const again = [
    ...trail.duplicates.map((one) => ({ type: 'DUPLICATE', at: one.at, detail: `${place(one, 'duplicate')}, ${w.states[one.status] ?? one.status}` })),
    ...trail.rejected.map((one) => ({ type: 'REJECTED', at: one.at, detail: `${one.reason}: ${one.detail}` })),
  ];
  return merged(trail.events, again);
}

/** A call that starts at once is not told apart from the acceptance: one record is both. */
function title(event) {
  const both = event.type === 'ACCEPTED' && event.to === 'GENERATING' && event.attempt > 0;
  return words().events[both ? 'ACCEPTED_AND_DISPATCHED' : event.type] ?? event.type;
}

function entry(event, start) {
  const w = words();
  const passed = (Date.parse(event.at) - Date.parse(start)) / 1000;
  const more = [
    event.effect_id ?? '',
    event.attempt > 0 ? w.attempt(event.attempt) : '',
    event.actor ? w.by(event.actor) : '',
  ].filter(Boolean).join(' · ');
  return make('li', { class: tone(event.type), 'data-type': event.type },
    make('time', { datetime: event.at }, `${clock(event.at)} ${passed >= 0 ? w.since_received(span(passed)) : ''}`),
    make('p', {}, make('strong', {}, title(event)), more ? ` · ${more}` : ''),
    event.detail ? make('p', { class: 'note' }, event.detail) : '');
}

function answer(view) {
  const given = view.answer;
  if (!given) {
    return undefined;
  }
  const took = (Date.parse(given.finished_at) - Date.parse(given.started_at)) / 1000;
  return words().answer_of(given.model, given.input_tokens, given.output_tokens, `${given.cost_nanos / 1e9} ${given.currency}`, span(took));
}

const reason = (part) => part && `${part.reason}: ${part.detail}`;
const time = (at) => at && clock(at);

function standing(view, trail) {
  const w = words();
  return facts([
    [w.status, make('span', {}, status(view.status, w.states[view.status] ?? view.status), view.stale ? ` (${w.stale})` : '')],
    [w.dedup, trail && w.dedup_of(trail.duplicates.length, trail.rejected.length)],
    [w.hold, reason(view.hold)],
    [w.failure, reason(view.failure)],
    [w.decision, view.decision],
    [w.received, time(view.received_at)],
    [w.deadline, time(view.deadline)],
    [w.ended, time(view.ended_at)],
    [w.next_attempt, time(view.next_attempt_at)],
    [w.attempts, view.attempts === undefined ? undefined : String(view.attempts)],
    [w.caller, view.caller],
    [w.last_error, view.last_error],
    [w.answer, answer(view)],
    [w.source, view.source],
    [w.fingerprint, view.fingerprint && make('span', { class: 'id' }, view.fingerprint)],
    [w.forgotten, time(view.forgotten_at)],
  ]);
}

/** What is shown before anything is known of it. */
export function clear(id) {
  by('request').hidden = false;
  by('request-title').textContent = id;
  by('request-problem').textContent = '';
  by('content').hidden = true;
  by('incomplete').hidden = true;
  fill(by('facts'));
  fill(by('timeline'));
}

/** @param trail undefined when it could not be read; what is shown of it then stays */
export function show(view, trail) {
  fill(by('facts'), view ? standing(view, trail) : []);
  if (trail) {
    const start = view?.received_at ?? trail.events[0]?.at;
    fill(by('timeline'), entries(trail).map((event) => entry(event, start)));
    by('incomplete').hidden = trail.complete;
  }
}
