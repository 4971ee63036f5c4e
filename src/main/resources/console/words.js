// What the page says, in English and Chinese. Details of requests are the system's own words and stay as they are.

const STORED = 'once.language';

export const WORDS = {
  en: {
    other_language: '中文', skip_to_main: 'Skip to the content', logout: 'Forget the token', login: 'Sign in',
    token: 'Bearer token', enter: 'Enter', token_note: 'Kept in this tab only, until it is closed.',
    login_needed: 'This instance asks for a token with the role read.',
    now: 'Now', latency: 'Latency', instances: 'Instances', recent: 'Last requests', find: 'Find by request_id', show: 'Show',
    count: 'Last', state: 'State', any_state: 'any', recent_note: 'Heard of last, the newest first, with what came again under the same id.',
    none: 'No request yet.', none_in_state: 'None of the last requests is in this state.',
    operate: 'Operate', reason: 'Reason (required)', reason_note: 'Kept in the audit log with who did it.',
    timeline: 'Time line', incomplete: 'Reading the log took too long; this is not all of it.',
    payload: 'Show prompt, answer and payloads',
    live: 'live', polling: 'no live stream: asking every 2 s', unreachable: 'the instance does not answer; trying again',
    as: (name, roles) => `${name} (${roles})`,
    accepted: 'Accepted', duplicates: 'Duplicates', hit_rate: 'Dedup hit rate', conflicting: 'Conflicting', rejected: 'Rejected',
    in_flight: 'Calls in flight', of_slots: (n) => `of ${n} slots`, pending: 'Pending', oldest: (age) => `oldest ${age}`,
    outbox: 'Outbox waiting', committed: 'Committed', failed: 'Failed', unknown: 'UNKNOWN effects', held: 'Held for a person',
    compensating: 'Compensating', effects_out: 'Acknowledged, effects out', paused: 'Model calls', yes_paused: 'paused', not_paused: 'running',
    counted: (age, since) => `Counts since the instances started (the first at ${since}). Open work counted ${age} ago.`,
    partial: 'An instance does not answer; its figures are missing here.',
    stage: 'Stage', requests: 'Requests', since_start: 'since the start', last_minutes: 'last 5 minutes', window: 'Over',
    instance: 'Instance', this_one: 'this one', silent: 'does not answer', ready: 'ready', not_ready: 'not ready', why: 'Why',
    running: 'In flight', open_work: 'Open',
    stages: { queue: 'queue', model: 'model call', settle: 'effects and commit', total: 'total', overhead: 'total without the model' },
    states: {
      PENDING: 'pending', GENERATING: 'model call running', ACKNOWLEDGED: 'effects being carried out', HELD: 'held for a person',
      COMPENSATING: 'compensating', COMMITTED: 'committed', FAILED: 'failed', ACKNOWLEDGED_BY_LOG: 'kept, not read yet',
    },
    dup: (n) => `${n}× again`, rej: (n) => `${n}× refused`, first: 'once so far', ago: (age) => `${age} ago`,
    status: 'State', stale: 'from a standby, may lag behind', received: 'Received', deadline: 'Deadline', ended: 'Ended',
    forgotten: 'Forgotten from', source: 'Record', fingerprint: 'Fingerprint', attempts: 'Model calls', last_error: 'Last error',
    decision: 'Decision', hold: 'Held because', failure: 'Failed because', next_attempt: 'Next attempt', caller: 'Caller',
    answer: 'Answer', answer_of: (model, input, output, cost, took) => `${model}, ${input} + ${output} tokens, ${cost}, ${took}`,
    dedup: 'Dedup', dedup_of: (dup, rej) => `${dup} duplicates, ${rej} refused under this id`,
    verbs: { retry: 'Retry', cancel: 'Cancel', approve: 'Approve', reject: 'Reject', succeeded: 'Succeeded', failed: 'Failed', skip: 'Skip' },
    effect: 'Effect', compensation: 'Compensation', attempt: (n) => `attempt ${n}`, stage_no: (n) => `stage ${n}`, pivot: 'pivot',
    resolve: (id) => `What became of ${id}?`, by: (who) => `by ${who}`,
    no_role: 'Not possible: this token does not have the role operate.',
    has_ended: 'Not possible: the request has ended.',
    only_approval: 'Approve and reject are for requests that wait for an approval.',
    give_reason: 'Say why first.', sending: 'Sending …', applied: (verb) => `${verb}: applied.`,
    kept: (verb) => `${verb}: kept; what comes of it appears on the time line.`, same_again: 'It was sent before; nothing was done twice.',
    refused: (verb, why) => `${verb}: refused. ${why}`,
    not_sent: (verb) => `${verb}: no answer. Press again: it is the same command and counts once.`,
    no_payload_role: 'Needs the role payload, which this token does not have.',
    not_known: 'Not known', since_received: (age) => `+${age}`,
    events: {
      ACCEPTED: 'Accepted', ACCEPTED_AND_DISPATCHED: 'Accepted, and its model call started in the same step', DISPATCHED: 'Model call started',
      CALL_FAILED: 'Model call failed', CALL_LOST: 'Model call lost', HANDED_OVER: 'Model call handed over', DECIDED: 'Answer recorded, decided',
      HELD: 'Held for a person', RESUMED: 'Goes on', EFFECT_ISSUED: 'Effect issued', EFFECT_OUTCOME: 'Effect outcome',
      CALLBACK_LATE: 'Callback came late', CALLBACK_REFUSED: 'Callback refused', COMPENSATING: 'Compensating', COMMITTED: 'Committed',
      FAILED: 'Failed', COMMAND_APPLIED: 'Command applied', COMMAND_REFUSED: 'Command refused', STILL_HELD: 'Still held',
      DUPLICATE: 'Came again, same content: nothing done', REJECTED: 'Came under this id and was refused',
    },
  },
  zh: {
    other_language: 'English', skip_to_main: '跳到正文', logout: '清除令牌', login: '登录',
    token: 'Bearer 令牌', enter: '进入', token_note: '只保存在本标签页中，关闭即清除。',
    login_needed: '本实例需要具有 read 角色的令牌。',
    now: '当前', latency: '延迟', instances: '实例', recent: '最近的请求', find: '按 request_id 查找', show: '查看',
    count: '最近', state: '状态', any_state: '全部', recent_note: '最近 N 个 request_id 的去重状态，最新的在前。',
    none: '还没有请求。', none_in_state: '最近的请求中没有处于该状态的。',
    operate: '操作', reason: '原因（必填）', reason_note: '与操作人一起写入审计日志。',
    timeline: '时间线', incomplete: '读取日志超时，以下并不完整。',
    payload: '显示提示词、回答与载荷',
    live: '实时', polling: '没有实时流：每 2 秒查询一次', unreachable: '实例没有响应，正在重试',
    as: (name, roles) => `${name}（${roles}）`,
    accepted: '已接收', duplicates: '重复', hit_rate: '去重命中率', conflicting: '冲突', rejected: '已拒绝',
    in_flight: '进行中的调用', of_slots: (n) => `共 ${n} 个名额`, pending: '等待中', oldest: (age) => `最久 ${age}`,
    outbox: '发件箱待处理', committed: '已提交', failed: '已失败', unknown: '结果未知的副作用', held: '等待人工',
    compensating: '补偿中', effects_out: '已确认，副作用执行中', paused: '模型调用', yes_paused: '已暂停', not_paused: '运行中',
    counted: (age, since) => `计数自各实例启动以来（最早 ${since}）。未完成工作统计于 ${age}前。`,
    partial: '有实例没有响应，此处缺少它的数字。',
    stage: '阶段', requests: '请求数', since_start: '启动以来', last_minutes: '最近 5 分钟', window: '范围',
    instance: '实例', this_one: '当前实例', silent: '没有响应', ready: '就绪', not_ready: '未就绪', why: '原因',
    running: '进行中', open_work: '未完成',
    stages: { queue: '排队', model: '模型调用', settle: '副作用与提交', total: '总计', overhead: '除模型外' },
    states: {
      PENDING: '等待中', GENERATING: '模型调用中', ACKNOWLEDGED: '副作用执行中', HELD: '等待人工',
      COMPENSATING: '补偿中', COMMITTED: '已提交', FAILED: '已失败', ACKNOWLEDGED_BY_LOG: '已保存，尚未读取',
    },
    dup: (n) => `重复 ${n} 次`, rej: (n) => `拒绝 ${n} 次`, first: '无重复', ago: (age) => `${age}前`,
    status: '状态', stale: '来自备用副本，可能滞后', received: '接收时间', deadline: '截止时间', ended: '结束时间',
    forgotten: '遗忘时间', source: '记录位置', fingerprint: '指纹', attempts: '模型调用次数', last_error: '最近错误',
    decision: '决定', hold: '等待原因', failure: '失败原因', next_attempt: '下次尝试', caller: '调用者',
    answer: '回答', answer_of: (model, input, output, cost, took) => `${model}，${input} + ${output} 个 token，${cost}，${took}`,
    dedup: '去重', dedup_of: (dup, rej) => `重复 ${dup} 次，同一 id 下拒绝 ${rej} 次`,
    verbs: { retry: '重试', cancel: '取消', approve: '批准', reject: '驳回', succeeded: '已成功', failed: '已失败', skip: '跳过' },
    effect: '副作用', compensation: '补偿', attempt: (n) => `第 ${n} 次尝试`, stage_no: (n) => `阶段 ${n}`, pivot: '不可回退点',
    resolve: (id) => `${id} 的真实结果是什么？`, by: (who) => `操作人 ${who}`,
    no_role: '不可操作：该令牌没有 operate 角色。',
    has_ended: '不可操作：请求已经结束。',
    only_approval: '批准与驳回只用于等待审批的请求。',
    give_reason: '请先填写原因。', sending: '正在发送……', applied: (verb) => `${verb}：已执行。`,
    kept: (verb) => `${verb}：已保存，结果会出现在时间线上。`, same_again: '之前已发送过，不会重复执行。',
    refused: (verb, why) => `${verb}：被拒绝。${why}`,
    not_sent: (verb) => `${verb}：没有响应。请再按一次：同一条命令只算一次。`,
    no_payload_role: '需要 payload 角色，该令牌没有。',
    not_known: '未知', since_received: (age) => `+${age}`,
    events: {
      ACCEPTED: '已接收', ACCEPTED_AND_DISPATCHED: '已接收，并在同一步开始模型调用', DISPATCHED: '开始模型调用',
      CALL_FAILED: '模型调用失败', CALL_LOST: '模型调用丢失', HANDED_OVER: '模型调用已移交', DECIDED: '回答已记录并作出决定',
      HELD: '等待人工', RESUMED: '继续', EFFECT_ISSUED: '副作用已发出', EFFECT_OUTCOME: '副作用结果',
      CALLBACK_LATE: '回调迟到', CALLBACK_REFUSED: '回调被拒绝', COMPENSATING: '补偿中', COMMITTED: '已提交',
      FAILED: '已失败', COMMAND_APPLIED: '命令已执行', COMMAND_REFUSED: '命令被拒绝', STILL_HELD: '仍在等待',
      DUPLICATE: '相同内容再次到达：未做任何事', REJECTED: '同一 id 下到达，已拒绝',
    },
  },
};

function preferred() {
  const stored = sessionStorage.getItem(STORED);
  if (stored in WORDS) {
    return stored;
  }
  const first = (navigator.languages ?? [navigator.language]).map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag in WORDS);
  return first ?? 'en';
}

let language = preferred();

/** The words of the language chosen. */
export const words = () => WORDS[language];

/** Puts the words in that stand in the page, and says in which language it is. */
export function apply() {
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
  for (const element of document.querySelectorAll('[data-word]')) {
    element.textContent = words()[element.dataset.word];
  }
  const button = document.getElementById('language');
  button.textContent = words().other_language;
  button.lang = language === 'zh' ? 'en' : 'zh-CN';
}

export function swap() {
  language = language === 'zh' ? 'en' : 'zh';
  sessionStorage.setItem(STORED, language);
  apply();
}

/** A length of time, short. */
export function span(seconds) {
  if (!Number.isFinite(seconds)) {
    return '–';
  }
  if (seconds < 1) {
    return `${Math.round(seconds * 1000)} ms`;
  }
  if (seconds < 120) {
    return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  }
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

export const since = (at) => span(Math.max(0, (Date.now() - Date.parse(at)) / 1000));

export const number = (value) => new Intl.NumberFormat(document.documentElement.lang).format(value);

/** A moment in the reader's own time zone, with milliseconds. */
export function clock(at) {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? String(at) : new Intl.DateTimeFormat(document.documentElement.lang, {
    year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hour12: false,
  }).format(time);
}
