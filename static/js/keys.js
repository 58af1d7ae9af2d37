// Single keys: [data-key="1"] is pressed by the key "1". They act only while no field or dialog has the focus,
// ignore key repeat, and are dead for 600 ms after a new claim is painted, so that a late press rules on nothing.
(() => {
  const PAUSE = 600;
  const SWITCH = "juryflow-single-keys";
  let deadUntil = 0;

  const isOn = () => localStorage.getItem(SWITCH) !== "off";
  const keysOf = (element) => (element.dataset.key || "").split(" ").filter(Boolean);
  const isShown = (element) => element.getClientRects().length > 0 && !element.disabled;
  const isField = (element) =>
    element.isContentEditable || element.matches("select, textarea, input:not([type=checkbox], [type=radio])");
  const isControl = (element) => element.matches("a, button, summary, input");

  function pause(root) {
    if (root.matches?.("[data-claim]") || root.querySelector?.("[data-claim]")) deadUntil = performance.now() + PAUSE;
  }

  function act(element) {
    if (isField(element)) element.focus();
    else element.click();
  }

  function wordsOf(element) {
    const copy = element.cloneNode(true);
    copy.querySelectorAll("kbd").forEach((key) => key.remove());
    const words = element.dataset.keyTitle || element.getAttribute("aria-label") || copy.textContent || element.name;
    return words.replace(/\s+/g, " ").trim();
  }

  function openSheet(sheet) {
    const list = sheet.querySelector("[data-key-list]");
    list.replaceChildren();
    for (const element of document.querySelectorAll("[data-key]")) {
      if (!isShown(element)) continue;
      const term = document.createElement("dt");
      for (const key of keysOf(element)) {
        term.append(Object.assign(document.createElement("kbd"), { textContent: key }), " ");
      }
      list.append(term, Object.assign(document.createElement("dd"), { textContent: wordsOf(element) }));
    }
    if (!list.children.length) list.append(Object.assign(document.createElement("dd"), { textContent: "None on this page." }));
    sheet.querySelector("[data-key-switch]").checked = isOn();
    sheet.showModal();
  }

  document.addEventListener("keydown", (event) => {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]") || isField(event.target)) return;
    if (event.key === "?") return openSheet(document.getElementById("key-sheet"));
    if (!isOn() || performance.now() < deadUntil) return;
    if (["Enter", " "].includes(event.key) && isControl(event.target)) return;
    const found = [...document.querySelectorAll("[data-key]")].find(
      (element) => keysOf(element).includes(event.key) && isShown(element),
    );
    if (!found) return;
    event.preventDefault();
    act(found);
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-open-keys]")) openSheet(document.getElementById("key-sheet"));
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-key-switch]")) localStorage.setItem(SWITCH, event.target.checked ? "on" : "off");
  });
  document.addEventListener("htmx:afterSwap", (event) => pause(event.target));
  document.addEventListener("DOMContentLoaded", () => pause(document.body));
})();
