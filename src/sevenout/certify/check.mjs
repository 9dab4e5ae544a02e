// The second checker of certificates: `node check.mjs proof.json`, or judged(bytes) in a browser.
//
// It is written from docs/certificates.md and docs/declarations.md, shares no code with check.py,
// and depends on nothing. All numbers are BigInt, or fractions of two. It exits with 0 if all is
// proved, with 1 if not, and with 2 if there is no such file. Unpack what gzip packed first.

// 1. Reading: JSON without floats, keys that stand once, exact numbers.

class Unproved extends Error {}
class Unreadable extends Error {}
const CUT = "the line is no JSON: the file is cut short or damaged";

function must(holds, what) {
  if (!holds) throw new Unproved(what);
}

function intact(holds) {
  if (!holds) throw new Unreadable(CUT);
}

function parsed(text) {
  let at = 0;
  const space = () => { while (" \t\n\r".includes(text[at] ?? "x")) at++; };
  const token = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const mark = (c) => {
    space();
    const there = text[at] === c;
    if (there) at++;
    return there;
  };
  const string = () => {
    const found = token(/"((?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"/y);
    intact(found);
    return JSON.parse(found[0]);
  };
  const list = (end, item) => {
    if (mark(end)) return;
    do item(); while (mark(","));
    intact(mark(end));
  };
  const value = (deep) => {
    must(deep < 200, "too deep");
    space();
    if (text[at] === '"') return string();
    if (mark("{")) {
      const found = new Map();
      list("}", () => {
        space();
        const key = string();
        must(!found.has(key), "a key stands twice");
        intact(mark(":"));
        found.set(key, value(deep + 1));
      });
      return found;
    }
    if (mark("[")) {
      const found = [];
      list("]", () => found.push(value(deep + 1)));
      return found;
    }
    const name = token(/true|false|null/y);
    if (name) return { true: true, false: false, null: null }[name[0]];
    const number = token(/-?(?:0|[1-9][0-9]*)(?![0-9.eE])/y);
    must(number || !token(/-?[0-9]|NaN|Infinity|-Infinity/y), "no exact number");
    intact(number);
    return BigInt(number[0]);
  };
  const found = value(0);
  space();
  intact(at === text.length);
  return found;
}

const isInt = (x) => typeof x === "bigint";
const many = (x) => { must(Array.isArray(x), "this is no list"); return x; };
const word = (x) => { must(typeof x === "string", "this is no text"); return x; };
const spelled = (x) => (isInt(x) ? String(x) : word(x));
const table = (x) => { must(x instanceof Map, "this is no object"); return x; };

function keys(data, needed, allowed = []) {
  table(data);
  for (const key of needed) must(data.has(key), `the key ${key} is missing`);
  const known = new Set([...needed, ...allowed]);
  for (const key of data.keys()) must(known.has(key), `nobody checks the key ${key}`);
  return data;
}

function whole(x, least, below = null) {
  must(isInt(x) && x >= BigInt(least), "this can't be");
  must(below === null || x < BigInt(below), "this can't be");
  return x;
}

// A fraction is [n, d] in lowest terms, d > 0.
function ratio(n, d = 1n) {
  must(d !== 0n, "a denominator of 0");
  let [a, b] = [n < 0n ? -n : n, d < 0n ? -d : d];
  if (b !== 1n) {
    while (b) [a, b] = [b, a % b];
    return d < 0n ? [-n / a, -d / a] : [n / a, d / a];
  }
  return [d < 0n ? -n : n, 1n];
}
const sum = ([a, b], [c, d]) => (b === d ? ratio(a + c, b) : ratio(a * d + c * b, b * d));
const minus = ([a, b]) => [-a, b];
const times = ([a, b], [c, d]) => ratio(a * c, b * d);
const order = ([a, b], [c, d]) => { const x = a * d - c * b; return x < 0n ? -1 : x > 0n ? 1 : 0; };
const size = ([a, b]) => [a < 0n ? -a : a, b];
const int = (n) => [BigInt(n), 1n];
const shown = ([a, b]) => (b === 1n ? String(a) : `${a}/${b}`);

function number(x) {
  if (isInt(x)) return [x, 1n];
  const form = /^(-?)([0-9]+)(?:\/([0-9]+)|(?:\.([0-9]+))?(?:e-([0-9]{1,4}))?)$/;
  const found = typeof x === "string" && form.exec(x);
  must(found && !x.endsWith("\n"), "this is no exact number");
  const [, sign, n, d, decimals = "", e = "0"] = found;
  const top = BigInt(n + decimals) * (sign ? -1n : 1n);
  return ratio(top, d ? BigInt(d) : 10n ** BigInt(decimals.length + Number(e)));
}

const total = (weights) => weights.reduce((a, b) => a + b, 0n);
const uniq = (list) => new Set(list).size === list.length;

function laws(data) {
  return many(data).map((each) => {
    const names = many(keys(each, ["rolls", "weights"]).get("rolls")).map(word);
    const weights = many(each.get("weights")).map((w) => whole(w, 1));
    must(names.length === weights.length && names.length > 0, "not one weight for each result");
    return weights;
  });
}

// 2. Declared games, expanded into states: docs/declarations.md.

const MOST = 1000000;
const ALIKE = { doubles: 2, triples: 3 };

function rollsOf(rules) {
  const cards = rules.has("cards");
  const dice = cards
    ? Array(Number(whole(rules.get("draw"), 1, 7))).fill(rules.get("cards"))
    : many(rules.get("dice"));
  must(dice.length > 0, "nothing is rolled");
  let ways = [[[], 1n]];
  for (const die of dice) {
    must(many(die).length > 0 && die.every(isInt), "this is no die");
    const found = new Map();
    for (const [way, weight] of ways) {
      const left = [...die];
      for (const face of cards ? way : []) {
        must(left.includes(face), "no card is left");
        left.splice(left.indexOf(face), 1);
      }
      for (const face of left) {
        const key = [...way, face].join();
        if (!found.has(key)) found.set(key, [[...way, face], 0n]);
        found.get(key)[1] += weight;
      }
    }
    ways = [...found.values()];
    must(ways.length <= MOST, "too many rolls");
  }
  return ways;
}

function fits(event, faces) {
  if (Array.isArray(event)) {
    must(event.every(isInt), "a roll is a list of faces");
    return event.join() === faces.join();
  }
  const alike = uniq(faces) ? faces.length === 1 : new Set(faces).size === 1;
  if (/^-?[0-9]+$/.test(event)) return total(faces) === BigInt(event);
  const way = /^(hard|easy) (-?[0-9]+)$/.exec(event);
  if (way) return total(faces) === BigInt(way[2]) && alike === (way[1] === "hard");
  if (/^[0-9]+(-[0-9]+)+$/.test(event)) {
    return faces.map(String).sort().join("-") === event.split("-").sort().join("-");
  }
  must(Object.hasOwn(ALIKE, event), "this is no event");
  return faces.length === ALIKE[event] && alike;
}

const split = (key) => word(key).split(",").map((event) => event.replace(/^ +| +$/g, ""));

class Rules {
  constructor(data, needed, allowed) {
    keys(data, needed, [...allowed, "events", "names"]);
    this.data = data;
    this.own = table(data.get("events") ?? new Map());
    this.names = table(data.get("names") ?? new Map());
    for (const name of this.names.values()) word(name);
    for (const [name, each] of this.own) {
      must(name && !name.includes(",") && name !== OTHER, "no name for an event");
      for (const event of many(each)) {
        must(Array.isArray(event) || typeof event === "string", "no event");
      }
    }
  }
  read(faces, words) {
    let found = [...this.own].filter(([, each]) => each.some((x) => fits(x, faces))).map((x) => x[0]);
    if (!found.length) found = words.filter((x) => !this.own.has(x) && fits(x, faces));
    must(found.length < 2, "a roll is two events");
    return found[0];
  }
  end(event, pays) {
    return { end: this.names.get(event) ?? event, pays };
  }
}
const OTHER = "any other";

class Line extends Rules {
  constructor(data) {
    const lists = ["naturals", "craps", "pushes", "rerolls"];
    super(data, [...lists, "out", "bets"], ["limit", "hard"]);
    this.lists = lists.map((name) => many(data.get(name)).map(spelled));
    must(uniq(this.lists.flat()), "a total is in two lists");
    this.out = spelled(data.get("out"));
    must(this.lists.flat().includes(this.out), "the out is a point");
    this.hard = data.has("hard") && data.get("hard");
    must(typeof this.hard === "boolean", "hard is true or false");
    this.limit = data.has("limit") ? whole(data.get("limit"), 1) : null;
    const events = ["natural", "craps", "push", "point", "easy", "out", "late"];
    keys(this.names, [], events);
    this.bets = [...table(data.get("bets"))];
    for (const [, bet] of this.bets) keys(bet, ["stake"], events);
    this.stakes = this.bets.map(([name, bet]) => [name, number(bet.get("stake"))]);
    this.start = null;
  }
  seen(faces) {
    const seen = this.read(faces, []) ?? String(total(faces));
    return this.hard ? `${new Set(faces).size === 1 ? "hard" : "easy"} ${seen}` : seen;
  }
  step(state, roll) {
    const seen = this.hard ? roll.slice(5) : roll;
    if (state === null) {
      const kind = this.lists.findIndex((list) => list.includes(seen));
      if (kind === 3) return null;
      return kind < 0 ? [seen, 0n] : this.paid(["natural", "craps", "push"][kind], seen, 0n);
    }
    const [point, made] = state;
    const easy = this.hard && roll.startsWith("easy");
    if (seen === point) return this.paid(easy ? "easy" : "point", point, made + 1n);
    if (seen === this.out) return this.paid("out", point, 0n);
    if (this.limit === null) return state;
    return made + 1n < this.limit ? [point, made + 1n] : this.paid("late", point, 0n);
  }
  paid(event, at, roll) {
    return this.end(event, this.bets.map(([name, bet]) => [name, this.pay(bet, event, at, roll)]));
  }
  pay(bet, event, at, roll) {
    must(bet.has(event), `${event} is paid nothing`);
    let amount = bet.get(event);
    if (amount instanceof Map) {
      const found = [...amount].filter(([key]) => split(key).includes(at));
      must(found.length === 1, `${event} is not paid once`);
      amount = found[0][1];
    }
    if (Array.isArray(amount)) {
      must(this.limit !== null && roll > 0n && roll <= BigInt(amount.length), "paid by roll");
      amount = amount[Number(roll) - 1];
    }
    return number(amount);
  }
  said(state) {
    if (state === null) return "come-out";
    return `point ${state[0]}` + (this.limit === null ? "" : `, ${state[1]} rolled`);
  }
}

class Wager extends Rules {
  constructor(data) {
    super(data, ["bet", "stake", "pays"], ["limit", "rest"]);
    this.stakes = [[word(data.get("bet")), number(data.get("stake"))]];
    this.limit = data.has("limit") ? whole(data.get("limit"), 1, MOST) : null;
    must(data.has("rest") === (this.limit !== null), "rest is paid when a limit is reached");
    this.of = new Map();
    for (const key of table(data.get("pays")).keys()) {
      for (const event of split(key)) {
        must(!this.of.has(event), "a roll is paid twice");
        this.of.set(event, key);
      }
    }
    keys(this.names, [], [...data.get("pays").keys(), "rest"]);
    this.start = this.limit ?? 0n;
  }
  seen(faces) {
    return this.read(faces, [...this.of.keys()]) ?? OTHER;
  }
  step(state, roll) {
    const [[bet]] = this.stakes;
    const key = this.of.get(roll);
    if (key !== undefined) return this.end(key, [[bet, number(this.data.get("pays").get(key))]]);
    if (state === 1n) return this.end("rest", [[bet, number(this.data.get("rest"))]]);
    return state > 0n ? state - 1n : 0n;
  }
  said(state) {
    return state ? `${state} rolls left` : "rolling";
  }
}

class Checklist extends Rules {
  constructor(data) {
    super(data, ["bet", "stake", "collect", "stop", "pays"], ["first"]);
    this.stakes = [[word(data.get("bet")), number(data.get("stake"))]];
    this.entries = [...table(data.get("collect"))];
    this.times = this.entries.map(([, n]) => whole(n, 1, MOST));
    this.of = new Map();
    this.entries.forEach(([key], i) => {
      for (const event of split(key)) {
        must(!this.of.has(event), "a roll is in two entries");
        this.of.set(event, i);
      }
    });
    this.stop = spelled(data.get("stop"));
    this.first = data.has("first") && data.get("first");
    must(this.of.size && typeof this.first === "boolean" && !this.of.has(this.stop), "no checklist");
    this.whole = this.first ? 1 : this.times.length;
    const prizes = Array.from({ length: this.whole + 1 }, (_, n) => String(n));
    keys(data.get("pays"), [], prizes);
    keys(this.names, [], [...prizes, "stop"]);
    this.start = this.times.map(() => 0n);
  }
  seen(faces) {
    return this.read(faces, [...this.of.keys(), this.stop]) ?? OTHER;
  }
  done(state) {
    return state.filter((n, i) => n === this.times[i]).length;
  }
  step(state, roll) {
    if (roll === this.stop) return this.ended(this.done(state));
    const i = this.of.get(roll);
    if (i === undefined || state[i] === this.times[i]) return state;
    const after = state.with ? state.with(i, state[i] + 1n) : state.map((n, j) => n + BigInt(i === j));
    return this.done(after) === this.whole ? this.ended(this.whole) : after;
  }
  ended(done) {
    const [[bet, stake]] = this.stakes;
    const paid = this.data.get("pays").get(String(done));
    if (paid === undefined) return this.end("stop", [[bet, minus(stake)]]);
    return this.end(String(done), [[bet, number(paid)]]);
  }
  said(state) {
    return state.map((n, i) => `${this.entries[i][0]}: ${n} of ${this.times[i]}`).join("; ");
  }
}

const spell = (x) => JSON.stringify(x, (_, y) => (isInt(y) ? `${y}` : y));

function expanded(rules) {
  const cards = table(rules).has("cards");
  const kinds = { line: Line, wager: Wager, checklist: Checklist };
  keys(rules, cards ? ["cards", "draw"] : ["dice"], Object.keys(kinds));
  const games = Object.entries(kinds).flatMap(([kind, Kind]) =>
    many(rules.get(kind) ?? []).map((data) => new Kind(data)));
  must(games.length > 0, "there is no game");
  const stakes = games.flatMap((game) => game.stakes);
  must(uniq(stakes.map(([bet]) => bet)), "a bet stands in two tables");
  const law = new Map();
  for (const [faces, weight] of rollsOf(rules)) {
    const roll = games.map((game) => game.seen(faces));
    const key = spell(roll);
    if (!law.has(key)) law.set(key, [roll, 0n]);
    law.get(key)[1] += weight;
  }
  const rolls = [...law.values()];
  const [states, place, ends, outcomes] = [[], new Map(), new Map(), []];
  const known = (state) => {
    const key = spell(state);
    if (!place.has(key)) {
      place.set(key, states.length);
      states.push(state);
      must(states.length <= MOST, "too many states");
    }
    return place.get(key);
  };
  known(games.map((game) => game.start));
  const rows = [];
  for (let s = 0; s < states.length; s++) {
    const on = states[s].map((part) => part?.end === undefined);
    const to = rolls.map(([roll]) => {
      const after = games.map((game, g) => (on[g] ? game.step(states[s][g], roll[g]) : states[s][g]));
      if (!after.every((part) => part?.end !== undefined)) return known(after);
      const end = { name: after.map((part) => part.end).join(" \u00b7 "),
        pays: new Map(after.flatMap((part) => part.pays)) };
      const key = spell([end.name, after.flatMap((part) => part.pays)]);
      if (!ends.has(key)) {
        ends.set(key, outcomes.length);
        outcomes.push(end);
      }
      return ~ends.get(key);
    });
    const counts = games.length < 2 ? [] : games.flatMap((game, g) =>
      game.stakes.map(([bet]) => [`rolls of ${bet}`, rolls.map(() => int(on[g]))]));
    const said = games.map((game, g) => (on[g] ? game.said(states[s][g]) : states[s][g].end));
    rows.push({ state: said.join(" | "), roll: 0, to, counts: new Map(counts) });
  }
  for (const row of rows) row.to = row.to.map((t) => (t < 0 ? states.length + ~t : t));
  return { laws: [rolls.map(([, weight]) => weight)], outcomes, stakes: new Map(stakes), rows };
}

// 3. Claims, equations and ranks: docs/certificates.md, "Why it proves the claim".

const HEAD = ["format", "version", "game", "states", "ends", "scale", "residual", "one", "claims"];
const BODY = ["rollables", "outcomes", "stakes", "passes"];
const CLAIMS = { bet: ["value"], profit: ["value", "least", "more"], outcome: ["value", "outcomes"],
  counter: ["value"], worth: ["value", "worth"], law: ["first"] };

function bodyOf(head) {
  if (head.has("rules")) {
    keys(head, [...HEAD, "rules"]);
    return { ...expanded(head.get("rules")), passes: false };
  }
  keys(head, [...HEAD, ...BODY]);
  const stakes = new Map([...table(head.get("stakes"))].map(([bet, x]) => [bet, number(x)]));
  const outcomes = many(head.get("outcomes")).map((end) => {
    const pays = keys(keys(end, ["name", "pays"]).get("pays"), [], stakes.keys());
    const amounts = [...pays].map(([bet, x]) => [bet, number(x)]);
    return { name: word(end.get("name")), pays: new Map(amounts) };
  });
  must(typeof head.get("passes") === "boolean", "passes is true or false");
  return { laws: laws(head.get("rollables")), outcomes, stakes, passes: head.get("passes") };
}

function columnsOf(claim, body, scale) {
  const of = keys(claim, ["of", "name", "within"], [...claim.keys()]).get("of");
  must(typeof of === "string" && Object.hasOwn(CLAIMS, of), "no such claim");
  const name = word(keys(claim, ["of", "name", "within", ...CLAIMS[of]]).get("name"));
  const values = (of === "law" ? many(claim.get("first")) : [claim.get("value")]).map(number);
  must(values.length > 0, "nothing is claimed");
  const { outcomes, passes } = body;
  must(!passes || of === "bet" || of === "profit", "where turns pass, a bet alone can be claimed");
  let [worth, both] = [outcomes.map(() => int(0)), int(0)];
  if (of === "bet" || of === "profit") {
    const stake = body.stakes.get(name);
    must(stake && outcomes.every((end) => end.pays.has(name)), "no such bet");
    worth = outcomes.map((end) => times(end.pays.get(name), ratio(stake[1], stake[0])));
  }
  if (of === "profit") {
    const [least, more] = [number(claim.get("least")), claim.get("more")];
    must(typeof more === "boolean", "more is true or false");
    const reached = (x) => order(x, least) > (more ? 0 : -1);
    must(!passes || worth.every((x) => reached(x) !== reached(minus(x))), "both win, or neither");
    [worth, both] = [worth.map((x) => int(reached(x))), [scale, 1n]];
  } else if (of === "outcome") {
    const names = many(claim.get("outcomes")).map(word);
    must(names.every((x) => outcomes.some((end) => end.name === x)), "no such outcome");
    worth = outcomes.map((end) => int(names.includes(end.name)));
  } else if (of === "worth") {
    worth = many(claim.get("worth")).map(number);
    must(worth.length === outcomes.length, "not one worth for each outcome");
  }
  const unit = [scale, 1n];
  const terms = [];
  values.forEach((value, n) => {
    const ends = of === "law" ? outcomes.map(() => int(n === 0)) : worth;
    terms.push({ of, counter: of === "counter" || of === "law" ? name : null, n, terms, both, unit,
      value, within: number(claim.get("within")), values: [],
      ends: ends.map((x) => times(x, unit)) });
  });
  return terms;
}

function follow(column, to, counts, passes) {
  return to.map((t, i) => {
    if (column.of === "law") {
      whole(counts[i][1] === 1n ? counts[i][0] : null, 0);
      const n = BigInt(column.n) - counts[i][0];
      return n < 0n ? int(0) : column.terms[Number(n)].values[t];
    }
    const worth = sum(column.values[t], times(counts[i], column.unit));
    return passes[i] ? sum(column.both, minus(worth)) : worth;
  });
}

class Proof {
  constructor(head) {
    const turns = head.get("format") === "sevenout certificate of turns";
    must(!turns, "check.py alone checks games of turns");
    must(head.get("format") === "sevenout certificate", "this is no certificate");
    this.body = bodyOf(head);
    whole(head.get("version"), 2, 3);
    must(["always", "picked"].includes(head.get("ends")), "no such end");
    this.game = word(head.get("game"));
    this.always = head.get("ends") === "always";
    this.scale = whole(head.get("scale"), 1);
    this.residual = [whole(head.get("residual"), 0), 1n];
    this.one = head.get("one") === null ? null : whole(head.get("one"), 1);
    const exact = this.scale === 1n && this.residual[0] === 0n;
    must(this.one === null ? exact : this.always, "this needs another ranking");
    must([...this.body.stakes.values()].every((x) => x[0] > 0n), "a stake is more than 0");
    must(many(head.get("claims")).length > 0, "nothing is claimed");
    this.claims = head.get("claims").map((claim) => columnsOf(table(claim), this.body, this.scale));
    this.columns = this.claims.flat();
    this.states = whole(head.get("states"), 1);
    this.asked = new Set();
    this.names = head.get("claims").map((claim) => `${claim.get("of")} ${spell(claim.get("name"))}`);
  }

  check(lines) {
    must(BigInt(lines.length) === this.states, "not as many states as announced");
    must(!this.body.rows || this.body.rows.length === lines.length, "not the states of the rules");
    for (const line of lines) {
      keys(line, ["state", "rank", "values"], this.body.rows ? [] : [...line.keys()]);
      must(many(line.get("values")).length === this.columns.length, "not one value for each column");
      this.columns.forEach((column, i) => column.values.push(number(line.get("values")[i])));
    }
    for (const column of this.columns) column.values.push(...column.ends);
    this.ranks = lines.map((line) => whole(line.get("rank"), 0));
    this.ranks.push(...this.body.outcomes.map(() => 0n));
    lines.forEach((line, s) => this.state(line, s));
    must(this.always || (this.asked.size < 2 && !this.body.passes), "the game need not end");
    for (const column of this.columns) {
      const unit = int(this.one ?? 1n);
      const start = sum(times(column.value, column.unit), minus(column.values[0]));
      const off = sum(times(size(start), unit), times(this.residual, int(this.ranks[0])));
      const most = times(column.within, times(column.unit, unit));
      must(order(off, most) <= 0, "more is claimed than follows");
    }
    const said = this.claims.map((terms, i) => {
      const within = shown(terms[0].within);
      const value = terms.map((x) => shown(x.value)).join(", ");
      return `${this.names[i]} is ${value}${within === "0" ? "" : ` within ${within}`}`;
    });
    return { game: this.game, states: lines.length, declared: Boolean(this.body.rows), claims: said };
  }

  state(line, s) {
    const row = this.body.rows?.[s];
    must(word(line.get("state")) === (row ? row.state : line.get("state")), "another state");
    const asked = !row && line.has("ask");
    const own = asked ? ["ask", "options", "pick", ...(this.one === null ? ["margins"] : [])] : ["roll"];
    if (!row) keys(line, ["state", "to", "rank", "values", ...own], ["counts", "passes"]);
    const n = this.ranks.length;
    const to = row ? row.to : many(line.get("to")).map((t) => Number(whole(t, 0, n)));
    const after = to.map((t) => this.ranks[t]);
    let [weights, pick] = [to.map(() => 1n), null];
    if (asked) {
      must(many(line.get("options")).map(word).length === to.length, "not as many as targets");
      pick = Number(whole(line.get("pick"), 0, to.length));
      must(["most", "least"].includes(line.get("ask")) && this.columns.length === 1, "no question");
      this.asked.add(line.get("ask"));
    } else {
      weights = this.body.laws[row ? 0 : Number(whole(line.get("roll"), 0, this.body.laws.length))];
    }
    const given = !row && line.has("passes") ? many(line.get("passes")) : to.map(() => 0n);
    const passes = given.map((x) => whole(x, 0, 2) === 1n);
    const even = to.length === weights.length && to.length === passes.length;
    must(to.length > 0 && even, "not as many as targets");
    must(this.body.passes || !passes.includes(true), "a turn passes, against the header");
    const all = total(weights);
    const most = after.reduce((a, b) => (a > b ? a : b));
    const least = after.reduce((a, b) => (a < b ? a : b));
    if (this.one !== null) {
      const mean = asked ? most * all : total(after.map((x, i) => x * weights[i]));
      must(mean + this.one * all <= this.ranks[s] * all, "the rank is not one above what follows");
    } else {
      const next = !asked ? least : this.always ? most : after[pick];
      must(next < this.ranks[s], "nothing leads to a lower rank");
    }
    const counted = row ? new Map(row.counts) : this.counts(line, to.length);
    counted.set("rolls", to.map(() => int(!asked)));
    for (const column of this.columns) {
      const counts = counted.get(column.counter) ?? to.map(() => int(0));
      this.equation(column, line, s, follow(column, to, counts, passes), weights, all, pick);
    }
  }

  counts(line, n) {
    const written = table(line.has("counts") ? line.get("counts") : new Map());
    must(!written.has("rolls"), "rolls are counted here");
    return new Map([...written].map(([name, each]) => {
      must(many(each).length === n, "not one count for each");
      return [name, each.map(number)];
    }));
  }

  equation(column, line, s, worth, weights, all, pick) {
    const value = column.values[s];
    if (pick === null) {
      const mean = worth.reduce((a, x, i) => sum(a, times(x, [weights[i], 1n])), int(0));
      const off = size(sum(mean, minus(times(value, [all, 1n]))));
      must(order(off, times(this.residual, [all, 1n])) <= 0, "not the mean of what follows");
      return;
    }
    const sign = line.get("ask") === "most" ? 1 : -1;
    const best = worth.reduce((a, x) => (order(x, a) * sign > 0 ? x : a));
    for (const x of [best, worth[pick]]) {
      must(order(size(sum(x, minus(value))), this.residual) <= 0, "not the best of the options");
    }
    if (this.one !== null) return;
    const margins = many(line.get("margins")).map(number);
    must(margins.length === worth.length, "not one margin for each");
    worth.forEach((x, i) => must(order(size(sum(x, minus(value))), margins[i]) === 0, "a margin"));
  }
}

export function judged(bytes) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    must(lines.length > 0, "this is no certificate");
    const [head, ...states] = lines.map(parsed);
    return { proved: true, ...new Proof(table(head)).check(states.map(table)) };
  } catch (error) {
    const unread = error instanceof Unreadable || error?.code === "ERR_ENCODING_INVALID_ENCODED_DATA";
    const own = error instanceof Unproved || error instanceof Unreadable;
    const why = own ? error.message : unread ? CUT : "it is not written as a certificate is";
    return { proved: false, unread, why };
  }
}

if (globalThis.process?.argv?.[1] && import.meta.url.endsWith("check.mjs")) {
  const { readFileSync, statSync } = await import("node:fs");
  const { pathToFileURL } = await import("node:url");
  if (import.meta.url === pathToFileURL(process.argv[1]).href) {
    const paths = process.argv.slice(2);
    let code = paths.length ? 0 : 2;
    for (const path of paths) {
      let bytes;
      try {
        if (!statSync(path).isFile()) throw new Error("not a file");
        bytes = readFileSync(path);
      } catch (error) {
        console.error(`${spell(path)}: ${error.message}; name the file of a certificate`);
        code = 2;
        continue;
      }
      const found = judged(bytes);
      const { game, states, declared, claims, why } = found;
      const of = `${spell(game)} (${declared ? "as declared, " : ""}${states} states)`;
      const not = found.unread ? "not read" : "not proved";
      console.log(found.proved ? `Proved of ${of}: ${claims.join("; ")}.` : `${not}: ${why}`);
      if (!found.proved) code = Math.max(code, found.unread ? 2 : 1);
    }
    process.exitCode = code;
  }
}
