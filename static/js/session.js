// Keeps typed text when the session ended: a 401 on a fragment opens a layer, and the next try carries a fresh token.
(() => {
  const token = () => document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1];

  document.addEventListener("htmx:configRequest", (event) => {
    const fresh = token();
    if (!fresh) return;
    event.detail.headers["X-CSRFToken"] = fresh;
    if (event.detail.parameters.csrfmiddlewaretoken) event.detail.parameters.csrfmiddlewaretoken = fresh;
  });

  document.addEventListener("htmx:responseError", (event) => {
    const status = event.detail.xhr.status;
    if (status === 401) document.getElementById("signed-out").showModal();
    else say(`That did not work (${status}). Nothing was changed; reload the page and try again.`);
  });

  document.addEventListener("htmx:sendError", () => say("The server cannot be reached. Is it running? Then try again."));

  function say(sentence) {
    const note = Object.assign(document.createElement("p"), { className: "note error", textContent: sentence });
    document.getElementById("messages").replaceChildren(note);
  }
})();
