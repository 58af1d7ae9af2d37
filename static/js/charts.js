// Draws every [data-figure] from the JSON script it names, on load, after a swap and when the colour scheme changes.
// A string "var(--x)" in the figure takes the page's colour; a point whose customdata starts with "/" opens that page.
(() => {
  const scheme = matchMedia("(prefers-color-scheme: dark)");

  function coloured(value, style) {
    if (typeof value === "string") return value.startsWith("var(") ? style.getPropertyValue(value.slice(4, -1)).trim() : value;
    if (Array.isArray(value)) return value.map((item) => coloured(item, style));
    if (!value || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, coloured(item, style)]));
  }

  function draw(box) {
    const style = getComputedStyle(document.documentElement);
    const { data, layout } = coloured(JSON.parse(document.getElementById(box.dataset.figure).textContent), style);
    const ground = { paper_bgcolor: "transparent", plot_bgcolor: "transparent", margin: { l: 44, r: 12, t: 12, b: 44 } };
    const font = { family: style.getPropertyValue("--font"), color: style.getPropertyValue("--ink").trim(), size: 13 };
    Plotly.react(box, data, { ...ground, font, ...layout }, { responsive: true, displayModeBar: false });
    if (box.dataset.isDrawn) return;
    box.dataset.isDrawn = "yes";
    box.on("plotly_click", ({ points }) => {
      const address = [points[0].customdata].flat()[0];
      if (typeof address === "string" && address.startsWith("/")) location.assign(address);
    });
  }

  const drawAll = (root) => root.querySelectorAll("[data-figure]").forEach(draw);
  document.addEventListener("DOMContentLoaded", () => drawAll(document));
  document.addEventListener("htmx:afterSettle", () => drawAll(document));
  scheme.addEventListener("change", () => drawAll(document));
})();
