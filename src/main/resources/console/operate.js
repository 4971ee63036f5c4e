// What an operator does with a request: each button is a command with a reason, and its answer is shown.

import { Refused, ask, newKey, path } from './link.js';
import { by, fill, make, status } from './dom.js';
import { words } from './words.js';

const VERBS = ['retry', 'cancel', 'approve', 'reject'];
const OUTCOMES = ['succeeded', 'failed', 'skip'];
const ENDED = ['COMMITTED', 'FAILED'];

/** Commands without an answer yet, so that a second press is the same command. */
const unanswered = new Map();

let sending = false;

function say(text, tone) {
  by('answer').textContent = text;
  by('answer').className = tone ?? '';
}

/** Why nothing can be done with it; empty when something can. */
function whyNot(view, roles) {
  if (!roles.includes('operate')) {
    return words().no_role;
  }
  return ENDED.includes(view.status) ? words().has_ended : '';
}

function settleable(view) {
  if (view.status !== 'HELD') {
    return [];
  }
  return (view.effects ?? [])
    .flatMap((effect) => [effect, ...(effect.compensation ? [{ ...effect.compensation, name: `${effect.name} · ${words().compensation}`, route: effect.route }] : [])])
    .filter((effect) => effect.status === 'UNKNOWN' || effect.status === 'FAILED');
}

function others(view, shown) {
  return (view.effects ?? []).filter((effect) => !shown.some((one) => one.effect_id === effect.effect_id));
}

function describe(effect) {
  const w = words();
  return [
    make('p', {}, make('strong', {}, effect.name), ` · ${effect.route} · `, status(effect.status, effect.status)),
    make('p', { class: 'id' }, effect.effect_id),
    make('p', { class: 'note' }, [w.attempt(effect.attempt), effect.stage === undefined ? '' : w.stage_no(effect.stage), effect.pivot ? w.pivot : '', effect.reference ?? '', effect.detail ?? ''].filter(Boolean).join(' · ')),
    effect.compensation ? make('p', { class: 'note' }, `${w.compensation}: `, status(effect.compensation.status, effect.compensation.status), ` ${effect.compensation.detail ?? ''}`) : '',
  ];
}

function button(text, key, disabled, press) {
  return make('button', { type: 'button', 'data-key': key, id: `do-${key}`, disabled, 'aria-describedby': 'verbs-why', onclick: press }, text);
}

/** Puts the buttons in for what can be done with the request now. */
export function show(view, roles, done) {
  const w = words();
  const why = whyNot(view, roles);
  const approval = view.status === 'HELD' && view.hold?.reason === 'APPROVAL';
  const press = (verb, effect) => () => send(view.request_id, verb, effect, done);
  const verbs = VERBS.map((verb) => button(w.verbs[verb], verb,
    sending || why !== '' || (!approval && (verb === 'approve' || verb === 'reject')), press(verb)));
  fill(by('verbs'), verbs, make('p', { class: 'note', id: 'verbs-why' }, why || (approval ? '' : w.only_approval)));
  const settle = settleable(view);
  fill(by('effects'),
    settle.map((effect) => make('div', { class: 'effect' }, describe(effect),
      make('div', { class: 'verbs', role: 'group', 'aria-label': w.resolve(effect.effect_id) },
        OUTCOMES.map((outcome) => button(w.verbs[outcome], `${outcome}-${effect.effect_id}`,
          sending || why !== '' || effect.status === outcome.toUpperCase(), press(outcome, effect.effect_id)))))),
    others(view, settle).map((effect) => make('div', { class: 'effect' }, describe(effect))));
}

/** There is nothing that could be done. */
export function nothing() {
  fill(by('verbs'));
  fill(by('effects'));
}

/** Another request is looked at: neither what was done with the last one nor why is said of it. */
export function clear() {
  nothing();
  say('');
  by('reason').value = '';
}

async function send(id, verb, effect, done) {
  const w = words();
  const reason = by('reason').value.trim();
  by('reason').setAttribute('aria-invalid', String(reason === ''));
  if (reason === '') {
    say(w.give_reason, 'bad');
    by('reason').focus();
    return;
  }
  const command = JSON.stringify([id, verb, effect, reason]);
  unanswered.set(command, unanswered.get(command) ?? newKey());
  sending = true;
  say(w.sending);
  // The button cannot be pressed now, and must not lose the focus to nowhere.
  by('answer').focus();
  done();
  await deliver(id, verb, effect, reason, unanswered.get(command), () => unanswered.delete(command));
  sending = false;
  done();
}

async function deliver(id, verb, effect, reason, key, answered) {
  const w = words();
  const name = w.verbs[verb];
  try {
    const answer = await ask(`${path(id)}/${effect ? 'resolve' : verb}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key, Prefer: 'wait=15' },
      body: JSON.stringify(effect ? { reason, effect_id: effect, outcome: verb } : { reason }),
    });
    answered();
    by('reason').value = '';
    say(answer.replayed ? w.same_again : (answer.status === 200 ? w.applied(name) : w.kept(name)), 'good');
  } catch (failed) {
    if (failed instanceof Refused && failed.status < 500) {
      answered();
      say(w.refused(name, failed.message), 'bad');
    } else {
      say(`${w.not_sent(name)} ${failed.message}`, 'bad');
    }
  }
}
