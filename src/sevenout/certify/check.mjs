// The second checker of certificates: `node check.mjs proof.json`, or judged(bytes) in a browser.
//
// It is written from docs/reference/certificate-format.md,
// docs/reference/declarations.md and docs/explanation/certificates.md, shares no code with check.py,
// and depends on nothing. All numbers are BigInt, or fractions of two. It exits with 0 if all is
// proved, with 1 if not, and with 2 if it can't read the file. It does not know gzip data:
// unpack it first.

// 1. Reading: JSON without floats, keys that stand once, exact numbers.

class Unproved extends Error {}
class Unreadable extends Error {}
class Unknown extends Error {}
const CUT = "the line is no JSON: the file is cut short or damaged";

function must(holds, what) {
  if (!holds) throw new Unproved(what);
}

function known(holds, what) {
  if (!holds) throw new Unknown(what);
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
        must(!found.has(key), "a key appears twice");
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
    must(number || !token(/-?[0-9]|NaN|Infinity|-Infinity/y), "not an exact number");
    intact(number);
    return BigInt(number[0]);
  };
  const found = value(0);
  space();
  intact(at === text.length);
  return found;
}

const isInt = (x) => typeof x === "bigint";
const integer = (x) => { must(isInt(x), "this is not a whole number"); return x; };
const many = (x) => { must(Array.isArray(x), "this is not a list"); return x; };
const word = (x) => { must(typeof x === "string", "this is not a text"); return x; };
const spelled = (x) => (isInt(x) ? String(x) : word(x));
const table = (x) => { must(x instanceof Map, "this is not an object"); return x; };

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
const over = ([a, b], [c, d]) => ratio(a * d, b * c);
const times = ([a, b], [c, d]) => ratio(a * c, b * d);
const order = ([a, b], [c, d]) => { const x = a * d - c * b; return x < 0n ? -1 : x > 0n ? 1 : 0; };
const size = ([a, b]) => [a < 0n ? -a : a, b];
const int = (n) => [BigInt(n), 1n];
const shown = ([a, b]) => (b === 1n ? String(a) : `${a}/${b}`);

function number(x) {
  if (isInt(x)) return [x, 1n];
  const form = /^(-?)([0-9]+)(?:\/([0-9]+)|(?:\.([0-9]+))?(?:e-([0-9]{1,4}))?)$/;
  const found = typeof x === "string" && form.exec(x);
  must(found && !x.endsWith("\n"), "this is not an exact number");
  const [, sign, n, d, decimals = "", e = "0"] = found;
  const top = BigInt(n + decimals) * (sign ? -1n : 1n);
  return ratio(top, d ? BigInt(d) : 10n ** BigInt(decimals.length + Number(e)));
}

const count = (n, what) => `${n} ${what}${Number(n) === 1 ? "" : "s"}`;
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

// The SHA-256 of a text (FIPS 180-4). The constants are the first bits of the fractional parts of
// the square and cube roots of primes.
function root(n, k) {
  let [low, high] = [0n, 1n << 40n];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (middle ** k <= BigInt(n) << (32n * k)) low = middle; else high = middle;
  }
  return Number(low & 0xffffffffn);
}

function sha256(text) {
  must(!/\p{Surrogate}/u.test(text), "half a character");
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 128;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, 8n * BigInt(bytes.length));
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
  const k = primes.map((p) => root(p, 3n));
  const h = primes.slice(0, 8).map((p) => root(p, 2n));
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  for (let at = 0; at < padded.length; at += 64) {
    const view = new DataView(padded.buffer, at);
    const w = k.map((_, i) => (i < 16 ? view.getInt32(4 * i) : 0));
    let [a, b, c, d, e, f, g, z] = h;
    for (let i = 0; i < 64; i++) {
      if (i > 15) {
        const [x, y] = [w[i - 15], w[i - 2]];
        w[i] = (w[i - 16] + w[i - 7] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3))
          + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10))) | 0;
      }
      const one = z + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + k[i] + w[i];
      const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [a, b, c, d, e, f, g, z] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, z].forEach((x, i) => { h[i] = (h[i] + x) | 0; });
  }
  return h.map((x) => (x >>> 0).toString(16).padStart(8, "0")).join("");
}

// JSON on one line without spaces, as in the file.
function oneLine(x) {
  if (x instanceof Map) return `{${[...x].map(([k, y]) => `${oneLine(k)}:${oneLine(y)}`).join()}}`;
  if (Array.isArray(x)) return `[${x.map(oneLine).join()}]`;
  return isInt(x) ? String(x) : JSON.stringify(x);
}

// The hash of the declaration's text, which ends with the hash of the rules; or of the states, each
// line of the file without its proof.
function declaredHash(head, end) {
  if (!head.has("declaration")) return "";
  const said = keys(head.get("declaration"), ["sha256", "text"]);
  const found = sha256(word(said.get("text")));
  must(said.get("sha256") === found, `the declaration's SHA-256 is ${found}`);
  must(said.get("text").endsWith(end), "the declaration is of another game");
  return found;
}

// 2. Declared games: the tables of bets of docs/reference/declarations.md.

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
    must(many(die).length > 0 && die.every(isInt), "this is not a die");
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
  must(Object.hasOwn(ALIKE, event), "this is not an event");
  return faces.length === ALIKE[event] && alike;
}

const split = (key) => word(key).split(",").map((event) => event.replace(/^ +| +$/g, ""));

class Rules {
  constructor(data, needed, allowed = []) {
    keys(data, needed, [...allowed, "events", "names"]);
    this.data = data;
    this.own = table(data.get("events") ?? new Map());
    this.names = table(data.get("names") ?? new Map());
    for (const name of this.names.values()) word(name);
    const bet = ["bet", "stake", "pays"].filter((key) => data.has(key)).length;
    must(bet === 0 || bet === 3, "a bet has its name, its stake and its pays");
    this.stakes = bet ? [[word(data.get("bet")), number(data.get("stake"))]] : [];
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
  ended(event, profit = null) {
    const paid = this.stakes.map(([bet, stake]) => [bet, profit ?? minus(stake)]);
    return end(this.names.get(event) ?? event, paid);
  }
  total(faces) {
    return asTotal(this.read(faces, []) ?? String(total(faces)));
  }
  law() {
    return 0;
  }
  said(state) {
    return state.join(" ");
  }
}
const OTHER = "any other";
const EVENTS = ["natural", "craps", "push", "point", "easy", "out", "late"];

const splits = (pays) => {
  const of = new Map();
  for (const key of table(pays).keys()) {
    for (const event of split(key)) {
      must(!of.has(event), "a roll appears twice");
      of.set(event, key);
    }
  }
  return of;
};
const amounts = (x) => new Map([...table(x)].map(([key, each]) => [key, number(each)]));
const integers = (x) => new Map([...table(x)].map(([key, each]) => [key, integer(each)]));
const byNumber = (read) => (x) => new Map([...read(x)].map(([key, each]) => {
  must(/^(0|[1-9][0-9]{0,8})$/.test(key), "not a whole number");
  return [Number(key), each];
}));
const facesOf = (x) => many(x).map(integer);
const flag = (x) => { must(typeof x === "boolean", "it must be true or false"); return x; };
const limit = (x) => Number(whole(x, 1, MOST));
const oneOf = (...words) => (x) => { must(words.includes(x), "no such word"); return x; };
const reading = (Kind) => (x) => new Kind(x);
const lawOf = (ways, seen) => {
  const law = new Map();
  for (const [faces, weight] of ways) {
    const roll = seen(faces);
    const key = spell(roll);
    if (!law.has(key)) law.set(key, { roll, weight: 0n });
    law.get(key).weight += weight;
  }
  return [...law.values()];
};
const spell = (x) => JSON.stringify(x, (_, y) => (isInt(y) ? `${y}` : y));
const asTotal = (text) => { must(/^[0-9]+$/.test(text), "no total"); return BigInt(text); };

// What follows a move: a state or an end; its counts; whether the turn passes.
const end = (name, pays = [], more = {}) => ({ end: name, pays, ...more });
const isEnd = (x) => x?.end !== undefined;
const then = (after, counts = {}, passes = false) => ({ then: after, counts, passes });
const moved = (x) => (x?.then === undefined ? then(x) : x);

class Line extends Rules {
  start = [];
  constructor(data) {
    const lists = ["naturals", "craps", "pushes", "rerolls"];
    super(data, [...lists, "out", "bets"], ["limit", "hard"]);
    this.lists = lists.map((name) => many(data.get(name)).map(spelled));
    must(uniq(this.lists.flat()), "a total is in two lists");
    this.out = spelled(data.get("out"));
    must(this.lists.flat().includes(this.out), "the out is a point");
    this.hard = data.has("hard") && flag(data.get("hard"));
    this.limit = data.has("limit") ? limit(data.get("limit")) : null;
    keys(this.names, [], EVENTS);
    this.bets = [...table(data.get("bets"))];
    for (const [, bet] of this.bets) keys(bet, ["stake"], EVENTS);
    this.stakes = this.bets.map(([name, bet]) => [name, number(bet.get("stake"))]);
  }
  seen(faces) {
    const seen = this.read(faces, []) ?? String(total(faces));
    return this.hard ? `${new Set(faces).size === 1 ? "hard" : "easy"} ${seen}` : seen;
  }
  step(state, roll) {
    const seen = this.hard ? roll.slice(5) : roll;
    if (!state.length) {
      const kind = this.lists.findIndex((list) => list.includes(seen));
      if (kind === 3) return [];
      return kind < 0 ? [seen, 0] : this.over(["natural", "craps", "push"][kind], seen, 0);
    }
    const [point, made] = state;
    const easy = this.hard && roll.startsWith("easy");
    if (seen === point) return this.over(easy ? "easy" : "point", point, made + 1);
    if (seen === this.out) return this.over("out", point, 0);
    if (this.limit === null) return state;
    return made + 1 < this.limit ? [point, made + 1] : this.over("late", point, 0);
  }
  over(event, at, roll) {
    const pays = this.bets.map(([name, bet]) => [name, this.pay(bet, event, at, roll)]);
    return end(this.names.get(event) ?? event, pays, { event, at });
  }
  pay(bet, event, at, roll) {
    must(bet.has(event), `${event} is paid nothing`);
    let amount = bet.get(event);
    if (amount instanceof Map) {
      const of = splits(amount);
      must(of.has(at), `${event} is not paid once`);
      amount = amount.get(of.get(at));
    }
    if (Array.isArray(amount)) {
      must(this.limit !== null && roll > 0 && roll <= amount.length, "paid by roll");
      amount = amount[roll - 1];
    }
    return number(amount);
  }
  said(state) {
    if (!state.length) return "come-out";
    return `point ${state[0]}` + (this.limit === null ? "" : `, ${state[1]} rolled`);
  }
  where(state) {
    return this.said(state);
  }
}

class Wager extends Rules {
  constructor(data) {
    super(data, ["bet", "stake", "pays"], ["limit", "rest"]);
    this.limit = data.has("limit") ? limit(data.get("limit")) : null;
    must(data.has("rest") === (this.limit !== null), "rest is paid when a limit is reached");
    this.rest = data.has("rest") ? number(data.get("rest")) : null;
    this.pays = amounts(data.get("pays"));
    this.of = splits(data.get("pays"));
    keys(this.names, [], [...this.pays.keys(), "rest"]);
    this.start = this.limit ?? 0;
  }
  seen(faces) {
    return this.read(faces, [...this.of.keys()]) ?? OTHER;
  }
  step(state, roll) {
    const key = this.of.get(roll);
    if (key !== undefined) return this.ended(key, this.pays.get(key));
    return state === 1 ? this.ended("rest", this.rest) : Math.max(state - 1, 0);
  }
  said(state) {
    return state ? `${count(state, "roll")} left` : "rolling";
  }
}

class Checklist extends Rules {
  constructor(data) {
    super(data, ["bet", "stake", "collect", "stop", "pays"], ["first"]);
    this.entries = [...table(data.get("collect")).keys()];
    this.times = [...data.get("collect").values()].map(limit);
    const of = [...splits(data.get("collect"))];
    this.of = new Map(of.map(([event, key]) => [event, this.entries.indexOf(key)]));
    this.stop = spelled(data.get("stop"));
    must(this.of.size && !this.of.has(this.stop), "no checklist");
    this.whole = data.has("first") && flag(data.get("first")) ? 1 : this.times.length;
    this.pays = byNumber(amounts)(data.get("pays"));
    must([...this.pays.keys()].every((n) => n <= this.whole), "more is paid for than there is");
    const prizes = Array.from({ length: this.whole + 1 }, (_, n) => String(n));
    keys(this.names, [], [...prizes, "stop"]);
    this.start = this.times.map(() => 0);
  }
  seen(faces) {
    return this.read(faces, [...this.of.keys(), this.stop]) ?? OTHER;
  }
  done(state) {
    return state.filter((n, i) => n === this.times[i]).length;
  }
  step(state, roll) {
    if (roll === this.stop) return this.paid(this.done(state));
    const i = this.of.get(roll);
    if (i === undefined || state[i] === this.times[i]) return state;
    const after = state.map((n, j) => n + Number(i === j));
    return this.done(after) === this.whole ? this.paid(this.whole) : after;
  }
  paid(done) {
    return this.pays.has(done) ? this.ended(String(done), this.pays.get(done)) : this.ended("stop");
  }
  where(state) {
    return `${state.reduce((a, b) => a + b)} ticked`;
  }
  said(state) {
    return state.map((n, i) => `${this.entries[i]}: ${n} of ${this.times[i]}`).join("; ");
  }
}

class Rounds extends Rules {
  start = [0, [], []];
  constructor(data) {
    super(data, ["round", "losses"], ["bet", "stake", "pays", "different"]);
    this.round = new Line(data.get("round"));
    this.losses = limit(data.get("losses"));
    this.different = data.has("different") && flag(data.get("different"));
    this.pays = data.has("pays") ? byNumber(amounts)(data.get("pays")) : null;
    must(this.pays === null || this.pays.size > 0, "no number is paid");
  }
  seen(faces) {
    return this.round.seen(faces);
  }
  step([lost, won, at], roll) {
    const after = this.round.step(at, roll);
    if (!isEnd(after)) return [lost, won, after];
    must(after.pays.length === 1, "a round has one bet");
    const sign = order(after.pays[0][1], int(0));
    const losing = sign > 0 ? 0 : lost + (sign < 0 ? 1 : 0);
    const over = losing >= this.losses;
    if (this.pays === null) {
      const next = over ? this.ended("over") : [losing, [], []];
      return then(next, { rounds: 1, won: sign > 0 ? 1 : 0 });
    }
    if (sign > 0 && !(this.different && won.includes(after.at))) {
      won = [...won, this.different ? after.at : ""].sort();
    }
    if (!over && won.length < Math.max(...this.pays.keys())) return [losing, won, []];
    const best = Math.max(...[...this.pays.keys()].filter((n) => n <= won.length));
    return best < 0 ? this.ended("lost") : this.ended(String(best), this.pays.get(best));
  }
  said([lost, won, at]) {
    const many = this.different ? won.join(" ") : won.length;
    return `${lost} lost${this.pays === null ? "" : `, won ${many}`}; ${this.round.said(at)}`;
  }
}

// All tables, on the same rolls.
class Felt {
  constructor(rules, ways) {
    const kinds = { line: Line, wager: Wager, checklist: Checklist, rounds: Rounds };
    this.games = Object.entries(kinds).flatMap(([kind, Kind]) =>
      many(rules.get(kind) ?? []).map(reading(Kind)));
    must(this.games.length > 0, "there is no game");
    this.stakes = this.games.flatMap((game) => game.stakes);
    must(uniq(this.stakes.map(([bet]) => bet)), "a bet appears in two tables");
    this.laws = [lawOf(ways, (faces) => this.games.map((game) => game.seen(faces)))];
    this.start = this.games.map((game) => game.start);
    this.offers = new Map([...table(rules.get("surrender") ?? new Map())].map(([where, offer]) => {
      must(this.games.length === 1 && this.stakes.length === 1, "one bet alone is given up");
      must(many(offer).length === 2 && this.games[0].where, "no such offer");
      return [where, end(word(offer[1]), [[this.stakes[0][0], number(offer[0])]])];
    }));
  }
  law() {
    return 0;
  }
  menu(state) {
    const given = this.offers.size && this.offers.get(this.games[0].where(state[0]));
    return given ? [["let it ride", state], ["surrender", given]] : [];
  }
  step(state, rolls) {
    let counts = {};
    const after = this.games.map((game, g) => {
      const on = !isEnd(state[g]);
      const move = moved(on ? game.step(state[g], rolls[g]) : state[g]);
      counts = { ...counts, ...move.counts };
      for (const [bet] of this.games.length > 1 ? game.stakes : []) {
        counts[`rolls of ${bet}`] = Number(on);
      }
      return isEnd(move.then) ? end(move.then.end, move.then.pays) : move.then;
    });
    if (!after.every(isEnd)) return then(after, counts);
    const name = after.map((part) => part.end).join(" \u00b7 ");
    return then(end(name, after.flatMap((part) => part.pays)), counts);
  }
  said(state) {
    return state.map((x, g) => (isEnd(x) ? x.end : this.games[g].said(x))).join(" | ");
  }
}

// 3. Declared games of turns.

class Hold extends Rules {
  constructor(data, ways) {
    super(data, ["bust", "target", "play"]);
    const bust = facesOf(data.get("bust"));
    this.target = BigInt(limit(data.get("target")));
    this.play = oneOf("turn", "alone", "two")(data.get("play"));
    this.start = { turn: [0n], alone: [0n, 0n], two: [0n, 0n, 0n] }[this.play];
    this.stakes = this.play === "two" ? [["pass", int(1)]] : [];
    this.laws = [lawOf(ways, (faces) =>
      (faces.some((face) => bust.includes(face)) ? "bust" : this.total(faces)))];
  }
  menu(state) {
    return state.at(-1) ? [["roll", state], ["hold", this.over("hold", state)]] : [];
  }
  step(state, roll) {
    const scores = state.slice(0, -1);
    if (roll === "bust") return this.over("bust", [...scores, 0n]);
    const turn = state.at(-1) + roll;
    if ((scores[0] ?? 0n) + turn < this.target) return [...scores, turn];
    if (this.play === "turn") return this.over("home", [turn]);
    return then(end("home", this.stakes), this.play === "alone" ? { turns: 1 } : {});
  }
  over(name, state) {
    const turn = state.at(-1);
    if (this.play === "turn") return then(end(name), { points: turn });
    if (this.play === "alone") return then([state[0] + turn, 0n], { turns: 1 });
    return then([state[1], state[0] + turn, 0n], {}, true);
  }
}

class Keep extends Rules {
  constructor(data, given) {
    super(data, ["least", "needed", "values", "best"], ["rolls", "in_order", "all_or_none"]);
    const dice = many(given).map(facesOf);
    must(dice.length > 0 && dice.every((die) => spell(die) === spell(dice[0])), "not alike");
    this.least = Number(whole(data.get("least"), 0));
    this.needed = facesOf(data.get("needed"));
    this.rolls = data.has("rolls") ? limit(data.get("rolls")) : 0;
    this.inOrder = data.has("in_order") && flag(data.get("in_order"));
    this.allOrNone = data.has("all_or_none") && flag(data.get("all_or_none"));
    must(this.rolls || (this.least && !this.inOrder && !this.allOrNone), "no end");
    const values = integers(data.get("values"));
    this.values = new Map(dice[0].map((face) => [face, values.get(String(face)) ?? face]));
    must(uniq(this.needed) && this.needed.length <= dice.length, "too many faces are needed");
    must(this.needed.every((face) => this.values.has(face)), "no such face is needed");
    const sign = oneOf("most", "least")(data.get("best")) === "most" ? 1n : -1n;
    const worst = (a, b) => {
      const by = (this.values.get(a) - this.values.get(b)) * sign || a - b;
      return by < 0n ? -1 : by > 0n ? 1 : 0;
    };
    this.hides = this.needed.length > 0 && !this.inOrder;
    this.laws = [];
    let hands = [{ roll: [], weight: 1n }];
    for (const die of dice) {
      const ways = hands.flatMap((hand) =>
        die.map((face) => [[...hand.roll, face].sort(worst), hand.weight]));
      hands = lawOf(ways, (hand) => hand);
      must(hands.length <= MOST, "too many hands");
      this.laws.push(hands);
    }
    this.start = [this.needed, 0n, dice.length, [], this.rolls];
    this.stakes = [];
  }
  law(state) {
    return state[2] - 1;
  }
  points(faces) {
    return faces.reduce((a, face) => a + this.values.get(face), 0n);
  }
  menu([needed, points, dice, shown, left]) {
    if (!shown.length) return [];
    if (this.allOrNone) {
      const again = [needed, points, dice, [], left];
      return [["stop", this.asTheyLie(needed, points, shown)], ["roll again", again]];
    }
    const open = this.hides ? needed.filter((face) => shown.includes(face)) : [];
    let kept = [[]];
    for (const face of open) kept = [...kept, ...kept.map((way) => [...way, face])];
    return kept.flatMap((way) => {
      const rest = without(shown, way);
      const lacking = needed.filter((face) => !way.includes(face));
      const least = Math.max(0, this.least - way.length);
      return Array.from({ length: Math.max(0, rest.length + 1 - least) }, (_, i) => {
        const n = least + i;
        const more = this.points(rest.slice(rest.length - n));
        const words = [way.join("-"), n ? `${n} best` : ""].filter(Boolean).join(" and ");
        const name = this.hides ? words || "none" : `keep ${n} of ${dice}`;
        return [name, this.kept(lacking, points, more, rest.length - n, left)];
      });
    });
  }
  kept(lacking, points, more, dice, left) {
    if (!dice) return this.over(lacking, points + more);
    if (this.hides) return [lacking, points + more, dice, [], left];
    return then([lacking, 0n, dice, [], left], { points: more });
  }
  step([needed, points, , , was], roll) {
    const left = was - (this.rolls ? 1 : 0);
    let [shown, lacking] = [roll, needed];
    while (this.inOrder && lacking.length && shown.includes(lacking[0])) {
      shown = without(shown, [lacking[0]]);
      lacking = lacking.slice(1);
    }
    if (this.inOrder && lacking.length && left) return [lacking, points, shown.length, [], left];
    if (!shown.length || (this.rolls && !left)) return this.asTheyLie(lacking, points, shown);
    return [lacking, points, shown.length, shown, left];
  }
  asTheyLie(needed, points, shown) {
    const found = this.hides ? needed.filter((face) => shown.includes(face)) : [];
    const lacking = needed.filter((face) => !found.includes(face));
    return this.over(lacking, points + this.points(without(shown, found)));
  }
  over(lacking, points) {
    if (lacking.length) return end("no score");
    return then(end(this.needed.length ? String(points) : "all kept"), { points });
  }
  said([needed, points, dice, shown, left]) {
    const said = [shown.length ? shown.join(" ") : dice > 1 ? `${dice} dice` : "1 die"];
    if (needed.length) said.push(`needed ${needed.join(" ")}`);
    if (this.hides) said.push(`${points} kept`);
    if (this.rolls) said.push(`${left} left`);
    return said.join(", ");
  }
}

const without = (list, gone) => {
  const left = [...list];
  for (const x of gone) left.splice(left.indexOf(x), 1);
  return left;
};

class Race extends Rules {
  constructor(data, ways) {
    super(data, ["to", "players"], ["exact", "jumps", "again"]);
    this.to = BigInt(limit(data.get("to")));
    this.players = Number(whole(data.get("players"), 1, 3));
    this.exact = data.has("exact") && flag(data.get("exact"));
    this.jumps = byNumber(integers)(data.get("jumps") ?? new Map());
    this.again = many(data.get("again") ?? []).map(spelled);
    this.laws = [lawOf(ways, (faces) => this.total(faces))];
    this.start = Array(this.players).fill(0n);
    this.stakes = this.players === 2 ? [["pass", int(1)]] : [];
  }
  menu() {
    return [];
  }
  step([mine, ...others], roll) {
    let there = mine + roll;
    if (there > this.to) there = this.exact ? mine : this.to;
    there = this.jumps.get(Number(there)) ?? there;
    if (there === this.to) return end("home", this.stakes);
    const stays = this.players === 1 || this.again.includes(String(roll));
    return stays ? [there, ...others] : then([...others, there], {}, true);
  }
}

// A game that ends in a comparison of a counter: a state is the game's own, and the counter up to
// the next whole number above the amount.
class Compared {
  constructor(data, game) {
    keys(data, ["counter", "sign", "amount"]);
    [this.counter, this.amount] = [word(data.get("counter")), number(data.get("amount"))];
    this.sign = oneOf("<=", "<", ">", ">=", "=")(data.get("sign"));
    const [n, d] = this.amount;
    this.most = (n - (((n % d) + d) % d)) / d + 1n;
    [this.game, this.laws, this.stakes, this.start] = [game, game.laws, [], [game.start, 0n]];
  }
  law(state) {
    return this.game.law(state[0]);
  }
  said(state) {
    return `${this.game.said(state[0])}; ${this.counter} ${state[1]}`;
  }
  menu(state) {
    return this.game.menu(state[0]).map(([option, x]) => [option, this.after(x, state[1])]);
  }
  step(state, roll) {
    return this.after(this.game.step(state[0], roll), state[1] + (this.counter === "rolls" ? 1n : 0n));
  }
  after(move, had) {
    const { then: next, counts, passes } = moved(move);
    const n = had + whole(Object.hasOwn(counts, this.counter) ? BigInt(counts[this.counter]) : 0n, 0);
    if (!isEnd(next)) return then([next, n < this.most ? n : this.most], {}, passes);
    const by = order([n, 1n], this.amount);
    const holds = by < 0 ? this.sign.includes("<") : by > 0 ? this.sign.includes(">") : this.sign.includes("=");
    return then(end(`${holds ? "" : "not "}${this.counter} ${this.sign} ${shown(this.amount)}`), {}, passes);
  }
}

// 4. The expansion of rules into states.

const ownRules = (rules) => new Map([...table(rules)].filter(([key]) => key !== "compare"));

function gameOf(rules) {
  if (table(rules).has("compare")) return new Compared(rules.get("compare"), gameOf(ownRules(rules)));
  const source = rules.has("cards") ? ["cards", "draw"] : ["dice"];
  const alone = { hold: Hold, keep: Keep, race: Race };
  const kind = Object.keys(alone).find((name) => rules.has(name));
  if (kind) {
    keys(rules, kind === "keep" ? ["dice", kind] : [...source, kind]);
    const ways = kind === "keep" ? rules.get("dice") : rollsOf(rules);
    return new alone[kind](rules.get(kind), ways);
  }
  keys(rules, source, ["line", "wager", "checklist", "rounds", "surrender"]);
  return new Felt(rules, rollsOf(rules));
}

class Expansion {
  // A policy, a list of options in the order in which its states are met, leaves no decisions.
  constructor(rules, policy) {
    [this.policy, this.picks] = [policy && many(policy).map(word), new Map()];
    this.game = gameOf(rules);
    [this.states, this.known, this.ends, this.outcomes] = [[], new Map(), new Map(), []];
    this.passes = false;
    must(!policy || !this.game.menu(this.game.start).length, "a policy picks after a roll");
    this.to(this.game.start, false);
    for (let s = 0; s < this.states.length; s++) this.row(s);
    this.laws = this.game.laws.map((law) => law.map(({ weight }) => weight));
    this.stakes = new Map(this.game.stakes);
    must(this.stakes.size === this.game.stakes.length, "a bet appears twice");
    must(!policy || (this.picks.size > 0 && this.picks.size === this.policy.length), "idle picks");
  }
  // What follows the policy's option.
  decided(move) {
    if (!this.policy || isEnd(move.then)) return move;
    const menu = this.game.menu(move.then);
    if (!menu.length) return move;
    const key = spell(move.then);
    if (!this.picks.has(key)) this.picks.set(key, this.policy[this.picks.size]);
    const option = menu.find(([name]) => name === this.picks.get(key));
    must(option, "the policy picks no option there");
    const next = moved(option[1]);
    const counts = { ...move.counts };
    for (const [name, n] of Object.entries(next.counts)) counts[name] = BigInt(counts[name] ?? 0) + BigInt(n);
    return { then: next.then, counts, passes: move.passes !== next.passes };
  }
  to(after, chosen) {
    if (isEnd(after)) {
      const key = spell([after.end, after.pays]);
      if (!this.ends.has(key)) {
        this.ends.set(key, this.outcomes.length);
        this.outcomes.push({ name: after.end, pays: new Map(after.pays) });
      }
      return ~this.ends.get(key);
    }
    const asked = !chosen && !this.policy && this.game.menu(after).length > 0;
    const key = `${asked ? "?" : ""}${spell(after)}`;
    if (!this.known.has(key)) {
      must(this.states.length < MOST, "too many states");
      this.known.set(key, this.states.length);
      this.states.push([asked, after]);
    }
    return this.known.get(key);
  }
  row(s) {
    const [asked, state] = this.states[s];
    const roll = asked ? null : this.game.law(state);
    const moves = asked ? this.game.menu(state).map(([, x]) => moved(x))
      : this.game.laws[roll].map((each) => this.decided(moved(this.game.step(state, each.roll))));
    const to = moves.map((move) => this.to(move.then, asked));
    const counters = new Set(moves.flatMap((move) => Object.keys(move.counts)));
    const counts = [...counters].map((name) => [name, moves.map((m) => int(m.counts[name] ?? 0))]);
    this.passes ||= moves.some((move) => move.passes);
    return { state: this.game.said(state), asked, roll, counts: new Map(counts),
      passes: moves.map((move) => move.passes),
      to: to.map((t) => (t < 0 ? this.states.length + ~t : t)) };
  }
}

// 5. Claims, equations and ranks: docs/explanation/certificates.md, "Why it proves the claim".

const HEAD = ["format", "version", "game", "states", "ends", "scale", "residual", "one", "claims"];
const BODY = ["rollables", "outcomes", "stakes", "passes"];
const PROOF = ["rank", "values", "ask", "pick"]; // what a line says besides the game
const CLAIMS = { bet: ["value"], profit: ["value", "least", "more"], outcome: ["value", "outcomes"],
  counter: ["value"], worth: ["value", "worth"], law: ["first"],
  award: ["value", "seed", "share", "limit", "wins"] };

function bodyOf(head) {
  if (head.has("rules")) {
    keys(head, [...HEAD, "rules"], ["declaration", "policy"]);
    const rules = sha256(oneLine(ownRules(head.get("rules"))));
    const hash = declaredHash(head, `\n# rules, SHA-256 ${rules}\n`);
    if (head.has("policy")) many(head.get("policy"));
    return Object.assign(new Expansion(head.get("rules"), head.get("policy")), { hash });
  }
  keys(head, [...HEAD, ...BODY], ["declaration"]);
  const stakes = new Map([...table(head.get("stakes"))].map(([bet, x]) => [bet, number(x)]));
  const outcomes = many(head.get("outcomes")).map((end) => {
    const pays = keys(keys(end, ["name", "pays"]).get("pays"), [], stakes.keys());
    const amounts = [...pays].map(([bet, x]) => [bet, number(x)]);
    return { name: word(end.get("name")), pays: new Map(amounts) };
  });
  must(typeof head.get("passes") === "boolean", "passes must be true or false");
  return { laws: laws(head.get("rollables")), outcomes, stakes, passes: head.get("passes") };
}

function columnsOf(claim, body, scale) {
  const of = keys(claim, ["of", "name", "within"], [...claim.keys()]).get("of");
  must(typeof of === "string" && Object.hasOwn(CLAIMS, of), "no such claim");
  const name = word(keys(claim, ["of", "name", "within", ...CLAIMS[of]]).get("name"));
  const values = (of === "law" ? many(claim.get("first")) : [claim.get("value")]).map(number);
  must(values.length > 0, "nothing is claimed");
  const { outcomes, passes } = body;
  const turns = of === "bet" || of === "profit";
  must(!passes || turns || of === "counter", "where turns pass, claim a bet");
  let [worth, both] = [outcomes.map(() => int(0)), int(0)];
  if (of === "bet" || of === "profit" || of === "award") {
    const stake = body.stakes.get(name);
    must(stake && outcomes.every((end) => end.pays.has(name)), "no such bet");
    worth = outcomes.map((end) => times(end.pays.get(name), ratio(stake[1], stake[0])));
  }
  if (of === "profit") {
    const [least, more] = [number(claim.get("least")), claim.get("more")];
    must(typeof more === "boolean", "more must be true or false");
    const reached = (x) => order(x, least) > (more ? 0 : -1);
    must(!passes || worth.every((x) => reached(x) !== reached(minus(x))), "both win, or neither");
    [worth, both] = [worth.map((x) => int(reached(x))), [scale, 1n]];
  } else if (of === "outcome") {
    const names = many(claim.get("outcomes")).map(word);
    must(names.every((x) => outcomes.some((end) => end.name === x)), "no such outcome");
    worth = outcomes.map((end) => int(names.includes(end.name)));
  } else if (of === "worth") {
    worth = many(claim.get("worth")).map(number);
    must(worth.length === outcomes.length, "not one value for each outcome");
  }
  const unit = [scale, 1n];
  const terms = [];
  if (of === "award") values.push(null);
  values.forEach((value, n) => {
    let ends = of === "law" ? outcomes.map(() => int(n === 0)) : worth;
    if (of === "award" && n) ends = many(claim.get("wins")).map((x) => [whole(x, 0, 2), 1n]);
    must(ends.length === outcomes.length, "not one value for each outcome");
    terms.push({ of, turns, counter: of === "counter" || of === "law" ? name : null, n, terms, both, unit,
      value, within: number(claim.get("within")), values: [],
      ends: ends.map((x) => times(x, unit)) });
  });
  return terms;
}

// The mean profit per unit staked with an award that must be hit by a limit, in the long run: the
// mean of the bet, and a mean award over what a mean number of bets stakes.
function inTheLongRun(claim, stake, mean, q) {
  const [seed, limit, share] = ["seed", "limit", "share"].map((key) => number(claim.get(key)));
  const under = order(int(0), seed) <= 0 && order(seed, limit) < 0;
  must(under && share[0] > 0n && order(share, int(1)) <= 0, "no such meter");
  const feed = times(share, stake);
  const [a, b] = over(sum(limit, minus(seed)), feed);
  const n = (a + b - 1n) / b;
  whole(n, 1, MOST);
  let [bets, late] = [ratio(n + 1n, 2n), ratio(1n, n)];
  if (claim.get("wins").includes(1n)) {
    const size = q[1].toString(2).length;
    must(q[0] > 0n && n * BigInt(size) <= BigInt(MOST) / 10n, "no such award");
    const missed = sum(int(1), minus(q));
    late = [missed[0] ** (n - 1n), missed[1] ** (n - 1n)];
    bets = over(sum(int(1), minus(times(late, missed))), q);
  }
  const excess = sum(sum(seed, times(feed, [n, 1n])), minus(limit));
  const award = sum(sum(seed, times(feed, bets)), minus(times(late, excess)));
  return sum(mean, over(award, times(bets, stake)));
}

function follow(column, to, counts, passes) {
  return to.map((t, i) => {
    if (column.of === "law") {
      whole(counts[i][1] === 1n ? counts[i][0] : null, 0);
      const n = BigInt(column.n) - counts[i][0];
      return n < 0n ? int(0) : column.terms[Number(n)].values[t];
    }
    const worth = sum(column.values[t], times(counts[i], column.unit));
    return column.turns && passes[i] ? sum(column.both, minus(worth)) : worth;
  });
}

class Proof {
  constructor(head) {
    [this.head, this.body] = [head, bodyOf(head)];
    must(["always", "picked"].includes(head.get("ends")), "no such end");
    this.game = word(head.get("game"));
    this.always = head.get("ends") === "always";
    this.scale = whole(head.get("scale"), 1);
    this.residual = [whole(head.get("residual"), 0), 1n];
    this.one = head.get("one") === null ? null : whole(head.get("one"), 1);
    const exact = this.scale === 1n && this.residual[0] === 0n;
    must(this.one === null ? exact : this.always, "this needs another ranking");
    must([...this.body.stakes.values()].every((x) => x[0] > 0n), "a stake must be more than 0");
    must(many(head.get("claims")).length > 0, "nothing is claimed");
    this.claims = head.get("claims").map((claim) => columnsOf(table(claim), this.body, this.scale));
    this.columns = this.claims.flat();
    this.states = whole(head.get("states"), 1);
    this.asked = new Set();
    this.names = head.get("claims").map((claim) => this.claimed(claim));
  }

  // The subject of a claim in words, with everything that its number depends on.
  claimed(claim) {
    const [of, name] = [claim.get("of"), spell(claim.get("name"))];
    if (of === "outcome") return `the probability of ${claim.get("outcomes").map(spell).join(" or ")} is`;
    if (of === "law") return `of the counter N = ${name}, P(N = 0), P(N = 1) and so on are`;
    if (of === "counter" || of === "worth") return `the mean of ${name} is`;
    const stake = `(stake ${shown(this.body.stakes.get(claim.get("name")))})`;
    const mean = `the mean profit of the bet ${name} ${stake} per unit staked`;
    if (of === "bet") return `${mean} is`;
    if (of === "award") {
      const [seed, share, limit] = ["seed", "share", "limit"].map((key) => shown(number(claim.get(key))));
      const ends = this.body.outcomes.filter((_, i) => claim.get("wins")[i]).map((x) => spell(x.name));
      const won = ends.join(" or ") || "a bet drawn beforehand, each up to the limit as likely as any";
      return `${mean}, with its award in the long run (seed ${seed}, share ${share}, `
        + `must hit by ${limit}, won by ${won}), is`;
    }
    const least = `${claim.get("more") ? "more than" : "at least"} ${shown(number(claim.get("least")))}`;
    return `the probability that ${name} ${stake} wins ${least} per unit staked is`;
  }

  // The players' objectives.
  wanted() {
    const picks = this.body.picks?.size;
    if (picks) return `the policy in the file picks in ${count(picks, "state")}`;
    if (!this.asked.size) return "";
    if (this.body.passes || this.asked.size > 1) return "the picks are best for both players";
    return `that is the ${[...this.asked][0]} of all policies${this.always ? "" : " that end the game"}`;
  }

  check(lines) {
    must(BigInt(lines.length) === this.states, "not as many states as announced");
    const expanded = this.body.states;
    must(!expanded || expanded.length === lines.length, "not the states of the rules");
    for (const line of lines) {
      keys(line, ["state", "rank", "values"], [...line.keys()]);
      must(many(line.get("values")).length === this.columns.length, "not one value for each column");
      this.columns.forEach((column, i) => column.values.push(number(line.get("values")[i])));
    }
    for (const column of this.columns) column.values.push(...column.ends);
    this.ranks = lines.map((line) => whole(line.get("rank"), 0));
    this.ranks.push(...this.body.outcomes.map(() => 0n));
    lines.forEach((line, s) => this.state(line, s));
    if (!expanded && this.head.has("declaration")) {
      const game = BODY.map((key) => [key, this.head.get(key)]);
      const rows = lines.map((line) => [...line].filter(([key]) => !PROOF.includes(key)));
      const written = [game, ...rows].map((row) => `${oneLine(new Map(row))}\n`).join("");
      const end = `\n[model]\nsha256 = "${sha256(written)}"\n`;
      this.body.hash = declaredHash(this.head, end);
    }
    must(this.always || (this.asked.size < 2 && !this.body.passes), "the game need not end");
    const seen = !this.body.passes || !this.asked.size || this.columns.every((x) => x.turns);
    must(seen, "where turns pass, and players choose, claim a bet");
    this.claims.forEach((terms, i) => {
      if (terms[0].of !== "award") return;
      must(this.one === null, "an award is claimed of exact values");
      const claim = this.head.get("claims")[i];
      const starts = terms.map((column) => column.values[0]);
      const found = inTheLongRun(claim, this.body.stakes.get(claim.get("name")), ...starts);
      const off = size(sum(found, minus(terms[0].value)));
      must(order(off, terms[0].within) <= 0, "more is claimed than follows");
    });
    for (const column of this.columns.filter((each) => each.of !== "award")) {
      const unit = int(this.one ?? 1n);
      const start = sum(times(column.value, column.unit), minus(column.values[0]));
      const off = sum(times(size(start), unit), times(this.residual, int(this.ranks[0])));
      const most = times(column.within, times(column.unit, unit));
      must(order(off, most) <= 0, "more is claimed than follows");
    }
    const said = this.head.get("claims").map((claim, i) => {
      const value = (claim.get("first") ?? [claim.get("value")]).map(spelled).join(", ");
      const within = spelled(claim.get("within"));
      return `${this.names[i]} ${value}${number(claim.get("within"))[0] ? ` within ${within}` : ""}`;
    });
    if (this.wanted()) said.push(this.wanted());
    return { game: this.game, size: count(lines.length, "state"), declared: Boolean(this.body.states),
      declaration: this.body.hash ?? "", claims: said };
  }

  state(line, s) {
    const row = this.body.states && this.body.row(s);
    must(word(line.get("state")) === (row ? row.state : line.get("state")), "another state");
    const asked = row ? row.asked : line.has("ask");
    const picked = asked ? ["ask", "pick"] : [];
    const own = ["to", asked ? "options" : "roll"];
    keys(line, ["state", "rank", "values", ...picked, ...(row ? [] : own)],
      row ? [] : ["counts", "passes"]);
    const n = this.ranks.length;
    const to = row ? row.to : many(line.get("to")).map((t) => Number(whole(t, 0, n)));
    const after = to.map((t) => this.ranks[t]);
    let [weights, pick] = [to.map(() => 1n), null];
    if (asked) {
      must(row || many(line.get("options")).map(word).length === to.length, "not as many options");
      pick = Number(whole(line.get("pick"), 0, to.length));
      must(["most", "least"].includes(line.get("ask")) && this.columns.length === 1, "no question");
      this.asked.add(line.get("ask"));
    } else {
      const roll = row ? row.roll : Number(whole(line.get("roll"), 0, this.body.laws.length));
      weights = this.body.laws[roll];
    }
    const given = !row && line.has("passes") ? many(line.get("passes")) : to.map(() => 0n);
    const passes = row ? row.passes : given.map((x) => whole(x, 0, 2) === 1n);
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
  }
}

// 6. Two policies: docs/reference/certificate-format.md, "Two policies" and "Hidden hands".

const zero = [0n, 1n];
const add = (sums, key, x) => sums.set(key, sum(sums.get(key) ?? zero, x));
const better = (want) => (a, b) => (order(a, b) * (want === "most" ? 1 : -1) < 0 ? b : a);

function likely(row, n) {
  const plays = many(row).map(number);
  must(plays.length === n && n > 0, "not one probability each");
  const all = order(plays.reduce(sum), int(1)) === 0;
  must(all && plays.every((x) => x[0] >= 0n), "the probabilities do not add up to 1");
  return plays;
}

// Both forms: two players with opposite objectives, and the values of the outcomes.
class Opposed {
  constructor(head, needed) {
    keys(head, ["format", "version", "game", "of", "players", "wants", "outcomes", "low", "high",
      ...needed]);
    this.head = head;
    this.wants = many(head.get("wants")).map(word);
    must([...this.wants].sort().join() === "least,most", "one must want the most, the other the least");
    this.players = many(head.get("players")).map(word);
    must(this.players.length === 2, "not two players");
    this.worths = many(head.get("outcomes")).map((end) => {
      word(keys(end, ["name", "worth"]).get("name"));
      return number(end.get("worth"));
    });
  }
  check(lines) {
    this.read(lines);
    const [of, game] = [word(this.head.get("of")), word(this.head.get("game"))];
    const most = this.wants.indexOf("most");
    const [low, high] = ["low", "high"].map((key) => number(this.head.get(key)));
    must(order(low, this.reply(1 - most)) <= 0, "the policy of the player who wants the most gets less");
    must(order(this.reply(most), high) <= 0, "the policy of the player who wants the least allows more");
    const value = order(low, high) ? `lies between ${shown(low)} and ${shown(high)}` : `is ${shown(low)}`;
    const who = `where ${spell(this.players[most])} wants the most`;
    return { game, size: this.size, declared: false, declaration: "", claims: [
      `the mean of ${spell(of)} ${value}, ${who}`,
      "the policies in the file secure that, whatever the other player does"] };
  }
}

// By positions. A sequence is the text "3" or "3,1,0": the root of the subgame, then the player's
// last information set and option. A position has for each player the sequences that lead to it,
// each with the probability of all other moves.
class Positions extends Opposed {
  constructor(head) {
    super(head, ["rollables", "sets", "nodes"]);
    this.laws = laws(head.get("rollables")).map((w) => w.map((x) => ratio(x, total(w))));
  }
  read(lines) {
    const sets = whole(this.head.get("sets"), 1);
    this.n = whole(this.head.get("nodes"), 1);
    must(BigInt(lines.length) === sets + this.n, "the number of lines is not as announced");
    this.size = `${this.n} positions`;
    this.sets = lines.slice(0, Number(sets)).map((line, k) => {
      word(keys(line, ["sees", "player", "options", "plays"]).get("sees"));
      const player = Number(whole(line.get("player"), 0, 2));
      const plays = likely(line.get("plays"), many(line.get("options")).map(word).length);
      return { k, player, plays, after: null };
    });
    this.subgames = new Map();
    this.gains = [new Map(), new Map()];
    this.arrived = new Map([[0, [new Map(), new Map()]]]);
    lines.slice(Number(sets)).forEach((line, i) => this.position(line, i));
  }
  position(line, i) {
    const how = line.has("set") ? "set" : line.has("roll") ? "roll" : "to";
    word(keys(line, ["position", "to", how], ["root"]).get("position"));
    must(this.arrived.has(i), "nothing leads here");
    let here = this.arrived.get(i);
    this.arrived.delete(i);
    must(!line.has("root") || line.get("root") === true, "a root is true");
    must(i > 0 || line.has("root"), "the start is a root");
    if (line.has("root")) {
      this.subgames.set(String(i), { sets: [], later: [[], []] });
      here.forEach((ways, p) => {
        for (const [key, chance] of ways) {
          this.subgames.get(subgame(key)).later[p].push([key, String(i), chance]);
        }
      });
      here = here.map(() => new Map([[String(i), int(1)]]));
    }
    const within = new Set(here.flatMap((ways) => [...ways.keys()].map(subgame)));
    must(within.size === 1, "two subgames meet here");
    const to = many(line.get("to")).map((t) => Number(whole(t, i + 1, this.n + BigInt(this.worths.length))));
    let [mover, own, shares, chance] = [null, null, [int(1)], null];
    if (how === "set") {
      own = this.sets[Number(whole(line.get("set"), 0, this.sets.length))];
      [mover, shares] = [own.player, own.plays];
      const ways = [...here[mover]];
      if (own.after === null) this.subgames.get([...within][0]).sets.push(own);
      own.after ??= ways[0][0];
      must(ways.length === 1 && ways[0][0] === own.after, "a player forgets what they saw or did");
      chance = ways[0][1];
    } else if (how === "roll") {
      shares = this.laws[Number(whole(line.get("roll"), 0, this.laws.length))];
    }
    must(to.length === shares.length, "not as many targets");
    to.forEach((t, j) => here.forEach((ways, p) => {
      if (p === mover) this.lead(t, p, sequence(own, j), chance);
      else for (const [key, x] of ways) this.lead(t, p, key, times(x, shares[j]));
    }));
  }
  lead(t, p, key, chance) {
    if (t >= this.n) return add(this.gains[p], key, times(chance, this.worths[t - Number(this.n)]));
    if (!this.arrived.has(t)) this.arrived.set(t, [new Map(), new Map()]);
    add(this.arrived.get(t)[p], key, chance);
  }
  // A player's best reply, from the last subgame and set to the first.
  reply(p) {
    const [gains, values] = [this.gains[p], new Map()];
    for (const [root, { sets, later }] of [...this.subgames].reverse()) {
      for (const [key, next, chance] of later[p]) add(gains, key, times(chance, values.get(next)));
      for (const own of sets.filter((each) => each.player === p).reverse()) {
        const options = own.plays.map((_, j) => gains.get(sequence(own, j)) ?? zero);
        add(gains, own.after, options.reduce(better(this.wants[p])));
      }
      values.set(root, gains.get(root) ?? zero);
    }
    return values.get("0");
  }
}
const subgame = (key) => key.split(",", 1)[0];
const sequence = (own, j) => `${subgame(own.after)},${own.k},${j}`;

// By hands and moves: tables have the options, histories the policy of each hand.
class Dealt extends Opposed {
  constructor(head) {
    super(head, ["hands", "weights", "tables", "histories"]);
    this.hands = many(head.get("hands")).map((hands) => many(hands).map(word).length);
    this.weights = many(head.get("weights")).map((row) => many(row).map((w) => whole(w, 0)));
    const [own, other] = this.hands;
    must(this.hands.length === 2 && this.weights.length === own && own > 0, "no such deal");
    must(this.weights.every((row) => row.length === other), "no such deal");
    this.total = whole(total(this.weights.flat()), 1);
  }
  read(lines) {
    const tables = whole(this.head.get("tables"), 1);
    const histories = whole(this.head.get("histories"), 0);
    must(BigInt(lines.length) === tables + histories, "the number of lines is not as announced");
    this.size = `${histories} histories`;
    this.plays = new Map();
    this.tables = lines.slice(0, Number(tables)).map((line, i) => this.table(line, i, tables));
    for (const line of lines.slice(Number(tables))) this.history(line);
  }
  table(line, i, n) {
    if (!line.has("ends")) {
      word(keys(line, ["table", "player", "options", "to"]).get("table"));
      const to = many(line.get("to")).map((t) => Number(whole(t, i + 1, n)));
      const options = many(line.get("options")).map(word);
      must(to.length === options.length && to.length > 0, "not as many targets");
      return { mover: Number(whole(line.get("player"), 0, 2)), to };
    }
    word(keys(line, ["table", "ends"]).get("table"));
    const ends = many(line.get("ends"));
    const even = ends.length === this.hands[0] && ends.every((row) => many(row).length === this.hands[1]);
    must(even, "not one end each");
    return { mover: null, pays: this.weights.map((row, a) => row.map((w, b) =>
      (w ? times([w, 1n], this.worths[Number(whole(ends[a][b], 0, this.worths.length))]) : zero))) };
  }
  history(line) {
    keys(line, ["after", "hands", "plays"]);
    let here = this.tables[0];
    for (const k of many(line.get("after"))) {
      must(here.mover !== null, "a move after the end");
      here = this.tables[here.to[Number(whole(k, 0, here.to.length))]];
    }
    const after = line.get("after").join();
    must(here.mover !== null && !this.plays.has(after), "nobody moves there, or they did");
    const hands = many(line.get("hands")).map((h) => Number(whole(h, 0, this.hands[here.mover])));
    const plays = many(line.get("plays")).map((row) => likely(row, here.to.length));
    const even = hands.length === plays.length && hands.length > 0;
    must(even && uniq(hands), "not one row for each hand");
    this.plays.set(after, new Map(hands.map((hand, i) => [hand, plays[i]])));
  }
  reply(p) {
    this.steps = 0;
    const sure = Array.from({ length: this.hands[1 - p] }, (_, hand) => [hand, int(1)]);
    return times(this.walk(p, 0, [], sure).reduce(sum), ratio(1n, this.total));
  }
  // The value of each hand from here; `other` has the probability of each hand of the other.
  walk(p, t, after, other) {
    must(++this.steps <= MOST, "too many histories");
    const { mover, to, pays } = this.tables[t];
    const hands = Array.from({ length: this.hands[p] }, (_, hand) => hand);
    if (mover === null) {
      return hands.map((own) => other.reduce((a, [hand, chance]) =>
        sum(a, times(p ? pays[hand][own] : pays[own][hand], chance)), zero));
    }
    if (mover === p) {
      const each = to.map((u, k) => this.walk(p, u, [...after, k], other));
      return hands.map((own) => each.map((gains) => gains[own]).reduce(better(this.wants[p])));
    }
    const plays = this.plays.get(after.join()) ?? new Map();
    must(other.every(([hand]) => plays.has(hand)), "it isn't said what a hand does");
    return to.reduce((found, u, k) => {
      const moved = other.map(([hand, x]) => [hand, times(x, plays.get(hand)[k])]).filter(([, x]) => x[0]);
      if (!moved.length) return found;
      const gains = this.walk(p, u, [...after, k], moved);
      return found.map((x, own) => sum(x, gains[own]));
    }, hands.map(() => zero));
  }
}

// 7. Score cards: docs/reference/certificate-format.md, "Games of turns".
//
// A card's values for all totals are the lanes of one BigInt, each of some hex digits, with its
// highest bit clear. Values are integers over a scale, less a common amount, so that none is below 0.

const largest = (list) => list.reduce((a, b) => (a > b ? a : b));
const smallest = (list) => list.reduce((a, b) => (a < b ? a : b));

class Lanes {
  constructor(lanes, most) {
    [this.lanes, this.digits] = [lanes, Math.ceil((most.toString(2).length + 1) / 4)];
    this.ones = BigInt(`0x${"1".padStart(this.digits, "0").repeat(lanes)}`);
    this.top = BigInt(4 * this.digits - 1);
    this.high = this.ones << this.top;
  }
  pack(numbers) {
    const hex = numbers.map((x) => x.toString(16).padStart(this.digits, "0"));
    return BigInt(`0x${hex.reverse().join("")}`);
  }
  unpack(x) {
    const hex = x.toString(16).padStart(this.lanes * this.digits, "0");
    return Array.from({ length: this.lanes }, (_, i) => {
      const end = hex.length - i * this.digits;
      return BigInt(`0x${hex.slice(end - this.digits, end)}`);
    });
  }
  // The larger in each lane: a - b + 2^top keeps the top bit if a >= b.
  larger(a, b) {
    const found = (a | this.high) - b;
    const kept = found & this.high;
    return b + (found & (kept - (kept >> this.top)));
  }
}

class Cards {
  constructor(head) {
    this.head = keys(head, ["format", "version", "game", "of", "want", "rollables", "endings",
      "outcomes", "tally", "nodes", "readings", "cards", "unit", "rounded", "value", "within"]);
    this.sign = oneOf("most", "least")(head.get("want")) === "most" ? 1n : -1n;
    this.rounded = flag(head.get("rounded"));
    must(many(head.get("tally")).length === 2, "no tally");
    word(head.get("tally")[0]);
    this.lanes = Number(whole(head.get("tally")[1], 0, MOST)) + 1;
    this.unit = whole(head.get("unit"), 1);
    this.laws = laws(head.get("rollables"));
    this.endings = many(head.get("endings")).map(word).length;
    must(this.endings > 0, "no ending");
    [this.scales, this.nodes, this.readings] = [Array(this.endings).fill(1n), [], []];
    this.cards = many(head.get("outcomes")).map((end) => {
      word(keys(end, ["name", "worth"]).get("name"));
      const values = many(end.get("worth")).map((x) => this.amount(x));
      must(values.length === this.lanes, "not one value for each total");
      return { values, left: 0n };
    });
  }
  amount(x) {
    const [n, d] = times(number(x), [this.unit * this.sign, 1n]);
    must(d === 1n, "an amount is not a whole number of units");
    return n;
  }
  check(lines) {
    const [of, game] = [word(this.head.get("of")), word(this.head.get("game"))];
    const [nodes, readings, cards] = ["nodes", "readings", "cards"].map((key) => whole(this.head.get(key), 1));
    must(BigInt(lines.length) === nodes + readings + cards, "the number of lines is not as announced");
    lines.forEach((line, i) => {
      if (i < nodes) this.node(line);
      else if (i < nodes + readings) this.reading(line);
      else this.card(line);
    });
    const { values, left } = this.cards.at(-1);
    const scale = [this.unit * (this.rounded ? 1n : this.scales.at(-1) ** left), 1n];
    const [value, within] = ["value", "within"].map((key) => number(this.head.get(key)));
    const away = size(sum(times(times(value, [this.sign, 1n]), scale), [-values[0], 1n]));
    const off = sum(away, [this.rounded ? left : 0n, 1n]);
    must(order(off, times(within, scale)) <= 0, "more is claimed than follows");
    const [shown, about] = ["value", "within"].map((key) => spelled(this.head.get(key)));
    const most = this.sign > 0n ? "highest" : "lowest";
    const mean = `the ${most} mean of ${spell(of)} is ${shown}${within[0] ? ` within ${about}` : ""}`;
    return { game, size: `${cards} cards`, declared: false, declaration: "",
      claims: [`${mean}, as the file pays it`] };
  }
  node(line) {
    const asked = line.has("options");
    word(keys(line, ["node", "to", asked ? "options" : "roll"]).get("node"));
    const to = many(line.get("to")).map((t) => Number(whole(t, 0, this.scales.length)));
    const weights = asked ? many(line.get("options")).map(word).map(() => 1n)
      : this.laws[Number(whole(line.get("roll"), 0, this.laws.length))];
    must(to.length > 0 && to.length === weights.length, "not as many as targets");
    const common = to.map((t) => this.scales[t]).reduce((a, b) => a * ratio(b, a)[0]);
    const factors = new Map();
    to.forEach((t, i) => {
      const had = asked ? 0n : factors.get(t) ?? 0n;
      factors.set(t, had + weights[i] * (common / this.scales[t]));
    });
    this.nodes.push({ asked, after: [...factors] });
    this.scales.push(common * (asked ? 1n : total(weights)));
  }
  reading(line) {
    keys(line, ["classes", "pays"]);
    const classes = many(line.get("classes")).map((c) => Number(whole(c, -1)));
    const pays = many(line.get("pays")).map((x) => this.amount(x));
    must(classes.length === this.endings && pays.length === this.endings, "not one for each ending");
    this.readings.push({ classes, pays });
  }
  entry(line) {
    word(keys(line, ["entry", "reading", "to", "tally", "pays"]).get("entry"));
    const to = many(line.get("to")).map((t) => Number(whole(t, 0, this.cards.length)));
    const tally = many(line.get("tally")).map((n) => Number(whole(n, 0)));
    const more = many(line.get("pays")).map((x) => this.amount(x));
    must(to.length === tally.length && to.length === more.length, "not one for each class");
    return { ...this.readings[Number(whole(line.get("reading"), 0, this.readings.length))], to, tally, more };
  }
  // The best entry of each ending, then the turn backwards.
  card(line) {
    word(keys(line, ["card", "entries"]).get("card"));
    const entries = many(line.get("entries")).map((each) => this.entry(table(each)));
    const used = [...new Set(entries.flatMap((each) => each.to))];
    must(used.length > 0 && entries.every((each) => each.to.length > 0), "no entry");
    const left = largest(used.map((t) => this.cards[t].left));
    const scale = this.scales.at(-1);
    const unit = this.rounded ? 1n : scale ** left;
    const grown = new Map(used.map((t) => {
      const factor = this.rounded ? 1n : scale ** (left - this.cards[t].left);
      return [t, this.cards[t].values.map((x) => x * factor)];
    }));
    const low = smallest([...grown.values()].flat());
    const least = smallest(entries.map(({ pays, more }) => smallest(pays) + smallest(more)));
    const most = largest(entries.map(({ pays, more }) => largest(pays) + largest(more)));
    const range = largest([...grown.values()].flat()) - low + (most - least) * unit;
    const lanes = new Lanes(this.lanes, range * largest(this.scales));
    const rows = new Map();
    const row = (t, skipped) => {
      const key = `${t},${skipped}`;
      if (!rows.has(key)) {
        const values = grown.get(t);
        const from = (i) => values[Math.min(i + skipped, values.length - 1)] - low;
        rows.set(key, lanes.pack(values.map((_, i) => from(i))));
      }
      return rows.get(key);
    };
    const slots = Array.from({ length: this.endings }, (_, e) => {
      const ways = entries.filter(({ classes }) => classes[e] >= 0).map(({ classes, pays, to, tally, more }) => {
        const c = classes[e];
        must(c < to.length, "no such class");
        return row(to[c], tally[c]) + lanes.ones * ((pays[e] + more[c] - least) * unit);
      });
      must(ways.length > 0, "an ending can be entered nowhere");
      return ways.reduce((a, b) => lanes.larger(a, b));
    });
    for (const { asked, after } of this.nodes) {
      const values = after.map(([t, factor]) => (factor === 1n ? slots[t] : slots[t] * factor));
      slots.push(values.reduce((a, b) => (asked ? lanes.larger(a, b) : a + b)));
    }
    const values = lanes.unpack(slots.at(-1)).map((x) => x + (low + least * unit) * scale);
    const down = (x) => (x - ((x % scale) + scale) % scale) / scale;
    this.cards.push({ values: this.rounded ? values.map(down) : values, left: left + 1n });
  }
}

// 8. The file.

const FORMATS = new Map([["sevenout certificate", Proof],
  ["sevenout certificate of turns", Cards],
  ["sevenout certificate of two policies", Positions],
  ["sevenout certificate of hidden hands", Dealt]]);

function proofOf(head) {
  const format = head.get("format");
  must(FORMATS.has(format), "this is not a certificate");
  whole(head.get("version"), 3, 4);
  return new (FORMATS.get(format))(head);
}

export function judged(bytes) {
  try {
    known(bytes[0] !== 0x1f || bytes[1] !== 0x8b, "gzip data; unpack it first");
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    must(lines.length > 0, "this is not a certificate");
    const [head, ...states] = lines.map(parsed);
    return { proved: true, ...proofOf(table(head)).check(states.map(table)) };
  } catch (error) {
    const unread = error instanceof Unreadable || error?.code === "ERR_ENCODING_INVALID_ENCODED_DATA";
    const own = [Unproved, Unreadable, Unknown].some((kind) => error instanceof kind);
    const why = own ? error.message : unread ? CUT : "it is not written as a certificate is";
    return { proved: false, unread, unknown: error instanceof Unknown, why };
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
      const { game, size, declared, declaration, claims, why, unread, unknown } = found;
      const hash = declaration ? `, declaration ${declaration}` : "";
      const of = `${spell(game)} (${declared ? "as declared, " : ""}${size}${hash})`;
      const proved = `Proved of the game in this file, which it calls ${of}: `;
      const not = unread ? "not read" : unknown ? "not known here" : "not proved";
      console.log(found.proved ? `${proved}${claims.join("; ")}.` : `${not}: ${why}`);
      if (!found.proved) code = Math.max(code, unread || unknown ? 2 : 1);
    }
    process.exitCode = code;
  }
}
