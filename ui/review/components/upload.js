// A file straight to the server's disk, with progress; nothing is held in memory on either side.

const uploads = new WeakMap();

export default function (component) {
  const { parentElement, data } = component;
  let u = uploads.get(parentElement);
  if (!u) {
    const root = document.createElement("div");
    root.className = "upload";
    const input = Object.assign(document.createElement("input"), { type: "file", accept: "video/*,audio/*,.mkv,.ts,.mts,.m2ts" });
    const button = Object.assign(document.createElement("button"), { type: "button" });
    const state = document.createElement("span");
    const bar = document.createElement("progress");
    bar.hidden = true;
    root.append(button, input, bar, state);
    parentElement.appendChild(root);
    u = { input, button, state, bar };
    uploads.set(parentElement, u);
    button.addEventListener("click", () => input.click());
    input.addEventListener("change", () => input.files[0] && send(u, input.files[0]));
  }
  u.component = component;
  u.button.textContent = data.choose;
}

function send(u, file) {
  const { data } = u.component;
  const request = new XMLHttpRequest();
  request.open("PUT", `/api/upload?name=${encodeURIComponent(file.name)}`);
  u.bar.hidden = false;
  u.button.disabled = true;
  request.upload.onprogress = (e) => {
    u.bar.max = e.total; u.bar.value = e.loaded;
    u.state.textContent = e.loaded === e.total ? data.checking : `${data.sending} ${Math.round(e.loaded / e.total * 100)} %`;
  };
  request.onloadend = () => {
    u.button.disabled = false; u.bar.hidden = true; u.input.value = "";
    if (request.status === 200) {
      u.state.textContent = `${data.done}: ${file.name}`;
      u.component.setTriggerValue("uploaded", JSON.parse(request.responseText));
    } else u.state.textContent = `${data.failed}: ${request.responseText || request.status}`;
  };
  request.send(file);
}
