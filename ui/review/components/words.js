// The transcript: lines of one voice; a click plays, a double click corrects.

const lists = new WeakMap();

export default function (component) {
  const { parentElement } = component;
  let list = lists.get(parentElement);
  if (!list) {
    list = new Words(parentElement);
    lists.set(parentElement, list);
  }
  list.update(component);
  return () => { list.leaving = setTimeout(() => { list.destroy(); lists.delete(parentElement); }, 60); };
}

class Words {
  constructor(host) {
    this.root = document.createElement("div");
    this.root.className = "words";
    this.root.tabIndex = 0;
    host.appendChild(this.root);
    this.root.addEventListener("click", (e) => this.click(e));
    this.root.addEventListener("dblclick", (e) => this.edit(e.target.closest("span.w")));
    this.root.addEventListener("keydown", (e) => this.key(e));
    this.onTime = (e) => this.time(e.detail.t);
    window.addEventListener("mafiavar:time", this.onTime);
  }

  destroy() {
    window.removeEventListener("mafiavar:time", this.onTime);
    this.root.remove();
  }

  update(component) {
    clearTimeout(this.leaving);
    this.component = component;
    const signature = JSON.stringify(component.data);
    if (signature === this.signature) return;
    this.signature = signature;
    this.data = component.data || {};
    const top = this.root.scrollTop;
    const wanted = (this.data.search || "").toLowerCase();
    const body = document.createDocumentFragment();
    this.spans = [];
    (this.data.lines || []).forEach((line, i) => {
      const row = document.createElement("div");
      row.className = `line ${line.who === "judge" ? "judge" : line.who === "unknown" ? "unknown" : "seat"}`;
      row.dataset.line = i;
      const head = document.createElement("button");
      head.type = "button";
      head.className = "who";
      head.textContent = `${line.clock}  ${line.name}`;
      head.dataset.t = line.t0;
      const text = document.createElement("p");
      for (const [number, word, t0, t1, p, by, was, disputed] of line.words) {
        const span = document.createElement("span");
        span.className = `w${p < 0.5 ? " unsure" : ""}${by ? " human" : ""}${disputed ? " disputed" : ""}${wanted && word.toLowerCase().includes(wanted) ? " hit" : ""}`;
        span.textContent = word || "∅";
        span.dataset.n = number; span.dataset.t = t0; span.dataset.e = t1;
        if (by) span.title = `${by}; ${this.data.text.was}: ${was}`; else if (p < 0.5) span.title = `${this.data.text.unsure}: ${Math.round(p * 100)} %`;
        text.append(span, " ");
        this.spans.push(span);
      }
      row.append(head, text);
      body.append(row);
    });
    if (!this.data.lines || !this.data.lines.length) body.append(Object.assign(document.createElement("p"), { textContent: this.data.text ? this.data.text.nothing : "" }));
    this.root.replaceChildren(body);
    this.root.scrollTop = top;
    if (this.chosen !== undefined) this.choose(this.root.querySelector(`[data-n="${this.chosen}"]`), false);
  }

  click(e) {
    const head = e.target.closest("button.who"), word = e.target.closest("span.w");
    if (head) { this.choose(head.parentElement.querySelector("span.w")); this.play(Number(head.dataset.t)); }
    if (word) { this.choose(word); this.play(Number(word.dataset.t)); }
  }

  play(t) { window.dispatchEvent(new CustomEvent("mafiavar:seek", { detail: { t: Math.max(0, t - 0.05), play: true, loop: null } })); }

  choose(span, focus = true) {
    this.root.querySelectorAll(".chosen").forEach((x) => x.classList.remove("chosen"));
    if (!span) return;
    this.chosen = Number(span.dataset.n);
    span.classList.add("chosen");
    span.closest(".line").classList.add("chosen");
    if (focus) { this.root.focus({ preventScroll: true }); span.scrollIntoView({ block: "nearest" }); }
  }

  key(e) {
    if (e.target.tagName === "INPUT" || e.ctrlKey || e.metaKey || e.altKey) return;
    const span = this.root.querySelector("span.chosen");
    const index = this.spans.indexOf(span);
    const move = (i) => { const s = this.spans[Math.max(0, Math.min(this.spans.length - 1, i))]; this.choose(s); this.play(Number(s.dataset.t)); };
    if (e.key === "Enter" && span) this.edit(span);
    else if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      const line = span ? span.closest(".line") : this.root.querySelector(".line");
      const next = e.key === "ArrowDown" ? line.nextElementSibling : line.previousElementSibling;
      if (next) move(this.spans.indexOf(next.querySelector("span.w")));
    } else if (e.key === "ArrowRight" || e.key === "ArrowLeft") move(index + (e.key === "ArrowRight" ? 1 : -1));
    else if (span && this.data.can && (/^Digit\d$/.test(e.code) || e.code === "KeyS")) {
      const who = e.code === "KeyS" ? "judge" : e.code === "Digit0" ? "10" : e.code.slice(5);
      const line = this.data.lines[Number(span.closest(".line").dataset.line)];
      this.component.setTriggerValue("speaker", { who, numbers: line.words.map((w) => w[0]), at: Date.now() });
    } else return;
    e.preventDefault();
    e.stopPropagation();
  }

  edit(span) {
    if (!span || !this.data.can) return;
    this.choose(span, false);
    const input = document.createElement("input");
    input.value = span.textContent;
    input.size = Math.max(4, span.textContent.length + 2);
    let over = false;
    const finish = (keep) => {
      if (over) return;
      over = true;
      const text = input.value.trim();
      input.replaceWith(span);
      if (keep && text !== span.textContent) {
        span.textContent = text || "∅";
        span.classList.add("human");
        this.component.setTriggerValue("corrected", { number: Number(span.dataset.n), text, at: Date.now() });
      }
      this.root.focus({ preventScroll: true });
    };
    input.addEventListener("keydown", (e) => { if (e.key === "Enter") finish(true); if (e.key === "Escape") finish(false); e.stopPropagation(); });
    input.addEventListener("blur", () => finish(true));
    span.replaceWith(input);
    input.select();
  }

  time(t) {
    if (!this.spans || !this.spans.length) return;
    let lo = 0, hi = this.spans.length - 1;
    while (lo < hi) { const mid = (lo + hi + 1) >> 1; if (Number(this.spans[mid].dataset.t) <= t) lo = mid; else hi = mid - 1; }
    const span = this.spans[lo];
    if (this.now === span) return;
    if (this.now) this.now.classList.remove("now");
    this.now = t <= Number(span.dataset.e) + 0.3 ? span : null;
    if (this.now) {
      this.now.classList.add("now");
      const r = span.getBoundingClientRect(), box = this.root.getBoundingClientRect();
      if (r.top < box.top || r.bottom > box.bottom) this.root.scrollTop += r.top - box.top - box.height / 3;
    }
  }
}
