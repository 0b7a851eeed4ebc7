// Drawing seats and the table on a frame. Boxes are in pixels of the recording.

const drawings = new WeakMap();

export default function (component) {
  const { parentElement } = component;
  let d = drawings.get(parentElement);
  if (!d) {
    d = new Drawing(parentElement);
    drawings.set(parentElement, d);
  }
  d.update(component);
  return () => { d.leaving = setTimeout(() => { d.root.remove(); drawings.delete(parentElement); }, 60); };
}

function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes)) {
    if (k.startsWith("on")) node.addEventListener(k.slice(2), v);
    else if (v !== null && v !== undefined && v !== false) node.setAttribute(k, v === true ? "" : v);
  }
  node.append(...children);
  return node;
}

class Drawing {
  constructor(host) {
    this.root = el("div", { class: "seats" });
    host.appendChild(this.root);
    this.chosen = 1;
  }

  update(component) {
    clearTimeout(this.leaving);
    this.component = component;
    const d = component.data || {};
    const facts = JSON.stringify([d.seats, d.table, d.unseen]);
    if (facts !== this.facts) {
      this.facts = facts;
      this.seats = new Map((d.seats || []).map((s) => [s.number, [...s.box]]));
      this.table = (d.table || []).map((p) => [...p]);
      this.unseen = new Set(d.unseen || []);
    }
    if (!this.canvas) this.build(d);
    if (d.image !== this.image) {
      this.image = d.image;
      this.picture.src = d.image;
    }
    this.data = d;
    this.draw();
  }

  build(d) {
    const T = d.text;
    this.data = d;
    this.canvas = el("canvas", { tabindex: 0 });
    this.picture = new Image();
    this.picture.onload = () => this.draw();
    this.picture.onerror = () => { this.missing = true; this.draw(); };
    this.bar = el("div", { class: "tools" });
    this.root.append(el("p", { class: "hint" }, T.hint), this.bar, this.canvas);
    this.buttons = [...Array.from({ length: 10 }, (_, i) => i + 1), "table"].map((n) => el("button", { type: "button", "data-n": n, onclick: () => { this.chosen = n; this.draw(); } }, n === "table" ? T.table : String(n)));
    this.unseenBox = el("input", { type: "checkbox", onchange: (e) => { if (e.target.checked) { this.unseen.add(this.chosen); this.seats.delete(this.chosen); } else this.unseen.delete(this.chosen); this.draw(); } });
    this.unseenLabel = el("label", {}, this.unseenBox, ` ${T.unseen}`);
    this.state = el("span", { class: "state" });
    this.save = el("button", { type: "button", class: "save", disabled: !d.can, onclick: () => this.component.setTriggerValue("saved", { seats: [...this.seats].map(([number, box]) => ({ number, box: box.map(Math.round) })), table: this.table, unseen: [...this.unseen], at: Date.now() }) }, T.save);
    this.bar.append(el("span", {}, `${T.seat}:`), ...this.buttons, this.unseenLabel, el("button", { type: "button", onclick: () => { if (this.chosen === "table") this.table = []; else this.seats.delete(this.chosen); this.draw(); } }, T.clear), this.state, this.save);
    let drag = null;
    const at = (e) => { const r = this.canvas.getBoundingClientRect(); return [(e.clientX - r.left) / r.width * this.data.size[0], (e.clientY - r.top) / r.height * this.data.size[1]]; };
    this.canvas.addEventListener("pointerdown", (e) => {
      if (!this.data.can) return;
      this.canvas.setPointerCapture(e.pointerId);
      const [x, y] = at(e), near = this.data.size[0] / 70;
      if (this.chosen === "table") {
        const i = this.table.findIndex(([px, py]) => Math.hypot(px - x, py - y) < near);
        if (i < 0) this.table.push([x, y]);
        drag = { point: i < 0 ? this.table.length - 1 : i };
      } else {
        const b = this.seats.get(this.chosen);
        const corner = b && [[b[0], b[1]], [b[0] + b[2], b[1]], [b[0], b[1] + b[3]], [b[0] + b[2], b[1] + b[3]]].findIndex(([px, py]) => Math.hypot(px - x, py - y) < near);
        if (b && corner >= 0) drag = { fixed: [corner % 2 ? b[0] : b[0] + b[2], corner > 1 ? b[1] : b[1] + b[3]] };
        else if (b && x > b[0] && x < b[0] + b[2] && y > b[1] && y < b[1] + b[3]) drag = { move: [x - b[0], y - b[1]] };
        else { const hit = [...this.seats].find(([, q]) => x > q[0] && x < q[0] + q[2] && y > q[1] && y < q[1] + q[3]); if (hit && b) this.chosen = hit[0]; else drag = { fixed: [x, y] }; }
      }
      this.draw();
    });
    this.canvas.addEventListener("pointermove", (e) => {
      if (!drag) return;
      const [x, y] = at(e);
      if (drag.point !== undefined) this.table[drag.point] = [x, y];
      else if (drag.fixed) this.seats.set(this.chosen, [Math.min(x, drag.fixed[0]), Math.min(y, drag.fixed[1]), Math.abs(x - drag.fixed[0]), Math.abs(y - drag.fixed[1])]);
      else { const b = this.seats.get(this.chosen); b[0] = x - drag.move[0]; b[1] = y - drag.move[1]; }
      this.unseen.delete(this.chosen);
      this.draw();
    });
    const end = () => { const b = this.seats.get(this.chosen); if (b && (b[2] < 5 || b[3] < 5)) this.seats.delete(this.chosen); drag = null; this.draw(); };
    this.canvas.addEventListener("pointerup", end);
    new ResizeObserver(() => this.draw()).observe(this.root);
  }

  draw() {
    const c = this.canvas, d = this.data, w = c.clientWidth;
    if (!w) return;
    const [W, H] = d.size, ratio = window.devicePixelRatio || 1, h = w * H / W, s = w / W;
    c.style.height = `${h}px`; c.width = w * ratio; c.height = h * ratio;
    const g = c.getContext("2d");
    g.scale(ratio, ratio);
    g.fillStyle = "#10151c"; g.fillRect(0, 0, w, h);
    if (this.picture.complete && this.picture.naturalWidth) g.drawImage(this.picture, 0, 0, w, h);
    else if (this.missing) { g.fillStyle = "#fff"; g.font = "15px system-ui"; g.fillText(d.text.no_picture, 20, 40); }
    if (this.table.length) {
      g.beginPath(); this.table.forEach(([x, y], i) => (i ? g.lineTo(x * s, y * s) : g.moveTo(x * s, y * s))); g.closePath();
      g.strokeStyle = "#009E73"; g.lineWidth = this.chosen === "table" ? 3 : 1.5; g.stroke();
      if (this.chosen === "table") for (const [x, y] of this.table) { g.fillStyle = "#009E73"; g.fillRect(x * s - 3, y * s - 3, 6, 6); }
    }
    for (const [n, b] of this.seats) {
      const on = n === this.chosen;
      g.strokeStyle = on ? "#E69F00" : "#ffffffcc"; g.lineWidth = on ? 3 : 1.5;
      g.strokeRect(b[0] * s, b[1] * s, b[2] * s, b[3] * s);
      g.fillStyle = on ? "#E69F00" : "#1c2430cc"; g.fillRect(b[0] * s, b[1] * s, 26, 20);
      g.fillStyle = on ? "#1c2430" : "#fff"; g.font = "700 13px system-ui, sans-serif"; g.textBaseline = "middle"; g.fillText(String(n), b[0] * s + 6, b[1] * s + 10);
      if (on) for (const [x, y] of [[b[0], b[1]], [b[0] + b[2], b[1]], [b[0], b[1] + b[3]], [b[0] + b[2], b[1] + b[3]]]) g.fillRect(x * s - 4, y * s - 4, 8, 8);
    }
    this.buttons.forEach((b) => {
      const n = b.dataset.n === "table" ? "table" : Number(b.dataset.n);
      b.className = `${n === this.chosen ? "on" : ""} ${n !== "table" && !this.seats.has(n) ? (this.unseen.has(n) ? "unseen" : "undrawn") : ""}`;
    });
    this.unseenLabel.style.visibility = this.chosen === "table" ? "hidden" : "visible";
    this.unseenBox.checked = this.unseen.has(this.chosen);
    this.unseenBox.disabled = !d.can;
    const left = Array.from({ length: 10 }, (_, i) => i + 1).filter((n) => !this.seats.has(n) && !this.unseen.has(n));
    this.state.textContent = left.length ? `${d.text.undrawn}: ${left.join(", ")}` : "";
  }
}
