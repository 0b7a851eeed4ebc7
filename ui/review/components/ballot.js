// Ten seats of one call on one axis: pictures before, at the touch, at the release; call, stop, count.
// One click on «за / нет / не видно» is the person's word for that seat.

const boards = new WeakMap();

export default function (component) {
  const { parentElement } = component;
  let board = boards.get(parentElement);
  if (!board) {
    board = new Board(parentElement);
    boards.set(parentElement, board);
  }
  board.update(component);
  return () => {
    board.leaving = setTimeout(() => { board.destroy(); boards.delete(parentElement); }, 60);
  };
}

function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes)) {
    if (k.startsWith("on")) node.addEventListener(k.slice(2), v);
    else if (v !== null && v !== undefined && v !== false) node.setAttribute(k, v === true ? "" : v);
  }
  node.append(...children.filter((c) => c !== null && c !== undefined));
  return node;
}

const seekTo = (t, more = {}) => window.dispatchEvent(new CustomEvent("mafiavar:seek", { detail: { t, pause: true, ...more } }));

class Board {
  constructor(host) {
    this.root = el("div", { class: "board" });
    this.zoomed = el("div", { class: "zoom", hidden: true });
    host.append(this.root, this.zoomed);
    this.onTime = (e) => this.time(e.detail.t);
    this.onKey = (e) => this.key(e);
    window.addEventListener("mafiavar:time", this.onTime);
    window.addEventListener("keydown", this.onKey);
  }

  destroy() {
    window.removeEventListener("mafiavar:time", this.onTime);
    window.removeEventListener("keydown", this.onKey);
    this.root.remove();
    this.zoomed.remove();
  }

  // The picture under the pointer, large; left of the board, so that the rows stay in sight.
  zoom(crop, button) {
    this.zoomed.hidden = !crop;
    if (!crop) return;
    const r = button.getBoundingClientRect();
    this.zoomed.replaceChildren(el("img", { src: crop.src.replace("h=144", "h=240"), alt: crop.label }));
    this.zoomed.style.left = `${Math.max(8, r.left - 404)}px`;
    this.zoomed.style.top = `${Math.max(8, Math.min(window.innerHeight - 304, r.top - 120))}px`;
  }

  update(component) {
    clearTimeout(this.leaving);
    this.component = component;
    const signature = JSON.stringify(component.data);
    if (signature === this.signature) return;
    this.signature = signature;
    this.data = component.data || {};
    if (!this.data.axis) return;
    const focus = this.focused;
    this.render();
    if (focus !== undefined) this.focus(focus, false);
    if (this.last !== undefined) this.time(this.last);
  }

  x(t) {
    const [a, b] = this.data.axis;
    return Math.max(0, Math.min(100, (t - a) / (b - a) * 100));
  }

  render() {
    const d = this.data, T = d.text;
    const pictures = [];
    const rows = d.seats.map((s) => this.row(s, pictures));
    this.root.replaceChildren(this.head(), ...rows);
    this.loadPictures(pictures);
  }

  head() {
    const d = this.data, T = d.text;
    const mark = (t0, t1, cls, name) => t0 === null || t0 === undefined ? null :
      el("span", { class: `mark ${cls}`, style: `left:${this.x(t0)}%;width:${Math.max(0.8, this.x(t1) - this.x(t0))}%`, title: `${name} ${t0.toFixed(2)}–${t1.toFixed(2)}` }, el("b", {}, name));
    const axis = el("div", { class: "axis top", onclick: (e) => this.clicked(e) },
      mark(d.called[0], d.called[1], "call", T.call), d.closed ? mark(d.closed[0], d.closed[1], "stop", T.stop) : null,
      d.count ? mark(d.count[0], d.count[1], `count${d.closed && this.x(d.count[0]) - this.x(d.closed[1]) < 14 ? " near" : ""}`, `${T.count} ${d.announced ?? ""}`) : null);
    return el("div", { class: "row head" }, el("span", {}, "№"), el("span", { class: "crops" }, el("i", {}, T.before), el("i", {}, T.touch), el("i", {}, T.release)), axis, el("span", {}, d.can ? T.verdict : T.result));
  }

  row(s, pictures) {
    const d = this.data, T = d.text;
    const out = s.vote === "out";
    const crops = el("span", { class: "crops" }, ...(out ? [] : s.crops.map((c) => {
      const img = el("img", { alt: `${T.seat} ${s.seat}, ${c.label}`, title: `${c.label} · ${c.t.toFixed(2)} ${T.s}`, loading: "eager" });
      const hold = el("button", { type: "button", class: `crop${c.at ? " " + c.at : ""}`, onclick: () => { this.focus(s.seat); seekTo(c.t); } }, img);
      if (c.src) {
        hold.addEventListener("pointerenter", () => { if (!hold.classList.contains("none")) this.zoom(c, hold); });
        hold.addEventListener("pointerleave", () => this.zoom(null));
      }
      img.addEventListener("load", () => img.classList.add("there"));
      img.addEventListener("error", () => { hold.classList.add("none"); hold.title = T.no_picture; img.remove(); });
      if (c.src) pictures.push([img, c]); else { hold.classList.add("none"); hold.title = T.no_picture; img.remove(); }
      return hold;
    })));
    const axis = el("div", { class: "axis", onclick: (e) => { this.focus(s.seat); this.clicked(e); } });
    const zone = (a, b, cls) => axis.append(el("span", { class: `zone ${cls}`, style: `left:${this.x(a)}%;width:${Math.max(0.5, this.x(b) - this.x(a))}%` }));
    zone(d.called[0], d.called[1], "call");
    if (d.closed) zone(d.closed[0], d.closed[1], "stop");
    if (d.count) zone(d.count[0], d.count[1], "count");
    if (s.contact) axis.append(el("span", { class: `hand ${s.vote}`, title: `${T.contact} ${s.contact[0].toFixed(2)}–${s.contact[1].toFixed(2)}`, style: `left:${this.x(s.contact[0])}%;width:${Math.max(1, this.x(s.contact[1]) - this.x(s.contact[0]))}%` }));
    const words = [...s.notes, s.remainder ? T.remainder : null, s.form_name, s.offset].filter(Boolean).join(" · ");
    if (!out && words) axis.append(el("small", { class: s.alarm ? "alarm" : "", title: words }, words));
    const choices = out ? [el("span", { class: "outword" }, T.out)] : ["yes", "no", "unknown"].map((v) => el("button", {
      type: "button", class: `choice ${v}${s.vote === v ? " on" : ""}`, disabled: !d.can, "aria-pressed": s.vote === v ? "true" : "false", "data-seat": s.seat, "data-vote": v,
      title: T.title[v], onclick: () => this.decide(s, v) }, T.sign[v], el("span", {}, T.vote[v])));
    const by = s.by ? el("button", { type: "button", class: `by${s.disputed ? " disputed" : ""}`, disabled: !d.can, title: s.disputed ? T.disputed : T.undo, onclick: () => this.component.setTriggerValue("undo", { record: s.record, at: Date.now() }) }, s.disputed ? "⚠ " : "", s.by, d.can ? " ↶" : "") : el("span", { class: "p" }, out || !s.vote || s.vote === "unknown" ? "" : `${Math.round(s.p * 100)} %`);
    return el("div", { class: `row ${s.vote}${out ? " gone" : ""}${s.alarm ? " alarmed" : ""}`, "data-seat": s.seat, onclick: () => { this.focused = s.seat; this.ring(); } },
      el("span", { class: "seat" }, String(s.seat)), crops, axis, el("span", { class: "choices" }, ...choices, by));
  }

  // All pictures of the ballot are cut in one decoding: the first request names the others.
  async loadPictures(pictures) {
    for (const [img, c] of pictures.filter(([, c]) => c.kept)) img.src = c.src;
    const cut = pictures.filter(([, c]) => !c.kept), lead = cut[0];
    if (!lead) return;
    const rest = cut.slice(1).map(([, c]) => `${Math.round(c.t * 1000)}.${c.seat}`).join(",");
    lead[0].addEventListener("load", () => cut.slice(1).forEach(([img, c]) => { img.src = c.src; }), { once: true });
    lead[0].addEventListener("error", () => cut.slice(1).forEach(([img, c]) => { img.src = c.src; }), { once: true });
    lead[0].src = `${lead[1].src}&with=${rest}`;
  }

  decide(s, v) {
    if (!this.data.can) return;
    this.focus(s.seat);
    // Shown at once; the page's answer follows and stands.
    const row = this.root.querySelector(`.row[data-seat="${s.seat}"]`);
    row.querySelectorAll(".choice").forEach((b) => b.classList.toggle("on", b.dataset.vote === v));
    this.component.setTriggerValue("decided", { seat: s.seat, vote: v, at: Date.now() });
  }

  clicked(e) {
    const r = e.currentTarget.getBoundingClientRect(), [a, b] = this.data.axis;
    seekTo(a + Math.max(0, Math.min(1, (e.clientX - r.left) / r.width)) * (b - a));
  }

  time(t) {
    this.last = t;
    if (!this.data || !this.data.axis) return;
    const [a, b] = this.data.axis, inside = t >= a && t <= b;
    this.root.style.setProperty("--now", `${this.x(t)}%`);
    this.root.classList.toggle("playing", inside);
  }

  focus(seat, seek = true) {
    this.focused = seat;
    this.ring();
    const row = this.root.querySelector(`.row[data-seat="${seat}"]`);
    if (row && seek) row.scrollIntoView({ block: "nearest" });
  }

  ring() {
    this.root.querySelectorAll(".row").forEach((r) => r.classList.toggle("ring", Number(r.dataset.seat) === this.focused));
  }

  key(e) {
    const at = e.composedPath()[0];
    if (e.ctrlKey || e.metaKey || e.altKey || !this.data || !this.data.axis) return;
    if (at && (at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName || ""))) return;
    const digit = /^Digit(\d)$/.exec(e.code);
    if (digit && !e.shiftKey) {
      const seat = Number(digit[1]) || 10;
      const s = this.data.seats.find((x) => x.seat === seat);
      this.focus(seat);
      if (s && s.contact) seekTo(s.contact[0]);
      e.preventDefault();
      return;
    }
    const vote = { KeyV: "yes", KeyX: "no", KeyU: "unknown" }[e.code];
    const s = this.data.seats.find((x) => x.seat === this.focused);
    if (vote && s && s.vote !== "out") { e.preventDefault(); this.decide(s, vote); }
  }
}
