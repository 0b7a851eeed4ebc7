// The player: one to four angles on one clock, exact frames, a canvas timeline.
// Plain JavaScript, no dependencies. Everything that runs at frame rate stays here.
//
// Time `t` is seconds on the case's clock. Angle i shows local time t - offset. A browser's
// media time may begin elsewhere than the file's first frame; the first presented frame tells
// the shift. A frame is addressed by its PTS from the index, never by number times rate.

const INK = "#1c2430", SOFT = "#5a6472", LINE = "#d7dbe1", PAPER = "#ffffff", SHADE = "#eef0f3";
const BLUE = "#0072B2", ORANGE = "#E69F00", RED = "#D55E00", SKY = "#56B4E9", GREEN = "#009E73", PURPLE = "#CC79A7";
const RATES = [0.1, 0.25, 0.5, 1, 1.5, 2, 4];
const SEGMENT = 30; // seconds of a clip for those who may not have the whole recording
const SEVERITY = { error: RED, foul: ORANGE, note: SKY };
const players = new WeakMap();
const cache = new Map(); // url -> promise of data, shared by remounts

export default function (component) {
  const { parentElement } = component;
  let player = players.get(parentElement);
  if (!player) {
    player = new Player(parentElement);
    players.set(parentElement, player);
  }
  player.update(component);
  return () => {
    player.leaving = setTimeout(() => {
      player.destroy();
      players.delete(parentElement);
    }, 60);
  };
}

function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes)) {
    if (k.startsWith("on")) node.addEventListener(k.slice(2), v);
    else if (v !== null && v !== undefined && v !== false) node.setAttribute(k, v === true ? "" : v);
  }
  node.append(...children.filter((c) => c !== null));
  return node;
}

// Icons are drawn, not typed: fonts differ from laptop to laptop.
const ICONS = {
  play: "M4 2.5v11l9-5.5z", pause: "M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z",
  back: "M3 2.5h2v11H3zM13 2.5v11L5.5 8z", forward: "M11 2.5h2v11h-2zM3 2.5v11L10.5 8z",
  loop: "M4 5h7V3l3 3-3 3V7H5v2H3V6a1 1 0 0 1 1-1zm8 6H5v2l-3-3 3-3v2h6V7h2v3a1 1 0 0 1-1 1z",
  clock: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zm0 1.6a4.9 4.9 0 1 1 0 9.8 4.9 4.9 0 0 1 0-9.8zM7.3 4.5h1.4v3.2l2.4 1.5-.7 1.2-3.1-1.9z",
  boxes: "M2 3h12v10H2zm1.5 1.5v7h9v-7z", marks: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm0 1.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zm0 2.6a1.9 1.9 0 1 0 0 3.8 1.9 1.9 0 0 0 0-3.8z",
  offsets: "M5 3v2h7v2H5v2L1.5 6zm6 4v2H4v2h7v2l3.5-3z", whole: "M1.5 7.2h3V5l-.1-.1L1 8l3.5 3.1V8.8h7v2.3L15 8l-3.5-3.1v2.3h-10z",
};
function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16"); svg.setAttribute("width", "15"); svg.setAttribute("height", "15"); svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]); path.setAttribute("fill", "currentColor"); path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}

function clock(t) {
  const sign = t < 0 ? "−" : "";
  const ms = Math.round(Math.abs(t) * 1000);
  const s = Math.floor(ms / 1000), m = Math.floor(s / 60), h = Math.floor(m / 60);
  const two = (n) => String(n).padStart(2, "0");
  const tail = `${two(s % 60)}.${String(ms % 1000).padStart(3, "0")}`;
  return sign + (h ? `${h}:${two(m % 60)}:${tail}` : `${m}:${tail}`);
}

function lastAtOrBefore(times, t) {
  let lo = 0, hi = times.length - 1;
  if (hi < 0 || t < times[0]) return 0;
  while (lo < hi) {
    const mid = (lo + hi + 1) >> 1;
    if (times[mid] <= t) lo = mid; else hi = mid - 1;
  }
  return lo;
}

async function fetched(url, read) {
  if (!cache.has(url)) {
    cache.set(url, fetch(url, { credentials: "same-origin" }).then(async (r) => {
      if (!r.ok) throw new Error(await r.text());
      return read(r);
    }));
    cache.get(url).catch(() => cache.delete(url));
  }
  return cache.get(url);
}

// One angle: a <video> and the knowledge of which frame it shows.
class Angle {
  constructor(player, spec) {
    this.player = player;
    this.spec = spec;
    this.offset = spec.offset || 0;
    this.shift = 0;
    this.start = 0; // local time at which the loaded media begins (clips)
    this.times = null;
    this.local = 0;
    this.frame = null;
    this.wanted = null;
    this.wantedFrame = null;
    this.away = false;
    this.video = el("video", { playsinline: true, preload: "auto", crossorigin: "use-credentials" });
    this.video.muted = spec.number !== 0;
    this.overlay = el("canvas", { class: "overlay" });
    this.note = el("div", { class: "note", hidden: true });
    this.cell = el("div", { class: "cell" }, this.video, this.overlay, this.note);
    this.video.addEventListener("error", () => this.failed());
    this.video.addEventListener("ended", () => this.ended());
    // It begins to play when its first frame is there, and a browser may stop it: the button says what is.
    for (const what of ["play", "pause"]) this.video.addEventListener(what, () => this.player.bars());
    this.video.addEventListener("seeked", () => {
      if (!this.spec.video) this.presented(this.video.currentTime);
      // A frame equal to the one shown brings no new picture: then what is shown stands. A slow
      // machine may take its time for another one.
      else setTimeout(() => {
        if (!this.video.seeking && this.wanted !== null) { this.wanted = null; this.player.presented(this); }
      }, this.frame === this.wantedFrame ? 100 : 1500);
    });
    this.watch();
    if (spec.pts) fetched(spec.pts, async (r) => new Float64Array(await r.arrayBuffer())).then((a) => {
      this.times = a;
      if (this.first !== undefined) this.calibrate(this.first);
      if (this.wanted !== null) this.show(this.wanted);
    }, () => {});
    if (!spec.clips) this.load(spec.url, 0);
  }

  load(url, start) {
    if (this.url === url) return;
    this.url = url;
    this.start = start;
    this.first = undefined;
    this.video.src = url;
    this.video.load();
    clearTimeout(this.slow);
    if (this.spec.video) this.slow = setTimeout(() => {
      if (this.first === undefined && !this.gone && this.note.hidden) this.say(this.player.text.loading);
    }, 400);
  }

  watch() {
    const next = () => {
      if (this.gone) return;
      if (this.video.requestVideoFrameCallback && this.spec.video) {
        this.handle = this.video.requestVideoFrameCallback((now, meta) => { this.presented(meta.mediaTime); next(); });
      } else {
        this.handle = requestAnimationFrame(() => { if (!this.video.paused) this.presented(this.video.currentTime); next(); });
      }
    };
    next();
  }

  // A frame is on the screen; `media` is its media time as the browser has it.
  presented(media) {
    if (this.first === undefined) {
      this.first = media;
      clearTimeout(this.slow);
      if (this.note.textContent === this.player.text.loading) this.say(null);
      this.calibrate(media);
      if (this.player.wantsPlay && !this.away) this.begin();
      if (this.wanted !== null) { this.show(this.wanted); return; }
    }
    const local = media - this.shift + this.start;
    this.frame = this.times ? lastAtOrBefore(this.times, local + 0.0015) : null;
    this.local = this.frame !== null ? this.times[this.frame] : local;
    if (this.wanted !== null && this.arrived()) this.wanted = null;
    this.player.presented(this);
  }

  // Has the picture come that was asked for? From there the video's own time leads again. Playing
  // on, a busy browser may have left out just that frame: then one soon after it says so too.
  arrived() {
    if (this.wantedFrame === null) return !this.video.seeking;
    if (this.frame === this.wantedFrame) return true;
    const past = this.local - this.times[this.wantedFrame];
    return !this.video.paused && !this.video.seeking && past > 0 && past < 1;
  }

  calibrate(media) {
    if (!this.times || !this.times.length || !this.spec.video) return;
    const i = this.start ? Math.min(lastAtOrBefore(this.times, this.start - 0.0005) + 1, this.times.length - 1) : 0;
    const first = (this.start && this.times[0] >= this.start ? this.times[0] : this.times[i]) - this.start;
    const shift = media - first;
    this.shift = Math.abs(shift) < 2 ? shift : 0;
  }

  // Until the first frame lies on the screen nothing is played or sought: only a picture at rest
  // at the beginning is surely the first one, and from it all others are told.
  get ready() { return !this.spec.video || this.first !== undefined || !this.video.requestVideoFrameCallback; }

  begin() {
    // Some tablets load nothing before somebody presses play: then pressing play must be enough.
    const refuses = this.video.readyState < 2 && this.video.networkState === HTMLMediaElement.NETWORK_IDLE;
    if (this.ready || refuses) this.video.play().catch(() => {});
  }

  // Put the frame that is on the screen at case time t before the eyes.
  show(t) {
    this.wanted = t;
    this.wantedFrame = null;
    let local = t - this.offset;
    this.leave(!this.runs(local));
    if (this.away) { this.wanted = null; return; }
    if (this.spec.clips && !this.choose(local)) return;
    if (!this.ready) return; // presented() comes back to it
    if (this.times && this.times.length) {
      const i = lastAtOrBefore(this.times, local + 0.0006);
      const next = i + 1 < this.times.length ? this.times[i + 1] : this.times[i] + 0.04;
      // The middle of the frame's stay: no rounding of the browser's can miss it.
      local = (this.times[i] + next) / 2;
      this.wantedFrame = i;
    }
    this.target = Math.max(0, local - this.start + this.shift);
    if (Math.abs(this.video.currentTime - this.target) > 0.0005) this.video.currentTime = this.target;
    else if (this.frame === this.wantedFrame) this.wanted = null;
  }

  // Did this camera record that moment? The first angle is the clock and always does.
  runs(local) {
    if (this === this.player.main || !this.times || !this.times.length) return true;
    return local > -0.3 && local < this.times[this.times.length - 1] + 0.5;
  }

  // A still of another moment must not be taken for this one.
  leave(away) {
    if (away === this.away) return;
    this.away = away;
    this.cell.classList.toggle("away", away);
    this.say(away ? this.player.text.not_running : null);
    if (away) this.video.pause();
    else if (this.player.playing) this.begin();
  }

  // For those who may not have the whole recording: the daylight clip that holds `local`.
  choose(local) {
    const nights = this.player.nights;
    if (nights === null) return false;
    const t = local + this.offset;
    const night = nights.find(([a, b]) => t >= a && t <= b);
    if (night) {
      this.say(this.player.text.night);
      this.video.pause();
      return false;
    }
    let a = Math.floor(t / SEGMENT) * SEGMENT, b = Math.min(a + SEGMENT, this.player.duration || a + SEGMENT);
    for (const [x, y] of nights) {
      if (y <= t) a = Math.max(a, y);
      if (x >= t) b = Math.min(b, x);
    }
    if (b - a < 0.2) return false;
    this.say(null);
    const ms = (v) => Math.round((v - this.offset) * 1000);
    this.clip = [a, b];
    this.load(`${this.spec.clips}/${ms(a) + 1}-${ms(b) - 1}.mp4?h=480`, (ms(a) + 1) / 1000);
    return true;
  }

  ended() {
    if (this.spec.clips && this.clip && this.spec.number === 0) {
      const t = this.clip[1] + 0.01;
      this.player.seek(t);
      this.player.play();
    }
  }

  get t() {
    return (this.wanted !== null ? this.wanted : this.local + this.offset);
  }

  say(text) {
    this.note.hidden = !text;
    this.note.textContent = text || "";
  }

  async failed() {
    if (!this.url || this.gone) return;
    let reason = "";
    try {
      const r = await fetch(this.url, { headers: { range: "bytes=0-0" } });
      if (!r.ok) reason = await r.text();
    } catch (e) { reason = ""; }
    this.say(reason || this.player.text.cannot_play);
  }

  destroy() {
    this.gone = true;
    clearTimeout(this.slow);
    if (this.video.cancelVideoFrameCallback && this.spec.video) this.video.cancelVideoFrameCallback(this.handle);
    else cancelAnimationFrame(this.handle);
    this.video.removeAttribute("src");
    this.video.load();
  }
}

class Player {
  constructor(host) {
    this.angles = [];
    this.view = [0, 60];
    this.duration = 0;
    this.nights = null;
    this.lanes = null;
    this.peaks = null;
    this.loop = null;
    this.rate = 1;
    this.shown = { boxes: false, marks: true, clock: true };
    this.root = el("div", { class: "mv", tabindex: 0 });
    this.stage = el("div", { class: "stage" });
    this.readout = el("span", { class: "readout", "aria-live": "off" });
    this.canvas = el("canvas", { class: "lanes" });
    this.bar = el("div", { class: "bar" });
    this.help = el("div", { class: "help", hidden: true });
    this.offsets = el("div", { class: "offsets", hidden: true });
    this.root.append(this.stage, this.bar, this.offsets, this.canvas, this.help);
    host.appendChild(this.root);
    this.onKey = (e) => this.key(e);
    this.onSeek = (e) => this.outside(e.detail);
    window.addEventListener("keydown", this.onKey);
    window.addEventListener("mafiavar:seek", this.onSeek);
    this.resizer = new ResizeObserver(() => this.draw());
    this.resizer.observe(this.root);
    this.timelineEvents();
    this.ticker = setInterval(() => this.tick(), 33);
  }

  destroy() {
    window.removeEventListener("keydown", this.onKey);
    window.removeEventListener("mafiavar:seek", this.onSeek);
    this.resizer.disconnect();
    clearInterval(this.ticker);
    this.angles.forEach((a) => a.destroy());
    this.root.remove();
  }

  update(component) {
    clearTimeout(this.leaving);
    const data = component.data || {};
    this.component = component;
    this.data = data;
    this.text = data.text || {};
    this.duration = data.duration || this.duration;
    if (data.identity !== this.identity) this.rebuild(data);
    this.fetchLanes(data);
    const go = data.goto;
    if (go && go.nonce !== this.gone) {
      this.gone = go.nonce;
      this.go(go);
    }
    this.draw();
    this.angles.forEach((a) => this.drawOverlay(a));
  }

  rebuild(data) {
    this.identity = data.identity;
    this.angles.forEach((a) => a.destroy());
    this.stage.replaceChildren();
    this.angles = (data.angles || []).map((spec) => new Angle(this, spec));
    this.stage.className = `stage n${this.angles.length}`;
    if (data.aspect) this.stage.style.setProperty("--aspect", data.aspect);
    if (data.max_height) this.stage.style.setProperty("--tall", `${data.max_height}px`);
    this.angles.forEach((a) => this.stage.append(a.cell));
    this.gone = undefined;
    this.lanesUrl = undefined;
    this.buildBar();
  }

  get main() { return this.angles[0]; }
  get t() { return this.main ? this.main.t : 0; }
  get playing() { return this.main ? !this.main.video.paused : false; }

  async fetchLanes(data) {
    if (!data.lanes || data.lanes === this.lanesUrl) return;
    this.lanesUrl = data.lanes;
    try {
      const lanes = await fetched(data.lanes, (r) => r.json());
      if (data.lanes !== this.lanesUrl) return;
      this.lanes = lanes;
      this.duration = lanes.duration || this.duration;
      this.nights = lanes.nights;
      this.angles.forEach((a) => { if (a.wanted !== null) a.show(a.wanted); });
      this.draw();
    } catch (e) { this.lanes = null; }
    if (data.peaks && data.peaks !== this.peaksUrl) {
      this.peaksUrl = data.peaks;
      fetched(data.peaks, async (r) => new Uint8Array(await r.arrayBuffer())).then((p) => { this.peaks = p; this.draw(); }, () => {});
    }
  }

  // movement --------------------------------------------------------------------------

  go({ t, end, loop, play, view }) {
    this.loop = loop ? [loop[0], loop[1]] : null;
    const span = view || [t - 4, (end ?? t) + 6];
    this.view = this.bounded(span[0], Math.max(span[1], span[0] + 2));
    this.seek(t);
    if (play) this.play(); else if (play === false) this.pause();
    this.bars();
  }

  outside(detail) {
    if (!detail) return;
    if (detail.loop !== undefined) this.loop = detail.loop;
    if (detail.pause) this.pause();
    this.seek(detail.t);
    if (detail.t < this.view[0] || detail.t > this.view[1]) {
      const half = (this.view[1] - this.view[0]) / 2;
      this.view = this.bounded(detail.t - half, detail.t + half);
    }
    if (detail.play) this.play();
    this.bars();
    this.draw();
  }

  seek(t) {
    const to = Math.max(0, Math.min(t, this.duration || t));
    this.angles.forEach((a) => a.show(to));
    this.draw();
    this.readoutNow();
  }

  step(frames) {
    this.pause();
    const a = this.main;
    if (!a) return;
    if (!a.times || !a.times.length) { this.seek(this.t + frames * 0.04); return; }
    const i = lastAtOrBefore(a.times, this.t - a.offset + 0.0006);
    const j = Math.max(0, Math.min(a.times.length - 1, i + frames));
    this.seek(a.times[j] + a.offset);
  }

  play() {
    this.backwards = 0;
    this.wantsPlay = true;
    this.angles.forEach((a) => {
      a.video.playbackRate = this.rate;
      a.video.preservesPitch = true;
      if (!a.away) a.begin();
    });
    this.bars();
  }

  pause() {
    this.backwards = 0;
    this.wantsPlay = false;
    this.angles.forEach((a) => a.video.pause());
    this.together();
    this.bars();
  }

  // Side by side while playing is near enough; at rest every angle shows its frame of this moment.
  together() {
    if (this.playing || !this.main || this.main.wanted !== null) return;
    const t = this.t;
    this.angles.slice(1).forEach((a) => { if (a.wanted === null || Math.abs(a.wanted - t) > 0.0005) a.show(t); });
  }

  toggle() {
    if (this.playing || (this.wantsPlay && this.main && !this.main.ready)) this.pause();
    else this.play();
  }

  setRate(rate) {
    this.rate = Math.max(RATES[0], Math.min(4, rate));
    this.angles.forEach((a) => { a.video.playbackRate = this.rate; });
    this.bars();
  }

  // J K L as editors have it: L faster, J backwards, K stop.
  shuttle(direction) {
    if (direction === 0) { this.pause(); this.setRate(1); return; }
    if (direction > 0) {
      if (this.backwards) { this.backwards = 0; this.setRate(1); }
      else if (this.playing) this.setRate(Math.min(4, this.rate * 2));
      this.play();
      return;
    }
    const faster = this.backwards ? Math.min(4, this.backwards * 2) : 1;
    this.pause();
    this.backwards = faster;
    this.bars();
  }

  tick() {
    if (this.backwards && this.main && this.main.wanted === null) this.seek(this.t - 0.033 * this.backwards);
    if (this.playing) {
      this.follow();
      if (this.main && !this.main.spec.video) this.presented(this.main);
    }
  }

  presented(angle) {
    this.drawOverlay(angle);
    if (angle !== this.main) return;
    const t = this.t;
    // The clock's last frame may come after the pause.
    this.together();
    if (this.playing && this.loop && t > this.loop[1]) this.seek(this.loop[0]);
    this.readoutNow();
    const now = performance.now();
    if (now - (this.drawn || 0) > 30) { this.drawn = now; this.draw(); }
    window.dispatchEvent(new CustomEvent("mafiavar:time", { detail: { t, frame: angle.frame } }));
  }

  // The other angles keep to the first one's clock.
  follow() {
    for (const a of this.angles.slice(1)) {
      if (a.away) { if (a.runs(this.t - a.offset)) a.show(this.t); continue; }
      const off = a.local + a.offset - this.t;
      if (Math.abs(off) > 0.25) a.show(this.t);
      else a.video.playbackRate = Math.abs(off) > 0.03 ? this.rate * (1 - Math.sign(off) * 0.06) : this.rate;
    }
    const span = this.view[1] - this.view[0];
    if (this.t > this.view[1]) this.view = this.bounded(this.t - span * 0.1, this.t + span * 0.9);
  }

  bounded(a, b) {
    const end = Math.max(this.duration || b, 1), span = Math.min(Math.max(b - a, 0.5), end);
    const from = Math.max(0, Math.min(a, end - span));
    return [from, from + span];
  }

  // controls --------------------------------------------------------------------------

  buildBar() {
    const T = this.text;
    const button = (label, title, action, name) => el("button", { type: "button", title, "aria-label": title, "data-do": name, onclick: () => { action(); this.root.focus({ preventScroll: true }); } }, label);
    this.playButton = button(icon("play"), T.play, () => this.toggle(), "play");
    this.rateSelect = el("select", { title: T.rate, "aria-label": T.rate, onchange: (e) => { this.setRate(Number(e.target.value)); this.root.focus(); } },
      ...RATES.map((r) => el("option", { value: r }, `${String(r).replace(".", T.comma || ".")}×`)));
    this.loopButton = button(icon("loop"), T.loop, () => this.toggleLoop(), "loop");
    const toggles = [["clock", T.show_clock], ["boxes", T.show_boxes], ["marks", T.show_marks]].map(([name, title]) => {
      const b = button(icon(name), title, () => { this.shown[name] = !this.shown[name]; this.bars(); this.angles.forEach((a) => this.drawOverlay(a)); }, `show-${name}`);
      b.dataset.toggle = name;
      return b;
    });
    this.bar.replaceChildren(
      button(icon("back"), T.prev_frame, () => this.step(-1), "back"), this.playButton, button(icon("forward"), T.next_frame, () => this.step(1), "forward"),
      this.rateSelect, this.loopButton, this.readout, el("span", { class: "grow" }), ...toggles,
      ...(this.angles.length > 1 ? [button(icon("offsets"), T.offsets, () => { this.offsets.hidden = !this.offsets.hidden; }, "offsets")] : []),
      button(icon("whole"), T.whole, () => { this.view = [0, this.duration || 60]; this.draw(); }, "whole"),
      button("?", T.help, () => this.toggleHelp(), "help"),
    );
    this.offsets.replaceChildren(...this.angles.slice(1).map((a) => el("label", {}, `${T.angle} ${a.spec.number + 1} `,
      el("input", { type: "number", step: "0.01", value: a.offset.toFixed(2), onchange: (e) => {
        a.offset = Number(e.target.value) || 0;
        a.show(this.t);
        this.component.setTriggerValue("offset", { number: a.spec.number, offset: a.offset });
      } }), T.seconds || "")));
    this.help.replaceChildren(el("h3", {}, T.help), el("table", {}, ...(T.keys || []).map(([k, what]) => el("tr", {}, el("td", {}, el("kbd", {}, k)), el("td", {}, what)))),
      el("button", { type: "button", onclick: () => this.toggleHelp() }, T.close || "×"));
    this.bars();
  }

  toggleLoop() {
    if (this.loop) this.loop = null;
    else {
      const go = this.data.goto || {};
      this.loop = go.loop || go.window || [this.t, this.t + 3];
    }
    this.bars();
    this.draw();
  }

  toggleHelp() { this.help.hidden = !this.help.hidden; }

  bars() {
    if (!this.playButton) return;
    this.playButton.replaceChildren(icon(this.playing ? "pause" : "play"));
    this.rateSelect.value = RATES.includes(this.rate) ? this.rate : "";
    this.loopButton.classList.toggle("on", !!this.loop);
    this.bar.querySelectorAll("[data-toggle]").forEach((b) => b.classList.toggle("on", this.shown[b.dataset.toggle]));
  }

  readoutNow() {
    const a = this.main;
    if (!a) return;
    const frame = a.times && a.times.length ? lastAtOrBefore(a.times, this.t - a.offset + 0.0006) : null;
    this.readout.textContent = clock(this.t) + (frame === null ? "" : ` · ${this.text.frame} ${frame}`);
    this.root.dataset.t = this.t.toFixed(4);
    this.root.dataset.shown = a.wanted === null && a.frame !== null && a.frame !== undefined ? String(a.frame) : "";
  }

  key(e) {
    const at = e.composedPath()[0];
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (at && (at.isContentEditable || /^(INPUT|TEXTAREA)$/.test(at.tagName || ""))) return;
    const k = e.key.length === 1 ? this.latin(e) : e.key;
    const actions = {
      " ": () => this.toggle(), k: () => this.shuttle(0), j: () => this.shuttle(-1), l: () => this.shuttle(1),
      ArrowLeft: () => e.shiftKey ? this.seek(this.t - 1) : this.step(-1), ArrowRight: () => e.shiftKey ? this.seek(this.t + 1) : this.step(1),
      ",": () => this.step(-1), ".": () => this.step(1), o: () => this.toggleLoop(),
      "-": () => this.nextRate(-1), "=": () => this.nextRate(1), "+": () => this.nextRate(1),
      "?": () => this.toggleHelp(), Escape: () => { this.help.hidden = true; },
      b: () => { this.shown.boxes = !this.shown.boxes; this.bars(); this.angles.forEach((a) => this.drawOverlay(a)); },
      n: () => this.neighbour(1), p: () => this.neighbour(-1),
    };
    const own = (this.data.keys || {})[k];
    if (own) {
      e.preventDefault();
      this.component.setTriggerValue("key", { do: own, at: Date.now(), t: this.t });
    } else if (actions[k] && !(at && at.tagName === "SELECT") && !(k === " " && at && at.tagName === "BUTTON")) {
      e.preventDefault();
      actions[k]();
    }
  }

  // Keys by their place, so that they work with a Russian layout too.
  latin(e) {
    if (e.key === "?" || e.code === "Slash" && e.shiftKey || e.code === "Digit7" && e.shiftKey && e.key === "?") return "?";
    if (/^Key[A-Z]$/.test(e.code)) return e.code.slice(3).toLowerCase();
    if (e.code === "Comma") return ",";
    if (e.code === "Period") return ".";
    return e.key;
  }

  nextRate(d) {
    const i = RATES.findIndex((r) => r >= this.rate);
    this.setRate(RATES[Math.max(0, Math.min(RATES.length - 1, i + d))]);
  }

  // Next or previous in the page's list: the picture goes there at once, the page follows.
  neighbour(d) {
    const list = this.data.list || [];
    if (!list.length) return;
    const i = list.findIndex((x) => x.nonce === this.gone);
    const next = list[Math.max(0, Math.min(list.length - 1, i < 0 ? 0 : i + d))];
    if (!next || next.nonce === this.gone) return;
    this.gone = next.nonce;
    this.go(next);
    this.component.setTriggerValue("chosen", { id: next.id, at: Date.now() });
  }

  // overlay ---------------------------------------------------------------------------

  drawOverlay(a) {
    const c = a.overlay, w = c.clientWidth, h = c.clientHeight;
    if (!w || !h) return;
    const ratio = window.devicePixelRatio || 1;
    if (c.width !== Math.round(w * ratio) || c.height !== Math.round(h * ratio)) { c.width = Math.round(w * ratio); c.height = Math.round(h * ratio); }
    const g = c.getContext("2d");
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, w, h);
    const size = a.spec.size;
    const t = this.t;
    if (size) {
      const s = Math.min(w / size[0], h / size[1]), ox = (w - size[0] * s) / 2, oy = (h - size[1] * s) / 2;
      const rect = (b) => [ox + b[0] * s, oy + b[1] * s, b[2] * s, b[3] * s];
      if (this.shown.boxes) for (const { seat, box } of a.spec.boxes || []) {
        g.strokeStyle = "#ffffffb0"; g.lineWidth = 1; g.strokeRect(...rect(box));
        this.tag(g, String(seat), rect(box)[0] + 3, rect(box)[1] + 3, "#1c2430cc", "#fff");
      }
      if (this.shown.marks) {
        const now = this.contacts().filter((x) => t >= x.t0 - 0.001 && t <= x.t1);
        for (const m of (this.data.marks || []).filter((m) => (m.recording || 0) === a.spec.number)) {
          if (Math.abs(t - m.t) > 0.6 || !m.box) continue;
          g.strokeStyle = ORANGE; g.lineWidth = 2.5; g.strokeRect(...rect(m.box));
          this.tag(g, String(m.seat), rect(m.box)[0], rect(m.box)[1] - 17, ORANGE, INK);
          for (const [x, y] of m.landmarks || []) { g.fillStyle = SKY; g.fillRect(ox + x * s - 1.5, oy + y * s - 1.5, 3, 3); }
        }
        for (const x of now) {
          const box = (a.spec.boxes || []).find((b) => b.seat === x.seat);
          if (!box) continue;
          const [bx, by, bw] = rect(box.box);
          this.tag(g, `● ${x.seat}`, bx + bw / 2 - 12, by - 2, BLUE, "#fff");
        }
      }
    }
    if (this.shown.clock && a === this.main) this.drawClock(g, w, t);
  }

  contacts() { return this.data.contacts || (this.lanes ? this.lanes.hands : []); }

  ballotAt(t) {
    if (this.data.ballot) return this.data.ballot;
    return this.lanes ? this.lanes.ballots.find((b) => t >= b.window[0] && t <= b.window[1]) : null;
  }

  drawClock(g, w, t) {
    const b = this.ballotAt(t);
    if (!b || t < b.called[0] - 6 || t > (b.closed ? b.closed[1] : b.called[1]) + 8) return;
    const sign = (x) => (x < 0 ? "−" : "+") + Math.abs(x).toFixed(2).replace(".", this.text.comma || ".");
    const lines = [[this.text.from_call, t - b.called[1], BLUE]];
    if (b.closed) lines.push([this.text.from_stop, t - b.closed[0], RED]);
    g.font = "600 13px system-ui, sans-serif";
    lines.forEach(([name, dt, colour], i) => {
      const label = `${name} ${sign(dt)} ${this.text.s}`;
      const width = g.measureText(label).width + 20;
      g.fillStyle = "#ffffffe0"; g.fillRect(w - width - 8, 8 + i * 25, width, 22);
      g.fillStyle = colour; g.fillRect(w - width - 8, 8 + i * 25, 4, 22);
      g.fillStyle = INK; g.textBaseline = "middle"; g.fillText(label, w - width + 2, 19.5 + i * 25);
    });
  }

  tag(g, text, x, y, back, fore) {
    g.font = "600 11px system-ui, sans-serif";
    const w = g.measureText(text).width + 8;
    g.fillStyle = back; g.fillRect(x, y, w, 16);
    g.fillStyle = fore; g.textBaseline = "middle"; g.fillText(text, x + 4, y + 8.5);
  }

  // timeline --------------------------------------------------------------------------

  timelineEvents() {
    const at = (e) => {
      const r = this.canvas.getBoundingClientRect();
      return this.view[0] + (Math.max(0, e.clientX - r.left - 60) / Math.max(1, r.width - 60)) * (this.view[1] - this.view[0]);
    };
    let drag = null;
    this.canvas.addEventListener("pointerdown", (e) => {
      this.canvas.setPointerCapture(e.pointerId);
      drag = { x: e.clientX, view: [...this.view], moved: false, pan: e.shiftKey || e.button === 1 };
      if (!drag.pan) this.seek(at(e));
      this.root.focus({ preventScroll: true });
    });
    this.canvas.addEventListener("pointermove", (e) => {
      if (!drag) return;
      if (drag.pan) {
        const dt = (drag.x - e.clientX) / Math.max(1, this.canvas.clientWidth - 60) * (drag.view[1] - drag.view[0]);
        this.view = this.bounded(drag.view[0] + dt, drag.view[1] + dt);
        this.draw();
      } else this.seek(at(e));
    });
    const end = () => { drag = null; };
    this.canvas.addEventListener("pointerup", end);
    this.canvas.addEventListener("pointercancel", end);
    this.canvas.addEventListener("wheel", (e) => {
      e.preventDefault();
      const t = at(e), k = Math.exp((e.deltaY || e.deltaX) * 0.0016);
      this.view = this.bounded(t - (t - this.view[0]) * k, t + (this.view[1] - t) * k);
      this.draw();
    }, { passive: false });
    this.canvas.addEventListener("dblclick", (e) => {
      const t = at(e), f = (this.lanes ? this.lanes.flags : []).find((x) => t >= x.t0 - 1 && t <= x.t1 + 1);
      if (f) this.component.setTriggerValue("chosen", { id: f.id, at: Date.now() });
    });
  }

  // Drawn once for a picture of the screen, however many reasons there were.
  draw() {
    if (this.due) return;
    this.due = requestAnimationFrame(() => { this.due = 0; this.paint(); });
  }

  paint() {
    const c = this.canvas, w = c.clientWidth;
    if (!w) return;
    const [v0, v1] = this.view, span = v1 - v0, hands = span <= 90;
    const names = this.text.lanes || {};
    const rows = [["ruler", 16], ["sound", 26], ["phases", 15], ["speakers", 12], ["ballots", 13], ...(hands ? [["hands", 52]] : []), ["flags", 15]];
    const tall = rows.reduce((s, r) => s + r[1] + 2, 0);
    const ratio = window.devicePixelRatio || 1, wide = Math.round(w * ratio), high = Math.round(tall * ratio);
    if (c.width !== wide || c.height !== high) { // a new size throws the canvas away
      c.style.height = `${tall}px`;
      c.width = wide; c.height = high;
    }
    const g = c.getContext("2d");
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.fillStyle = PAPER; g.fillRect(0, 0, w, tall);
    const left = 60, x = (t) => left + (t - v0) / span * (w - left);
    const bar = (t0, t1, y, h, colour) => { const a = Math.max(left, x(t0)), b = Math.min(w, x(t1)); if (b >= left && a <= w) { g.fillStyle = colour; g.fillRect(a, y, Math.max(1.5, b - a), h); return [a, b]; } return null; };
    g.textBaseline = "middle";
    let y = 0;
    for (const [name, h] of rows) {
      g.fillStyle = SHADE; if (name !== "ruler") g.fillRect(left, y, w - left, h);
      g.fillStyle = SOFT; g.font = "10px system-ui, sans-serif"; g.textAlign = "right";
      if (names[name]) g.fillText(names[name], left - 5, y + Math.min(h, 40) / 2);
      g.textAlign = "left";
      this.drawLane(g, name, y, h, { x, bar, left, w, v0, v1, span });
      y += h + 2;
    }
    for (const [a, b] of this.nights || []) { g.fillStyle = "#1c243022"; const p = Math.max(left, x(a)), q = Math.min(w, x(b)); if (q > p) g.fillRect(p, 16, q - p, tall); }
    if (this.loop) {
      g.fillStyle = "#E69F0030"; const p = Math.max(left, x(this.loop[0])), q = Math.min(w, x(this.loop[1]));
      if (q > p) g.fillRect(p, 0, q - p, tall);
    }
    const now = x(this.t);
    if (now >= left && now <= w) { g.fillStyle = INK; g.fillRect(now - 0.75, 0, 1.5, tall); g.beginPath(); g.moveTo(now - 5, 0); g.lineTo(now + 5, 0); g.lineTo(now, 7); g.fill(); }
  }

  drawLane(g, name, y, h, { x, bar, left, w, v0, v1, span }) {
    const L = this.lanes;
    if (name === "ruler") {
      const steps = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600];
      const step = steps.find((s) => (w - left) / span * s > 62) || 1200;
      g.fillStyle = SOFT; g.font = "10px system-ui, sans-serif";
      for (let t = Math.ceil(v0 / step) * step; t <= v1; t += step) {
        g.fillRect(x(t), y + 11, 1, 5);
        const m = Math.floor(t / 60 + 1e-9), s = t - m * 60;
        g.fillText(`${m}:${step < 1 ? s.toFixed(1).padStart(4, "0") : String(Math.round(s)).padStart(2, "0")}`, x(t) + 3, y + 7);
      }
      return;
    }
    if (name === "sound") {
      if (!this.peaks) return;
      g.fillStyle = "#8a94a3";
      const per = 50 * span / (w - left);
      for (let px = 0; px < w - left; px++) {
        const i0 = Math.floor((v0 + px / (w - left) * span) * 50), i1 = Math.max(i0 + 1, Math.floor(i0 + per));
        let top = 0;
        for (let i = i0; i < i1 && i < this.peaks.length; i++) if (this.peaks[i] > top) top = this.peaks[i];
        const tall = top / 255 * (h - 2);
        g.fillRect(left + px, y + (h - tall) / 2, 1, tall);
      }
      return;
    }
    if (!L) return;
    const label = (place, text, colour) => {
      if (!place || place[1] - place[0] < 26) return;
      g.save(); g.beginPath(); g.rect(place[0], y, place[1] - place[0], h); g.clip();
      g.fillStyle = colour; g.font = "10px system-ui, sans-serif"; g.fillText(text, place[0] + 4, y + h / 2 + 0.5); g.restore();
    };
    if (name === "phases") for (const p of L.phases) label(bar(p.t0, p.t1, y, h, p.kind === "night" ? "#39424f" : p.kind === "vote" ? "#c9dff0" : "#dfe3e8"), p.label, p.kind === "night" ? "#fff" : INK);
    if (name === "speakers") for (const [who, a, b] of L.speakers) {
      const colour = who === "judge" ? "#7b8794" : who === "unknown" ? "#d9dde2" : "#a9c6dc";
      label(bar(a, b, y, h, colour), who === "judge" ? this.text.judge : who === "unknown" ? "" : who, who === "judge" ? "#fff" : INK);
    }
    if (name === "ballots") for (const b of L.ballots) {
      label(bar(b.called[0], b.called[1], y, h, BLUE), `${b.target}`, "#fff");
      if (b.closed) { bar(b.called[1], b.closed[0], y + 4, h - 8, "#7fb4d6"); bar(b.closed[0], b.closed[1], y, h, RED); }
      if (b.count) bar(b.count[0], b.count[1], y, h, GREEN);
    }
    if (name === "hands") for (const k of L.hands) bar(k.t0, k.t1, y + 1 + (k.seat - 1) * 5, 4, k.vote === "yes" ? BLUE : ORANGE);
    if (name === "flags") for (const f of L.flags) {
      const colour = SEVERITY[f.severity] || SKY, place = bar(f.t0, f.t1, y + 2, h - 4, colour);
      if (place && f.id === this.data.current) { g.strokeStyle = INK; g.lineWidth = 2; g.strokeRect(place[0] - 1, y + 1, Math.max(4, place[1] - place[0]) + 2, h - 2); }
    }
  }
}
